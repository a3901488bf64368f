import type { ChannelTemplateDraft, TemplateButtonDraft, TemplateFilling } from './channel-template.ts';
import type {
  TemplateButtonParameter,
  TemplateContent,
  TemplateHeaderParameter,
  TemplateParameters,
} from './message-content.ts';
import { findVariables, nameVariables, sortVariables, type VariableNaming } from './template-variables.ts';

/** One recipient's message from a draft that the platform has approved. A missing value becomes an empty text. */
export function fillTemplate(draft: ChannelTemplateDraft, filling: TemplateFilling): TemplateContent {
  const naming = nameVariables(draft);
  // A variable may be called `constructor`: only own values count.
  const rawValueOf = (variable: string) =>
    Object.hasOwn(filling.values, variable) ? (filling.values[variable] ?? '') : '';
  const valueOf = (variable: string) => cleanParameterText(rawValueOf(variable));
  const content: TemplateContent = { type: 'template', name: draft.name, language: draft.language };

  const header = fillHeader(draft, filling, naming, valueOf);
  if (header !== undefined) content.header = header;

  const variables = sortVariables(findVariables(draft.body), naming.format);
  if (variables.length > 0) content.body = fillText(variables, naming, valueOf);

  const drafted = draft.buttons ?? [];
  const buttons = orderTemplateButtons(drafted).flatMap((button, index): TemplateButtonParameter[] => {
    if (button.type === 'url') {
      const [variable] = findVariables(button.url);
      return variable === undefined
        ? []
        : [{ type: 'url', index, suffix: encodeURIComponent(rawValueOf(variable).toWellFormed()) }];
    }
    const payload = filling.payloads?.[drafted.indexOf(button)];
    return button.type === 'quick_reply' && payload !== undefined
      ? [{ type: 'quick_reply', index, payload }]
      : [];
  });
  if (buttons.length > 0) content.buttons = buttons;
  return content;
}

/** The platform refuses newlines, tabs and runs of more than four spaces inside a parameter. */
export function cleanParameterText(text: string): string {
  return text
    .replace(/[\r\n\t]+/g, ' ')
    .replace(/ {5,}/g, '    ')
    .trim();
}

/**
 * Quick replies must all stand before or all after the others; a mixed order is put right with them first.
 * The button indexes of a sent message follow the order that results.
 */
export function orderTemplateButtons(
  buttons: readonly TemplateButtonDraft[],
): readonly TemplateButtonDraft[] {
  const quickReplies = buttons.filter((button) => button.type === 'quick_reply');
  const others = buttons.filter((button) => button.type !== 'quick_reply');
  const isOthersFirst = others.every((button, index) => buttons[index] === button);
  return isOthersFirst ? buttons : [...quickReplies, ...others];
}

function fillHeader(
  draft: ChannelTemplateDraft,
  filling: TemplateFilling,
  naming: VariableNaming,
  valueOf: (variable: string) => string,
): TemplateHeaderParameter | undefined {
  const { header } = draft;
  if (header === undefined) return undefined;
  if (header.format === 'text') {
    const [variable] = findVariables(header.text);
    if (variable === undefined) return undefined;
    const text = { type: 'text', text: valueOf(variable) } as const;
    return naming.format === 'named' ? { ...text, name: naming.names.get(variable) ?? variable } : text;
  }
  if (header.format === 'location') {
    return filling.headerLocation && { type: 'location', location: filling.headerLocation };
  }
  if (filling.headerMedia === undefined) return undefined;
  const media = { type: header.format, media: filling.headerMedia };
  return header.format === 'document' && filling.headerFilename !== undefined
    ? { ...media, filename: filling.headerFilename }
    : media;
}

function fillText(
  variables: readonly string[],
  naming: VariableNaming,
  valueOf: (variable: string) => string,
): TemplateParameters {
  return naming.format === 'positional'
    ? { format: 'positional', values: variables.map(valueOf) }
    : {
        format: 'named',
        values: Object.fromEntries(variables.map((name) => [naming.names.get(name) ?? name, valueOf(name)])),
      };
}
