import { orderTemplateButtons } from '../messaging/template-filling.ts';
import { findVariables, nameVariables, sortVariables } from '../messaging/template-variables.ts';
import { toChannelDraft } from '../templates/template-content.ts';
import { renderText } from '../templates/template-rendering.ts';
import type { TemplateComponent } from '../templates/template.ts';
import { readParts, readRecord, readText } from './read-content.ts';

/** A message with a head, a foot or something to tap: a template as it was sent, or buttons and lists. */
export type ShownCard = {
  /** The template's name, where it is one. */
  template: string | null;
  header: ShownHeader | null;
  body: string;
  footer: string;
  buttons: readonly ShownButton[];
  /** What stands in its list, by sections. */
  sections: readonly ShownSection[];
};

export type ShownHeader =
  | { kind: 'text'; text: string }
  | { kind: 'image' | 'video' | 'document' | 'location'; name: string };
/** `target` is an address or a number; what the phone does with it is not for us. */
export type ShownButton = {
  kind: 'reply' | 'link' | 'phone' | 'list' | 'copy' | 'location' | 'catalog' | 'form';
  text: string;
  target: string | null;
};
export type ShownSection = { title: string; rows: readonly { title: string; description: string }[] };

/** Buttons, lists and the like, as they were sent. */
export function shownCard(content: Record<string, unknown>): ShownCard {
  const action = readRecord(content['action']);
  return {
    template: null,
    header: shownHeader(readRecord(content['header'])),
    body: readText(content['body']),
    footer: readText(content['footer']),
    buttons: shownButtons(action),
    sections: readParts(action['sections']).map((section) => ({
      title: readText(section['title']),
      rows: Array.isArray(section['productIds'])
        ? section['productIds'].map((id) => ({ title: readText(id), description: '' }))
        : readParts(section['rows']).map((row) => ({
            title: readText(row['title']),
            description: readText(row['description']),
          })),
    })),
  };
}

/**
 * A template as it reached the person: its texts with the values of this message. Where the template is not known any more its name and
 * the line that was kept are all there is.
 */
export function shownTemplate(
  content: Record<string, unknown>,
  line: string,
  components: readonly TemplateComponent[] | null,
): ShownCard {
  const name = readText(content['name']);
  const parameter = readRecord(content['header']);
  const kept = { template: name, footer: '', buttons: [], sections: [] };
  if (components === null)
    return { ...kept, header: shownHeader(parameter), body: line === name ? '' : line };
  const draft = toChannelDraft({
    ...{ id: '', name, platformName: name, language: 'en', category: 'general', components },
  });
  const { header, body, footer = '' } = draft;
  const suffixes = new Map(
    readParts(content['buttons']).map((button) => [button['index'], readText(button['suffix'])]),
  );
  return {
    ...{ template: name, footer, sections: [] },
    header:
      header?.format === 'text'
        ? { kind: 'text', text: fillHeader(header.text, readText(parameter['text'])) }
        : (shownHeader(parameter) ?? (header ? { kind: header.format, name: '' } : null)),
    body: renderText(body, bodyValues(readRecord(content['body']), draft)),
    buttons: orderTemplateButtons(draft.buttons ?? []).map((button, index): ShownButton => {
      const { text } = button;
      if (button.type === 'quick_reply') return { kind: 'reply', text, target: null };
      if (button.type === 'phone_number') return { kind: 'phone', text, target: button.phoneNumber };
      const [variable] = findVariables(button.url);
      const suffix = suffixes.get(index);
      const values = variable === undefined || suffix === undefined ? {} : { [variable]: suffix };
      return { kind: 'link', text, target: renderText(button.url, values) };
    }),
  };
}

function fillHeader(text: string, value: string): string {
  const [variable] = findVariables(text);
  return variable === undefined ? text : renderText(text, { [variable]: value });
}

/** By our names of the variables; the message has the platform's. */
function bodyValues(
  parameters: Record<string, unknown>,
  draft: Parameters<typeof nameVariables>[0],
): Record<string, string> {
  const naming = nameVariables(draft);
  const variables = sortVariables(findVariables(draft.body), naming.format);
  const { values } = parameters;
  const valueOf = (variable: string, index: number) =>
    readText(
      Array.isArray(values) ? values[index] : readRecord(values)[naming.names.get(variable) ?? variable],
    );
  return Object.fromEntries(variables.map((variable, index) => [variable, valueOf(variable, index)]));
}

function shownHeader(header: Record<string, unknown>): ShownHeader | null {
  const type = readText(header['type']);
  if (type === 'text') return { kind: 'text', text: readText(header['text']) };
  if (type === 'location')
    return { kind: 'location', name: readText(readRecord(header['location'])['name']) };
  return type === 'image' || type === 'video' || type === 'document'
    ? { kind: type, name: readText(header['filename']) }
    : null;
}

function shownButtons(action: Record<string, unknown>): ShownButton[] {
  const one = (kind: ShownButton['kind'], text: unknown, target: unknown = null): ShownButton[] => [
    { kind, text: readText(text), target: readText(target) || null },
  ];
  switch (action['type']) {
    case 'reply_buttons':
      return readParts(action['buttons']).flatMap(({ title }) => one('reply', title));
    case 'list':
      return one('list', action['button']);
    case 'link_button':
      return one('link', action['label'], action['url']);
    case 'location_request':
      return one('location', '');
    case 'product':
    case 'product_list':
    case 'catalog':
      return one('catalog', action['productId'] ?? action['thumbnailProductId']);
    case 'flow':
      return one('form', action['label']);
    default:
      return [];
  }
}
