import { objectOf, objectsOf, textOf, type JsonObject } from '../../core/json.ts';
import type { Template } from '../store.ts';
import { refuseTemplate as refuse } from './template-rejection.ts';
import { buttonsOf, findComponent } from './template-variables.ts';

/** A shop's buttons stand alone; several products are for marketing and have no header but text. */
export function checkProductButtons(components: JsonObject[], category: Template['category']): void {
  const types = buttonsOf(components).map((button) => textOf(button['type']) ?? '');
  for (const type of ['MPM', 'CATALOG', 'SPM']) {
    if (types.includes(type) && types.length > 1)
      refuse('components', `A button of type ${type} stands alone.`);
  }
  if (!types.includes('MPM')) return;
  if (category !== 'MARKETING') refuse('components', 'A multi-product template is for marketing.');
  const header = findComponent(components, 'HEADER');
  if (header && header['format'] !== 'TEXT')
    refuse('components', 'The header of a multi-product template is text.', 2388047);
}

export function checkOffer(components: JsonObject[], category: Template['category']): void {
  const offer = findComponent(components, 'LIMITED_TIME_OFFER');
  if (!offer) return;
  if (category !== 'MARKETING') refuse('components', 'A limited-time offer is for marketing.');
  const values = objectOf(offer['limited_time_offer']);
  const text = textOf(values['text']) ?? '';
  if (text === '' || text.length > 16)
    refuse('components', 'The text of the offer has 1 to 16 characters.', 2388040);
  if (findComponent(components, 'FOOTER')) refuse('components', 'A limited-time offer has no footer.');
  const header = findComponent(components, 'HEADER');
  if (header && !['IMAGE', 'VIDEO'].includes(textOf(header['format']) ?? ''))
    refuse('components', 'The header of a limited-time offer is an image or a video.', 2388047);
  if ((textOf(findComponent(components, 'BODY')?.['text'])?.length ?? 0) > 600)
    refuse('components', 'The body of a limited-time offer is longer than 600 characters.', 2388040);
  const types = buttonsOf(components).map((button) => button['type']);
  if (types.includes('COPY_CODE') && types[0] !== 'COPY_CODE')
    refuse('components', 'The code button of a limited-time offer comes first.');
  if (values['has_expiration'] === true && !types.includes('COPY_CODE'))
    refuse('components', 'A limited-time offer with an end needs a code button.');
}

/** A body and 1 to 10 cards, each a picture with text and buttons, all of the same make. */
export function checkCarousel(components: JsonObject[], checkCard: (card: JsonObject[]) => void): void {
  const carousel = findComponent(components, 'CAROUSEL');
  if (!carousel) return;
  for (const type of ['HEADER', 'FOOTER', 'BUTTONS', 'LIMITED_TIME_OFFER']) {
    if (findComponent(components, type))
      refuse('components', `A carousel template has no ${type} outside its cards.`);
  }
  const cards = objectsOf(carousel['cards']).map((card) => objectsOf(card['components']));
  if (cards.length < 1 || cards.length > 10) refuse('components', 'A carousel has 1 to 10 cards.');
  for (const card of cards) {
    const format = textOf(findComponent(card, 'HEADER')?.['format']) ?? '';
    if (!['IMAGE', 'VIDEO', 'PRODUCT'].includes(format))
      refuse('components', 'A card has a header with an image, a video or a product.', 2388047);
    const buttons = buttonsOf(card);
    if (buttons.length < 1 || buttons.length > 2) refuse('components', 'A card has 1 or 2 buttons.');
    if ((textOf(findComponent(card, 'BODY')?.['text'])?.length ?? 0) > 160)
      refuse('components', 'The text of a card is longer than 160 characters.', 2388040);
    checkCard(card);
  }
  if (new Set(cards.map(makeOf)).size > 1)
    refuse('components', 'All cards of a carousel have the same parts.');
}

function makeOf(card: JsonObject[]): string {
  const parts = card.map((part) => [textOf(part['type']), textOf(part['format'])].join(' ')).sort();
  return `${parts.join()} ${buttonsOf(card)
    .map((button) => String(button['type']))
    .join()}`;
}
