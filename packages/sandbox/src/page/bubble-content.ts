import { listOf, objectOf, objectsOf, textOf, type JsonObject } from '../core/json.ts';
import type { ChatEntry } from '../whatsapp-cloud/messages/conversations.ts';
import { isMediaType } from '../whatsapp-cloud/media-content.ts';
import type { Platform } from '../whatsapp-cloud/platform.ts';
import {
  buttonsOfInteractive,
  listOfInteractive,
  type BubbleButton,
  type BubbleList,
} from './bubble-buttons.ts';
import {
  cardOf,
  mediaOf,
  placeOf,
  type BubbleCard,
  type BubbleMedia,
  type BubblePlace,
  type BubbleProduct,
} from './bubble-parts.ts';
import { templateContent } from './template-content.ts';

/** What stands in a bubble, whoever wrote it. */
export interface BubbleContent {
  type: string;
  header: string | null;
  media: BubbleMedia | null;
  body: string;
  footer: string | null;
  place: BubblePlace | null;
  cards: BubbleCard[];
  products: BubbleProduct[];
  /** The other cards of a carousel, side by side. */
  carousel: Pick<BubbleContent, 'media' | 'body' | 'buttons'>[];
  buttons: BubbleButton[];
  list: BubbleList | null;
}

const nothing: BubbleContent = {
  type: 'text',
  header: null,
  media: null,
  body: '',
  footer: null,
  place: null,
  cards: [],
  products: [],
  carousel: [],
  buttons: [],
  list: null,
};

/** The content of a message of the platform's shape; `message` is another than the entry's when it was edited. */
export function contentOf(platform: Platform, entry: ChatEntry, message = entry.message): BubbleContent {
  if (entry.direction === 'note') return { ...nothing, type: 'note', body: textOf(message['note']) ?? '' };
  const type = textOf(message['type']) ?? 'text';
  const part = objectOf(message[type]);
  return { ...nothing, type, ...partOf(platform, entry, message, type, part) };
}

function partOf(
  platform: Platform,
  entry: ChatEntry,
  message: JsonObject,
  type: string,
  part: JsonObject,
): Partial<BubbleContent> {
  if (isMediaType(type)) return { media: mediaOf(platform, type, part), body: textOf(part['caption']) ?? '' };
  switch (type) {
    case 'text':
      return { body: textOf(part['body']) ?? '' };
    case 'template':
      return templateContent(platform, entry, part);
    case 'interactive':
      return interactiveContent(platform, part);
    case 'button':
      return { body: textOf(part['text']) ?? '' };
    case 'location':
      return { place: placeOf(part) };
    case 'contacts':
      return { cards: objectsOf(message['contacts']).map(cardOf) };
    case 'order':
      return {
        body: textOf(part['text']) || 'Order',
        products: objectsOf(part['product_items']).map((item) => ({
          id: textOf(item['product_retailer_id']) ?? '',
          detail: [
            `${textOf(item['quantity']) ?? '?'} ×`,
            textOf(item['item_price']),
            textOf(item['currency']),
          ]
            .filter(Boolean)
            .join(' '),
        })),
      };
    case 'system':
      return { type: 'note', body: textOf(part['body']) ?? '' };
    default:
      return { type: 'unsupported', body: `(${textOf(part['type']) ?? type})` };
  }
}

function interactiveContent(platform: Platform, content: JsonObject): Partial<BubbleContent> {
  const type = textOf(content['type']) ?? '';
  const reply = objectOf(content[type]);
  if (type === 'button_reply' || type === 'list_reply')
    return { body: [textOf(reply['title']), textOf(reply['description'])].filter(Boolean).join('\n') };
  if (type === 'nfm_reply')
    return { header: textOf(reply['body']) ?? 'Form', body: textOf(reply['response_json']) ?? '' };
  if (type === 'call_permission_reply')
    return { body: reply['response'] === 'accept' ? 'Calls are allowed' : 'Calls are not allowed' };
  const header = objectOf(content['header']);
  const headerType = textOf(header['type']) ?? '';
  const action = objectOf(content['action']);
  return {
    header: headerType === 'text' ? (textOf(header['text']) ?? null) : null,
    media: isMediaType(headerType) ? mediaOf(platform, headerType, objectOf(header[headerType])) : null,
    body: textOf(objectOf(content['body'])['text']) ?? '',
    footer: textOf(objectOf(content['footer'])['text']) ?? null,
    products: productsOf(action),
    carousel: objectsOf(action['cards']).map((card) => {
      const cardHeader = objectOf(card['header']);
      const kind = textOf(cardHeader['type']) ?? '';
      return {
        media: isMediaType(kind) ? mediaOf(platform, kind, objectOf(cardHeader[kind])) : null,
        body: textOf(objectOf(card['body'])['text']) ?? '',
        buttons: buttonsOfInteractive('', objectOf(card['action'])),
      };
    }),
    buttons: buttonsOfInteractive(type, action),
    list: listOfInteractive(action),
  };
}

function productsOf(action: JsonObject): BubbleProduct[] {
  const single = textOf(action['product_retailer_id']);
  if (single !== undefined) return [{ id: single, detail: null }];
  return objectsOf(action['sections']).flatMap((section) =>
    listOf(section['product_items']).map((item) => ({
      id: textOf(objectOf(item)['product_retailer_id']) ?? '',
      detail: textOf(section['title']) ?? null,
    })),
  );
}
