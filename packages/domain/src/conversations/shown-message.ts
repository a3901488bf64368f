import type { ContentValue } from '../channel-kinds/content-type.ts';
import type { MediaKind } from '../messaging/message-content.ts';
import type { TemplateComponent } from '../templates/template.ts';
import { cleanName } from '../contacts/contact.ts';
import { plainText } from '../text/marked-text.ts';
import { readNumber, readParts, readRecord, readText } from './read-content.ts';
import { shownCard, shownTemplate, type ShownCard } from './shown-card.ts';

/** What a message shows, whichever side wrote it. Everything in it is as the other side sent it: text, and nothing more. */
export type ShownMessage =
  | { kind: 'text'; body: string }
  | {
      kind: 'media';
      media: MediaKind;
      caption: string;
      /** Of a document. */
      name: string;
      isVoice: boolean;
      isAnimated: boolean;
      /** One file for all, which the message only refers to: of the library, or at an address. */
      shared?: { libraryId: string } | { link: string };
    }
  | { kind: 'location'; latitude: number; longitude: number; name: string; address: string }
  | { kind: 'contacts'; cards: readonly ShownContact[] }
  /** A button or an entry of a list that was tapped. */
  | { kind: 'choice'; title: string; detail: string }
  /** Null where the answers cannot be told apart: then `text` has them as they came. */
  | { kind: 'form'; name: string; text: string; answers: readonly ShownAnswer[] | null }
  | { kind: 'call_permission'; isAccepted: boolean; expiresAt: number | null }
  /** `seconds` is null where nobody answered. */
  | { kind: 'call'; isMissed: boolean; seconds: number | null }
  | { kind: 'order'; note: string; items: readonly ShownItem[]; totals: readonly ShownTotal[] }
  | { kind: 'reaction'; emoji: string }
  | ({ kind: 'card' } & ShownCard)
  /** A form of message of one kind of channel; `text` says it where it cannot be shown. */
  | { kind: 'kind_content'; channelKind: string; contentType: string; value: ContentValue; text: string }
  | { kind: 'unsupported'; vendorType: string };

export type ShownContact = {
  name: string;
  phones: readonly string[];
  emails: readonly string[];
  urls: readonly string[];
  company: string;
  addresses: readonly string[];
  birthday: string;
};
export type ShownAnswer = { name: string; value: string };
export type ShownItem = {
  product: string;
  quantity: number | null;
  price: number | null;
  currency: string | null;
};
export type ShownTotal = { currency: string; amount: number };

/** A message as it is kept. */
export type KeptMessage = {
  type: string;
  /** One line; that of a text is the text. */
  text: string | null;
  /** In the product's terms (`InboundContent` or `MessageContent`); null where type and text say all. */
  content: unknown;
  /** Of the template that it was made of, where that is still known. */
  components?: readonly TemplateComponent[] | null | undefined;
};

const mediaKinds: readonly string[] = [
  'image',
  'video',
  'audio',
  'document',
  'sticker',
] satisfies MediaKind[];

/** One reading of every kind of content, of people and of ours. What is missing or of another form is shown as far as it goes. */
export function shownMessage({ type, text, content: kept, components }: KeptMessage): ShownMessage {
  const content = readRecord(kept);
  switch (type) {
    case 'text':
      return { kind: 'text', body: text ?? readText(content['body']) };
    case 'media':
      return shownMedia(content, text);
    case 'location':
      return shownLocation(content, text);
    case 'contacts':
      return { kind: 'contacts', cards: readParts(content['contacts']).map(shownContact) };
    case 'button_reply':
    case 'list_reply':
      return {
        kind: 'choice',
        title: readText(content['title']) || (text ?? ''),
        detail: readText(content['description']),
      };
    case 'flow_reply':
      return shownForm(content);
    case 'call_permission_reply':
      return {
        kind: 'call_permission',
        isAccepted: content['accepted'] === true,
        expiresAt: readNumber(content['expiresAt']),
      };
    case 'call':
      return {
        kind: 'call',
        isMissed: content['outcome'] !== 'answered',
        seconds: readNumber(content['seconds']),
      };
    case 'order':
      return shownOrder(content);
    case 'reaction':
      return { kind: 'reaction', emoji: readText(content['emoji']) || (text ?? '') };
    case 'interactive':
      return { kind: 'card', ...shownCard(content) };
    case 'kind_content':
      return {
        ...{ kind: 'kind_content', channelKind: readText(content['kind']) },
        ...{ contentType: readText(content['contentType']), value: readRecord(content['value']) },
        text: text ?? '',
      };
    case 'template':
      return { kind: 'card', ...shownTemplate(content, text ?? '', components ?? null) };
    default:
      return { kind: 'unsupported', vendorType: readText(content['vendorType']) || type };
  }
}

/** What one line says of a message: its words, and where it has none of its own the kind, which the reader's language has a word for. */
export type ShownLine = { kind: LineKind; text: string };
export const lineKinds = [
  ...(['text', 'image', 'video', 'animation', 'audio', 'voice', 'document', 'sticker'] as const),
  ...([
    'location',
    'contacts',
    'form',
    'call_permission',
    'call',
    'missed_call',
    'order',
    'reaction',
    'template',
    'unsupported',
    'deleted',
  ] as const),
] as const;
export type LineKind = (typeof lineKinds)[number];

