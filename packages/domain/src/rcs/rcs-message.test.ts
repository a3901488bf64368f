import { describe, expect, test } from 'vitest';
import { rcsCarousel, rcsCard, rcsText } from '../channel-kinds/rcs/rcs-contents.ts';
import {
  lineOfRcsMessage,
  rcsContentOf,
  rcsRates,
  readRcsMessage,
  type RcsMessageType,
} from './rcs-message.ts';

const reply = { type: 'reply', text: 'Yes' };
const image = { link: 'https://cdn.example/a.jpg', height: 'medium' };
const card = { title: 'Basic', description: '9 EUR', media: image, suggestions: [reply] };
const other = { ...card, title: 'Pro', suggestions: [{ ...reply, data: 'pro' }] };
const row = { title: 'Small', description: 'For one' };

const whole: [RcsMessageType, object][] = [
  ['text', { text: 'Hello {{name}}', suggestions: [reply] }],
  ['rich_card', { cards: [card] }],
  ['rich_card', { cards: [card, other] }],
  ['carousel', { width: 'small', cards: [card, other], suggestions: [{ type: 'reply', text: 'No' }] }],
  ['list', { text: 'Which one?', rows: [row, { title: 'Large' }] }],
  ['standalone_card', { orientation: 'horizontal', imageSide: 'right', card }],
];

test.each(whole)('a %s that is complete leaves as what the platform knows: %j', (type, given) => {
  const { content, faults } = readRcsMessage(type, given);
  expect(faults).toEqual([]);
  const { contentType, value } = rcsContentOf(content);
  const read = [rcsText, rcsCard, rcsCarousel].find(({ name }) => name === contentType)!.read(value);
  expect(read).toEqual({ value });
  expect(lineOfRcsMessage(content)).not.toBe('');
});

const text = (length: number) => 'x'.repeat(length);
const many = (count: number, one: object) => Array.from({ length: count }, () => one);
const heavy = {
  description: '語'.repeat(2_000),
  suggestions: many(4, { type: 'url', text: 'Go', url: 'https://shop.example', data: '語'.repeat(2_048) }),
};
const action = (one: object) => ({ text: 'Hello', suggestions: [{ text: 'Go', ...one }] });

test.each<[RcsMessageType, object, string, string]>([
  ['text', {}, 'text', 'missing'],
  ['text', { text: text(3_073) }, 'text', 'too_long'],
  ['text', { text: 'Hi', suggestions: many(12, reply) }, 'suggestions', 'too_many'],
  [
    'text',
    { text: 'Hi', suggestions: [{ type: 'reply', text: text(26) }] },
    'suggestions.0.text',
    'too_long',
  ],
  ['text', action({ type: 'reply', data: text(4_096) }), 'suggestions.0.data', 'too_long'],
  ['text', action({ type: 'url', url: 'javascript:alert(1)' }), 'suggestions.0.url', 'address_invalid'],
  ['text', action({ type: 'dial', phone: 'none' }), 'suggestions.0.phone', 'not_known'],
  ['text', action({ type: 'location', latitude: 91, longitude: 0 }), 'suggestions.0.latitude', 'not_known'],
  ['text', action({ type: 'compose' }), 'suggestions.0.type', 'not_known'],
  [
    'standalone_card',
    { card: { ...card, media: { ...image, link: 'https://cdn.example/jingle.mp3' } } },
    'card.media.link',
    'not_known',
  ],
  ['text', { text: 'Hi', suggestions: [reply, reply] }, 'suggestions.1.data', 'repeated'],
  ['carousel', { cards: [card, card] }, 'cards.1.suggestions.0.data', 'repeated'],
  ['standalone_card', { card, suggestions: [reply] }, 'suggestions.0.data', 'repeated'],
  ['carousel', { cards: many(10, heavy) }, 'cards', 'too_long'],
  ['carousel', { cards: [card] }, 'cards', 'too_few'],
  ['carousel', { cards: many(11, card) }, 'cards', 'too_many'],
  [
    'carousel',
    { width: 'small', cards: many(2, { ...card, media: { ...image, height: 'tall' } }) },
    'cards.0.media.height',
    'not_known',
  ],
  ['carousel', { cards: [card, { title: 'No picture' }] }, 'cards.1.media.height', 'not_alike'],
  ['rich_card', { cards: [] }, 'cards', 'missing'],
  ['rich_card', { cards: [{ ...card, suggestions: many(5, reply) }] }, 'cards.0.suggestions', 'too_many'],
  ['standalone_card', { card: {} }, 'card.title', 'missing'],
  ['standalone_card', { card: { title: text(201) } }, 'card.title', 'too_long'],
  ['standalone_card', { orientation: 'round', card }, 'orientation', 'not_known'],
  ['list', { text: 'Which?', rows: [] }, 'rows', 'missing'],
  ['list', { text: 'Which?', rows: [row, row] }, 'rows.1.title', 'repeated'],
  ['list', { text: 'Which?', rows: many(12, row) }, 'rows', 'too_many'],
  ['list', { text: 'Which?', rows: [{ title: text(26) }] }, 'rows.0.title', 'too_long'],
])('of a %s %j the place %s is %s', (type, given, path, problem) => {
  expect(readRcsMessage(type, given).faults).toContainEqual(expect.objectContaining({ path, problem }));
});

describe('a draft', () => {
  test.each<[RcsMessageType, unknown]>([
    ['text', null],
    ['carousel', { cards: 'none' }],
    ['list', { rows: [null, { title: 5 }] }],
    ['standalone_card', { card: { media: [], suggestions: [[]] } }],
    ['rich_card', { cards: [{ suggestions: [{ type: 'location' }] }] }],
  ])('of a %s %j is kept in a form that can be shown', (type, given) => {
    const { content, faults } = readRcsMessage(type, given);
    expect(faults).not.toEqual([]);
    expect(readRcsMessage(type, JSON.parse(JSON.stringify(content.value))).content.type).toBe(type);
    expect(lineOfRcsMessage(content)).toEqual(expect.any(String));
  });
});

test.each([
  [
    { sent: 0, clicked: 0, conversions: 0 },
    { click: null, conversion: null },
  ],
  [
    { sent: 200, clicked: 0, conversions: 0 },
    { click: 0, conversion: null },
  ],
  [
    { sent: 200, clicked: 31, conversions: 10 },
    { click: 16, conversion: 32 },
  ],
])('the rates of %j are %j', (metrics, rates) => expect(rcsRates(metrics)).toEqual(rates));
