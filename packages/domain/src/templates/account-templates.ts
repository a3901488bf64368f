import type { ChannelTemplate, TemplateButtonDraft } from '../messaging/channel-template.ts';
import { orderTemplateButtons } from '../messaging/template-filling.ts';
import {
  findVariables,
  HEADER_VARIABLE,
  nameVariables,
  renameVariables,
} from '../messaging/template-variables.ts';
import { readTemplateLanguage } from './platform-name.ts';
import { toChannelDraft, type SendableTemplate } from './template-content.ts';
import { findTemplateFaults } from './template-rules.ts';
import type { TemplateButton, TemplateCategoryName, TemplateComponent, TemplateHeader } from './template.ts';

export const templateParts = ['header', 'body', 'footer', 'buttons'] as const;
export type TemplatePart = (typeof templateParts)[number];

/** What of our template reads otherwise in the account. */
export function findDifferences(ours: SendableTemplate, there: ChannelTemplate): TemplatePart[] {
  const draft = toChannelDraft(ours);
  const { names } = nameVariables(draft);
  const header =
    draft.header?.format === 'text'
      ? { format: 'text', text: renameVariables(draft.header.text, names) }
      : draft.header && { format: draft.header.format };
  const sides: Record<TemplatePart, [unknown, unknown]> = {
    header: [header ?? null, there.header],
    body: [renameVariables(draft.body, names), there.body],
    footer: [draft.footer ?? null, there.footer],
    buttons: [
      orderTemplateButtons(draft.buttons ?? []).map(describeButton),
      there.buttons.map((button) => (button.type === 'other' ? button : describeButton(button))),
    ],
  };
  return templateParts.filter((part) => JSON.stringify(sides[part][0]) !== JSON.stringify(sides[part][1]));
}

/** Why a template of the account cannot be taken over: a language that is none, or a part that we have not. */
export const importObstacles = ['language', 'part'] as const;
export type ImportObstacle = (typeof importObstacles)[number];

export type ImportedTemplate = {
  name: string;
  category: TemplateCategoryName;
  language: string;
  components: TemplateComponent[];
};

/** The platform's own limit, wider than that of the editor. */
const MOST_BUTTONS = 10;

/** A template of the account in our terms, or what stands in its way. */
export function readAccountTemplate(there: ChannelTemplate): ImportedTemplate | ImportObstacle {
  const language = readTemplateLanguage(there.language);
  if (language === undefined) return 'language';
  if (there.category === 'authentication') return 'part';
  const { name, body, footer } = there;
  const header = readHeader(there);
  const buttons = readButtons(there);
  if (header === 'part' || buttons === 'part') return 'part';
  const components: TemplateComponent[] = [
    ...(header === null ? [] : [header]),
    { type: 'body', text: body },
    ...(footer === null ? [] : [{ type: 'footer' as const, text: footer }]),
    ...(buttons.length === 0 ? [] : [{ type: 'button' as const, buttons }]),
  ];
  if (findTemplateFaults({ name, components }, MOST_BUTTONS).length > 0) return 'part';
  return { name, category: there.category === 'utility' ? 'utility' : 'promotion', language, components };
}

/** The account gives no file out that could be sent: somebody chooses it here. */
function readHeader({ header, body }: ChannelTemplate): TemplateHeader | 'part' | null {
  if (header === null) return null;
  switch (header.format) {
    case 'text':
      return { type: 'header', format: 'text', text: nameApart(header.text, HEADER_VARIABLE, [body]) };
    case 'image':
    case 'video':
    case 'document':
      return { type: 'header', format: header.format, media: null };
    default:
      return 'part';
  }
}

function readButtons({ buttons, header, body }: ChannelTemplate): TemplateButton[] | 'part' {
  const before = [body, header?.format === 'text' ? header.text : ''];
  const read: TemplateButton[] = [];
  for (const [index, button] of buttons.entries()) {
    if (button.type === 'other') return 'part';
    if (button.type === 'url') {
      read.push({ ...button, url: nameApart(button.url, `button_${index + 1}`, before) });
      before.push(button.url);
    } else if (button.type === 'phone_number')
      read.push({ type: 'phone_number', text: button.text, phone_number: button.phoneNumber });
    else read.push(button);
  }
  return read;
}

/** The platform counts anew in each part: the 1 of an address is another than the 1 of the body, and here each has a name of its own. */
function nameApart(text: string, name: string, others: readonly string[]): string {
  const taken = new Set(others.flatMap(findVariables));
  return renameVariables(text, new Map(taken.has('1') ? [['1', name]] : []));
}

/** As the platform writes it: one variable at most, which is called 1. */
function describeButton(button: TemplateButtonDraft): unknown[] {
  if (button.type === 'quick_reply') return [button.type, button.text];
  if (button.type === 'phone_number')
    return [button.type, button.text, button.phoneNumber.replaceAll(/\D/g, '')];
  const [variable = ''] = findVariables(button.url);
  return [button.type, button.text, renameVariables(button.url, new Map([[variable, '1']]))];
}
