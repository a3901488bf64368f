import { isObject, objectOf, objectsOf, textOf, type JsonObject } from '../../core/json.ts';
import { distinct, invalid, missing, need } from './content-checks.ts';
import { checkMediaContent } from '../media-content.ts';

/** `interactive.type` carousel: 2 to 10 cards that all look alike. */
export function checkCarousel(action: JsonObject, interactive: JsonObject): void {
  for (const part of ['header', 'footer'])
    if (interactive[part] !== undefined) invalid(`a carousel has no ${part} outside its cards`);
  const cards = objectsOf(action['cards']);
  if (cards.length < 2 || cards.length > 10) invalid('a carousel has 2 to 10 cards');
  for (const card of cards) {
    const index = card['card_index'];
    if (index === undefined) missing('card_index');
    if (!Number.isInteger(index) || Number(index) < 0 || Number(index) >= cards.length)
      invalid(`card_index must lie between 0 and ${cards.length - 1}`);
  }
  distinct(
    cards.map((card) => String(card['card_index'])),
    'card_index',
  );
  const shapes = new Set(cards.map(checkCard));
  if (shapes.size > 1) invalid('all cards have the same kind of header and of buttons');
}

/** What the card looks like; cards of different looks cannot stand together. */
function checkCard(card: JsonObject): string {
  const type = textOf(card['type']) ?? 'cta_url';
  const action = objectOf(card['action']);
  if (type === 'product') {
    need(action['catalog_id'], 'catalog_id', 512);
    need(action['product_retailer_id'], 'product_retailer_id', 512);
    return type;
  }
  if (type !== 'cta_url' && type !== 'button')
    invalid(`card type ${JSON.stringify(card['type'])} is not known`);
  const header = objectOf(card['header']);
  const kind = textOf(header['type']);
  if (!isObject(card['header']) || kind === undefined) missing('card header');
  if (kind !== 'image' && kind !== 'video') invalid('the header of a card is an image or a video');
  checkMediaContent(kind, objectOf(header[kind]), false);
  checkCardText(card['body']);
  if (!isObject(card['action'])) missing('card action');
  const buttons = objectsOf(action['buttons']);
  return buttons.length > 0 ? `${kind} ${checkReplies(buttons)}` : `${kind} ${checkLink(action)}`;
}

function checkCardText(body: unknown): void {
  if (body === undefined) return;
  const text = textOf(objectOf(body)['text']);
  need(text, 'card body', 160);
  if ((text?.split('\n').length ?? 0) > 3) invalid('card body has more than 2 line breaks');
}

function checkLink(action: JsonObject): string {
  if (action['name'] !== 'cta_url') invalid('action.name of a card must be cta_url');
  const parameters = objectOf(action['parameters']);
  need(parameters['display_text'], 'display_text', 20);
  if (!/^https?:\/\//.test(textOf(parameters['url']) ?? '')) invalid('url must be an http address');
  return 'cta_url';
}

function checkReplies(buttons: JsonObject[]): string {
  if (buttons.length > 3) invalid('a card has at most 3 buttons');
  for (const button of buttons) {
    const reply = objectOf(button['quick_reply'] ?? button['reply']);
    need(reply['title'], 'button title', 20);
    need(reply['id'], 'button id', 256);
  }
  return `${buttons.length} replies`;
}
