import { expect, test } from 'vitest';
import { carouselOf, whatsAppCarousel } from './whatsapp-carousel.ts';

const card = {
  header: { type: 'image', link: 'https://cdn.example/1.png' },
  body: 'Deal',
  button: { label: 'Shop', url: 'https://shop.example/{{name}}' },
};
const carousel = { body: ' Offers ', cards: [card, card] };

test('a carousel is read in its clean form', () => {
  const read = whatsAppCarousel.read({ ...carousel, footer: 'left out' });
  expect(read).toEqual({ value: { body: 'Offers', cards: [card, card] } });
  expect(whatsAppCarousel.lineOf({ body: 'Offers', cards: [card, card] })).toBe('Offers');
  expect(carouselOf({ body: 'Offers', cards: [card] }).cards[0]).toEqual(card);
});

const withCard = (change: object) => ({ ...carousel, cards: [card, { ...card, ...change }] });

test.each([
  [null, '', 'missing', undefined],
  [{ ...carousel, body: '' }, 'body', 'missing', undefined],
  [{ ...carousel, body: 'x'.repeat(1_025) }, 'body', 'too_long', 1_024],
  [{ body: 'Offers' }, 'cards', 'missing', 2],
  [{ ...carousel, cards: [card] }, 'cards', 'too_few', 2],
  [{ ...carousel, cards: Array.from({ length: 11 }, () => card) }, 'cards', 'too_many', 10],
  [{ ...carousel, cards: [card, 'card'] }, 'cards.1', 'missing', undefined],
  [
    withCard({ header: { type: 'audio', link: 'https://a.example' } }),
    'cards.1.header.type',
    'not_known',
    undefined,
  ],
  [withCard({ header: { ...card.header, type: 'video' } }), 'cards.1.header.type', 'not_alike', undefined],
  [
    withCard({ header: { type: 'image', link: 'ftp://a' } }),
    'cards.1.header.link',
    'address_invalid',
    undefined,
  ],
  [withCard({ body: 'x'.repeat(161) }), 'cards.1.body', 'too_long', 160],
  [withCard({ body: 'a\nb\nc\nd' }), 'cards.1.body', 'too_many', 3],
  [
    withCard({ button: { label: 'x'.repeat(21), url: 'https://a.example' } }),
    'cards.1.button.label',
    'too_long',
    20,
  ],
  [
    withCard({ button: { label: 'Go', url: 'javascript:alert(1)' } }),
    'cards.1.button.url',
    'address_invalid',
    undefined,
  ],
])('%j is refused at %s', (value, path, problem, limit) => {
  const read = whatsAppCarousel.read(value);
  expect('faults' in read && read.faults).toContainEqual({
    path,
    problem,
    ...(limit !== undefined && { limit }),
  });
});
