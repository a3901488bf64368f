import { findContentType, type ContentFault, type ContentType } from '../channel-kinds/content-type.ts';
import { findComponent, lacksHeaderFile, type TemplateButton, type TemplateComponent } from './template.ts';

/** Characters and counts; those of the platform, except for the name, which people read in lists. */
export const templateLimits = {
  name: 100,
  headerText: 60,
  bodyText: 1024,
  footerText: 60,
  buttons: 3,
  buttonText: 25,
  url: 2000,
  phoneNumber: 20,
  sample: 200,
} as const;

export type TemplateProblem =
  | 'name_missing'
  | 'body_missing'
  | 'component_repeated'
  | 'text_too_long'
  | 'too_many_buttons'
  | 'button_text_missing'
  | 'url_invalid'
  | 'phone_number_invalid'
  | 'content_unsupported'
  | 'content_invalid';

/** `path` is the place in a content, and `detail` what is wrong there. */
export type TemplateFault = {
  problem: TemplateProblem;
  field: string;
  limit?: number;
  content?: ContentFault;
};

/**
 * Drops components without text, buttons and media, and buttons without any content. Of `stored` a header stays whose file was never here: it is
 * part of what the platform approved.
 */
export function pruneComponents(
  components: readonly TemplateComponent[],
  stored: readonly TemplateComponent[] = [],
): TemplateComponent[] {
  const old = lacksHeaderFile(stored) ? findComponent(stored, 'header') : undefined;
  return components.flatMap((component): TemplateComponent[] => {
    switch (component.type) {
      case 'header':
        if (component.format === 'text') return component.text.trim() === '' ? [] : [component];
        return component.media === null && component.format !== old?.format ? [] : [component];
      case 'body':
      case 'footer':
        return component.text.trim() === '' ? [] : [component];
      case 'button': {
        const buttons = component.buttons.filter((button) => !isEmptyButton(button));
        return buttons.length === 0 ? [] : [{ ...component, buttons }];
      }
      case 'content':
        return [component];
    }
  });
}

/** What the platform looks at, as one text: of a header's file the kind alone, since each message names its own. */
export function reviewedText(components: readonly TemplateComponent[]): string {
  const header = findComponent(components, 'header');
  const body = findComponent(components, 'body');
  return JSON.stringify([
    header && [header.format, header.format === 'text' ? header.text : ''],
    body && [body.text, body.example?.body_text[0] ?? []],
    findComponent(components, 'footer')?.text ?? '',
    (findComponent(components, 'button')?.buttons ?? []).map((button) => [
      ...[button.type, button.text],
      button.type === 'url' ? button.url : button.type === 'phone_number' ? button.phone_number : '',
    ]),
  ]);
}

/** Everything that stands in the way of saving, by form field; an empty list means that it can be saved. */
export function findTemplateFaults(
  template: { name: string; components: readonly TemplateComponent[] },
  mostButtons: number = templateLimits.buttons,
): TemplateFault[] {
  const { name, components } = template;
  const faults: TemplateFault[] = [];
  const limit = (field: string, text: string, most: number) => {
    if (lengthOf(text) > most) faults.push({ problem: 'text_too_long', field, limit: most });
  };
  if (name.trim() === '') faults.push({ problem: 'name_missing', field: 'name' });
  limit('name', name, templateLimits.name);
  for (const { type } of components) {
    if (components.filter((component) => component.type === type).length > 1)
      faults.push({ problem: 'component_repeated', field: type });
  }
  const header = findComponent(components, 'header');
  if (header?.format === 'text') limit('header', header.text, templateLimits.headerText);
  const body = findComponent(components, 'body');
  if (body === undefined || body.text.trim() === '') faults.push({ problem: 'body_missing', field: 'body' });
  limit('body', body?.text ?? '', templateLimits.bodyText);
  limit('footer', findComponent(components, 'footer')?.text ?? '', templateLimits.footerText);
  const buttons = findComponent(components, 'button')?.buttons ?? [];
  if (buttons.length > mostButtons)
    faults.push({ problem: 'too_many_buttons', field: 'buttons', limit: mostButtons });
  buttons.forEach((button, index) => faults.push(...findButtonFaults(button, `buttons.${index}`)));
  return faults.filter((fault, index) => faults.findIndex((other) => other.field === fault.field) === index);
}

/** What is wrong with the content of one kind of channel, by the content types that there are. */
export function findContentFault(
  components: readonly TemplateComponent[],
  contents: readonly ContentType[],
): TemplateFault | null {
  const component = findComponent(components, 'content');
  if (!component) return null;
  const type = findContentType(contents, component);
  if (!type?.inTemplates) return { problem: 'content_unsupported', field: 'content' };
  const read = type.read(component.value);
  const [content] = 'faults' in read ? read.faults : [];
  if (!content) return null;
  const { limit, path } = content;
  const field = path === '' ? 'content' : `content.${path}`;
  return { problem: 'content_invalid', field, content, ...(limit !== undefined && { limit }) };
}

/** A template of the account may have more buttons than the editor gives one, and keeps them. */
export function mostButtonsOf(stored: readonly TemplateComponent[]): number {
  return Math.max(templateLimits.buttons, findComponent(stored, 'button')?.buttons.length ?? 0);
}

/** Only web addresses: a button must never run a script in the page that shows it. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s/?#]+\.?[^\s]*$/i.test(text) && !/[\s<>"]/.test(text);
}

export function isDialable(text: string): boolean {
  return /^\+?[\d\s()-]+$/.test(text) && text.replace(/\D/g, '').length >= 5;
}

function findButtonFaults(button: TemplateButton, field: string): TemplateFault[] {
  const { buttonText, url, phoneNumber } = templateLimits;
  if (button.text.trim() === '') return [{ problem: 'button_text_missing', field: `${field}.text` }];
  if (lengthOf(button.text) > buttonText)
    return [{ problem: 'text_too_long', field: `${field}.text`, limit: buttonText }];
  if (button.type === 'url') {
    if (!isWebAddress(button.url)) return [{ problem: 'url_invalid', field: `${field}.url` }];
    if (button.url.length > url) return [{ problem: 'text_too_long', field: `${field}.url`, limit: url }];
  }
  if (button.type === 'phone_number') {
    if (!isDialable(button.phone_number) || button.phone_number.length > phoneNumber)
      return [{ problem: 'phone_number_invalid', field: `${field}.phone_number` }];
  }
  return [];
}

/** Neither a text nor a target: it is dropped, not complained about. */
export function isEmptyButton(button: TemplateButton): boolean {
  const target =
    button.type === 'url' ? button.url : button.type === 'phone_number' ? button.phone_number : '';
  return button.text.trim() === '' && target.trim() === '';
}

/** People count characters, not UTF-16 units. */
function lengthOf(text: string): number {
  return [...text].length;
}
