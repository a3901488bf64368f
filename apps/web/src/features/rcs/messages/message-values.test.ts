import { describe, expect, test } from 'vitest';
import { contentOf, readValues, suggestionKinds, valuesOf, type MessageValues } from './message-values.ts';
import type { RcsMessage } from './rcs-messages-queries.ts';

const card = {
  ...{ title: 'Basic', description: 'For one' },
  media: { link: 'https://cdn.example/a.jpg', height: 'tall' },
  suggestions: [{ type: 'reply', text: 'Take it', data: 'plan:basic' }],
};
const file = { id: '01890a5d-ac96-774b-bcce-b302099a8057', name: 'a.png', mimeType: 'image/png', size: 7 };
const proCard = { ...card, suggestions: [{ type: 'reply', text: 'Take it', data: 'plan:pro' }] };
const cardOfLibrary = { ...proCard, media: { file, height: 'tall' } };
const suggestions = [
  { type: 'reply', text: 'Yes', data: 'Yes' },
  { type: 'url', text: 'Shop', data: 'shop', url: 'https://shop.example' },
  { type: 'dial', text: 'Call', data: 'Call', phone: '+15550001111' },
  { type: 'location', text: 'Map', data: 'Map', latitude: 52.5, longitude: 0, label: 'Shop' },
  {
    ...{ type: 'calendar', text: 'Add', data: 'Add', title: 'Fitting' },
    ...{ startsAt: '2026-06-01T10:00:00.000Z', endsAt: '2026-06-01T11:00:00.000Z' },
  },
  { type: 'share_location', text: 'Here', data: 'Here' },
];
const stored: Pick<RcsMessage, 'type' | 'content'>[] = [
  { type: 'text', content: { text: 'Hello {{name}}', suggestions } },
  { type: 'rich_card', content: { cards: [card, cardOfLibrary], suggestions } },
  { type: 'carousel', content: { width: 'medium', cards: [card, proCard], suggestions } },
  { type: 'list', content: { text: 'Which?', rows: [{ title: 'Small', data: 'Small' }] } },
  {
    type: 'standalone_card',
    content: { orientation: 'horizontal', imageSide: 'right', card, suggestions },
  },
];
const messageOf = (of: Pick<RcsMessage, 'type' | 'content'>): RcsMessage => ({
  ...{
    id: 'm',
    name: 'Plans',
    language: 'en',
    translations: {},
    status: 'active',
    category: 'marketing',
    version: 1,
    metrics: { sent: 0, delivered: 0, read: 0, clicked: 0, conversions: 0 },
  },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' },
  ...of,
});

describe('the form of an RCS message', () => {
  test('each kind of suggestion is one of these', () => {
    expect(suggestions.map(({ type }) => type).toSorted()).toEqual([...suggestionKinds].toSorted());
  });

  test.each(stored)('a $type that is saved as it was opened keeps all its parts', (of) => {
    const translations = { de: of.content };
    const { content, others, faults } = readValues(valuesOf({ ...messageOf(of), translations }));
    expect(faults).toEqual([]);
    expect(content).toEqual({ type: of.type, value: of.content });
    expect(others).toEqual({ de: content });
  });

  test('another type keeps what both have', () => {
    const values: MessageValues = { ...valuesOf(messageOf(stored[2]!)), type: 'rich_card' };
    expect(contentOf(values)['cards']).toHaveLength(2);
    expect(contentOf({ ...values, type: 'standalone_card' })).toMatchObject({ card: { title: 'Basic' } });
  });

  test.each([undefined, messageOf({ type: 'carousel', content: { cards: [null, 5], suggestions: 'x' } })])(
    'what is not complete opens all the same: %j',
    (message) => {
      const values = valuesOf(message);
      expect(values.cards).toHaveLength(1);
      expect(readValues(values).faults).not.toEqual([]);
    },
  );
});