/** The one line that lists, search and quotes show of a message. */
export function shownLine(shown: ShownMessage): ShownLine {
  switch (shown.kind) {
    case 'text':
      return { kind: 'text', text: plainLine(shown.body) };
    case 'media':
      return { kind: lineKindOf(shown), text: plainLine(shown.caption) || oneLine(shown.name) };
    case 'location':
      return { kind: 'location', text: oneLine(shown.name || shown.address) };
    case 'contacts':
      return { kind: 'contacts', text: oneLine(shown.cards.map(callCard).join(', ')) };
    case 'choice':
      return { kind: 'text', text: oneLine(shown.title) };
    case 'form':
      return { kind: 'form', text: oneLine(shown.name) };
    case 'order':
      return { kind: 'order', text: oneLine(shown.note) };
    case 'reaction':
      return { kind: 'reaction', text: shown.emoji };
    case 'card':
      return shown.body === '' && shown.template !== null
        ? { kind: 'template', text: oneLine(shown.template) }
        : { kind: 'text', text: plainLine(shown.body) };
    case 'kind_content':
      return { kind: 'text', text: plainLine(shown.text) };
    case 'call':
      return { kind: shown.isMissed ? 'missed_call' : 'call', text: '' };
    case 'call_permission':
    case 'unsupported':
      return { kind: shown.kind, text: '' };
  }
}

function lineKindOf({ media, isVoice, isAnimated }: Extract<ShownMessage, { kind: 'media' }>): LineKind {
  if (media === 'audio') return isVoice ? 'voice' : 'audio';
  return media === 'video' && isAnimated ? 'animation' : media;
}

const LONGEST_LINE = 300;

function plainLine(text: string): string {
  return oneLine(plainText(text.slice(0, LONGEST_LINE * 2)));
}

function oneLine(text: string): string {
  const line = text
    .slice(0, LONGEST_LINE * 2)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= LONGEST_LINE
    ? line
    : `${line
        .slice(0, LONGEST_LINE)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`;
}

function shownMedia(content: Record<string, unknown>, text: string | null): ShownMessage {
  const kind = readText(content['kind']);
  const caption = readText(content['caption']);
  const name = readText(content['filename']);
  const { libraryId, link } = readRecord(content['media']);
  return {
    kind: 'media',
    ...(typeof libraryId === 'string'
      ? { shared: { libraryId } }
      : typeof link === 'string' && { shared: { link } }),
    media: mediaKinds.includes(kind) ? (kind as MediaKind) : 'document', // one of the list
    // Of old messages the line is all there is; its stand-ins in brackets say nothing that the kind does not.
    caption: caption || (name === '' && text !== null && !/^\[\w+\]$/.test(text) ? text : ''),
    name,
    isVoice: content['voice'] === true,
    isAnimated: content['animated'] === true,
  };
}

function shownLocation(content: Record<string, unknown>, text: string | null): ShownMessage {
  const place = 'location' in content ? readRecord(content['location']) : content;
  const latitude = readNumber(place['latitude']);
  const longitude = readNumber(place['longitude']);
  if (latitude === null || longitude === null || Math.abs(latitude) > 90 || Math.abs(longitude) > 180)
    return { kind: 'text', body: text ?? '' };
  return {
    kind: 'location',
    ...{ latitude, longitude, name: readText(place['name']), address: readText(place['address']) },
  };
}

/** What a card is called in a line; without a name by what it has. */
export function callCard({ name, phones, emails, company }: ShownContact): string {
  return name || company || phones[0] || emails[0] || '';
}

function shownContact(card: Record<string, unknown>): ShownContact {
  const textsOf = (list: unknown, field: string) =>
    (Array.isArray(list) ? list : []).flatMap((one) => {
      const found = readText(typeof one === 'string' ? one : readRecord(one)[field]);
      return found === '' ? [] : [found];
    });
  return {
    name: cleanName(readText(card['name']) || readText(card['formattedName'])),
    phones: textsOf(card['phones'], 'phone'),
    emails: textsOf(card['emails'], 'email'),
    urls: textsOf(card['urls'], 'url'),
    company: readText(card['company']),
    addresses: textsOf(card['addresses'], 'address'),
    birthday: readText(card['birthday']),
  };
}

function shownForm(content: Record<string, unknown>): ShownMessage {
  const answers = content['answers'];
  const named = typeof answers === 'object' && answers !== null && !Array.isArray(answers);
  return {
    kind: 'form',
    // The platform calls every form so.
    name: readText(content['name']).replace(/^flow$/, ''),
    text: named ? readText(content['text']) : readText(content['text']) || readText(content['answersText']),
    answers: named
      ? Object.entries(answers)
          .filter(([name]) => name !== 'flow_token')
          .map(([name, value]) => ({ name, value: sayAnswer(value) }))
      : null,
  };
}

function sayAnswer(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(sayAnswer).join(', ');
  return value === null || value === undefined ? '' : JSON.stringify(value);
}

function shownOrder(content: Record<string, unknown>): ShownMessage {
  const items = readParts(content['items']).map((item) => ({
    product: readText(item['productId']),
    quantity: readNumber(item['quantity']),
    price: readNumber(item['price']),
    currency: readText(item['currency']) || null,
  }));
  const sums = new Map<string, number>();
  for (const { price, quantity, currency } of items)
    if (price !== null && currency !== null)
      sums.set(currency, (sums.get(currency) ?? 0) + price * (quantity ?? 1));
  // A sum that leaves something out would be a wrong one.
  const isWhole = items.every(({ price, currency }) => price !== null && currency !== null);
  const totals = [...sums].map(([currency, amount]) => ({ currency, amount }));
  return { kind: 'order', note: readText(content['text']), items, totals: isWhole ? totals : [] };
}
