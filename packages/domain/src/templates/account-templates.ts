import type { ChannelTemplate, TemplateButtonDraft } from '../messaging/channel-template.ts';
import { orderTemplateButtons } from '../messaging/template-filling.ts';
import { findVariables, nameVariables, renameVariables } from '../messaging/template-variables.ts';
import { platformLanguage } from './platform-name.ts';
import { toChannelDraft, type SendableTemplate } from './template-content.ts';
import { findTemplateFaults } from './template-rules.ts';
import {
  templateLanguages,
  type TemplateButton,
  type TemplateCategoryName,
  type TemplateComponent,
  type TemplateLanguage,
} from './template.ts';

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

/** Why a template of the account cannot be taken over: its language, a file of its header, a part that we have not. */
export const importObstacles = ['language', 'file', 'part'] as const;
export type ImportObstacle = (typeof importObstacles)[number];

export type ImportedTemplate = {
  name: string;
  category: TemplateCategoryName;
  language: TemplateLanguage;
  components: TemplateComponent[];
};

/** A template of the account in our terms, or what stands in its way. */
export function readAccountTemplate(there: ChannelTemplate): ImportedTemplate | ImportObstacle {
  const language = templateLanguages.find((one) => platformLanguage(one) === there.language);
  if (language === undefined) return 'language';
  const { header, body, footer } = there;
  // The account gives no file out that could be sent.
  if (header && (header.format === 'image' || header.format === 'video' || header.format === 'document'))
    return 'file';
  if (header && header.format !== 'text') return 'part';
  const buttons: TemplateButton[] = [];
  for (const button of there.buttons) {
    if (button.type === 'other') return 'part';
    buttons.push(
      button.type === 'phone_number'
        ? { type: 'phone_number', text: button.text, phone_number: button.phoneNumber }
        : button,
    );
  }
  if (there.category === 'authentication') return 'part';
  const components: TemplateComponent[] = [
    ...(header?.format === 'text'
      ? [{ type: 'header' as const, format: 'text' as const, text: header.text }]
      : []),
    { type: 'body', text: body },
    ...(footer === null ? [] : [{ type: 'footer' as const, text: footer }]),
    ...(buttons.length === 0 ? [] : [{ type: 'button' as const, buttons }]),
  ];
  const { name } = there;
  if (findTemplateFaults({ name, components }).length > 0) return 'part';
  return { name, category: there.category === 'utility' ? 'utility' : 'promotion', language, components };
}

/** As the platform writes it: one variable at most, which is called 1. */
function describeButton(button: TemplateButtonDraft): unknown[] {
  if (button.type === 'quick_reply') return [button.type, button.text];
  if (button.type === 'phone_number')
    return [button.type, button.text, button.phoneNumber.replaceAll(/\D/g, '')];
  const [variable = ''] = findVariables(button.url);
  return [button.type, button.text, renameVariables(button.url, new Map([[variable, '1']]))];
}
