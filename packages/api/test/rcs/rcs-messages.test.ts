import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openApiFixture, type ApiCaller, type ApiFixture, type ApiResponse } from '../api-fixture.ts';

type RcsMessage = { id: string; name: string; version: number; status: string; content: object };

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
});
afterAll(() => api.close());
beforeEach(() => api.db.systemPool.query('DELETE FROM rcs_messages'));

const message = (of: object = {}) => ({
  ...{ name: 'Spring sale', type: 'text', content: { text: 'Hello {{name}}' }, status: 'active' },
  ...of,
});
const errorOf = async (response: ApiResponse) =>
  (await response.json<{ error: { code: string; details: { issues?: object[] } } }>()).error;
const add = async (of: object = {}) => {
  const response = await admin.post('/api/rcs/messages', message(of));
  expect(response.status).toBe(200);
  return response.json<RcsMessage>();
};
const list = async (search = '') => {
  const response = await admin.get(`/api/rcs/messages${search}`);
  return response.json<{ items: RcsMessage[]; total: number; nextCursor: string | null }>();
};

test('messages are listed newest first, and found by name, words and status', async () => {
  await add();
  await add({ name: 'Table booked', status: 'paused', content: { text: 'See you at {{time}}' } });
  const card = { title: 'Basic plan', suggestions: [{ type: 'reply', text: 'Take it' }] };
  await add({ name: 'Plans', status: 'draft', type: 'rich_card', content: { cards: [card] } });
  const names = async (search: string) => (await list(search)).items.map(({ name }) => name);
  expect(await names('')).toEqual(['Plans', 'Table booked', 'Spring sale']);
  expect(await names('?search=BASIC')).toEqual(['Plans']);
  expect(await names('?search=booked&status=paused')).toEqual(['Table booked']);
  expect(await names('?search=booked&status=active')).toEqual([]);
  expect(await names('?type=rich_card')).toEqual(['Plans']);
  const first = await list('?limit=2');
  expect([first.total, first.items.length]).toEqual([3, 2]);
  expect(await names(`?limit=2&cursor=${first.nextCursor}`)).toEqual(['Spring sale']);
});

test('a draft may be incomplete; what is active may not, and each wrong place is named', async () => {
  const content = { text: '', suggestions: [{ type: 'reply', text: 'x'.repeat(26) }] };
  const draft = await add({ status: 'draft', content });
  const refused = await admin.put(`/api/rcs/messages/${draft.id}`, message({ version: 1, content }));
  expect([refused.status, await errorOf(refused)]).toMatchObject([
    422,
    {
      code: 'rcs_message_invalid',
      details: {
        issues: [
          { field: 'text', message: 'missing' },
          { field: 'suggestions.0.text', message: 'too_long' },
        ],
      },
    },
  ]);
  expect((await admin.post('/api/rcs/messages', message({ name: 'Other', content }))).status).toBe(422);
  expect((await list()).items).toMatchObject([{ status: 'draft', version: 1 }]);
  // What no form has is left out.
  const saved = await admin.put(
    `/api/rcs/messages/${draft.id}`,
    message({ version: 1, content: { text: 'Hi', hidden: '<script>' } }),
  );
  expect(await saved.json()).toMatchObject({
    status: 'active',
    content: { text: 'Hi', suggestions: [] },
    version: 2,
  });
});

test('one name is one message, and nobody overwrites what somebody else changed', async () => {
  const { id } = await add();
  expect(
    await errorOf(await admin.post('/api/rcs/messages', message({ name: 'spring SALE' }))),
  ).toMatchObject({
    code: 'rcs_message_taken',
  });
  const change = (of: object) => admin.put(`/api/rcs/messages/${id}`, message(of));
  expect((await change({ version: 1, status: 'paused' })).status).toBe(200);
  expect(await errorOf(await change({ version: 1 }))).toMatchObject({ code: 'rcs_message_changed' });
  await add({ name: 'Another' });
  expect(await errorOf(await change({ version: 2, name: 'another' }))).toMatchObject({
    code: 'rcs_message_taken',
  });
  expect((await admin.delete(`/api/rcs/messages/${id}`)).status).toBe(200);
  expect((await admin.get(`/api/rcs/messages/${id}`)).status).toBe(404);
});

test('agents write messages and viewers read them', async () => {
  const { id } = await add();
  const [agent, viewer] = [await api.as('agent'), await api.as('viewer')];
  expect((await agent.post('/api/rcs/messages', message({ name: 'By an agent' }))).status).toBe(200);
  expect((await agent.delete(`/api/rcs/messages/${id}`)).status).toBe(403);
  expect((await viewer.get(`/api/rcs/messages/${id}`)).status).toBe(200);
  expect((await viewer.post('/api/rcs/messages', message({ name: 'By a viewer' }))).status).toBe(403);
});

test('a message in several languages is complete in each of them, and each wrong place names its language', async () => {
  const content = { text: 'Hello {{name}}' };
  const translations = { de: { text: 'Hallo {{name}}' }, fr: { text: '' } };
  const draft = await add({ status: 'draft', content, language: 'en', translations });
  expect(draft).toMatchObject({ language: 'en', translations: { de: { text: 'Hallo {{name}}' } } });
  const save = (of: object) =>
    admin.put(
      `/api/rcs/messages/${draft.id}`,
      message({ version: draft.version, content, translations, ...of }),
    );
  expect(await errorOf(await save({}))).toMatchObject({
    code: 'rcs_message_invalid',
    details: { issues: [{ field: 'translations.fr.text', message: 'missing' }] },
  });
  expect(await errorOf(await save({ translations: { de: content }, language: 'de' }))).toMatchObject({
    details: { issues: [{ field: 'translations.de', message: 'repeated' }] },
  });
  expect((await save({ translations: { xx: content } })).status).toBe(422);
  expect((await save({ translations: { de: content } })).status).toBe(200);
});

test('a file of the library stands in a message with its name and type, is kept for it, and a foreign one is refused', async () => {
  const bytes = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    'base64',
  );
  const begun = await admin.post('/api/uploads', { name: 'sale.png', size: bytes.length, purpose: 'card' });
  const { id } = await begun.json<{ id: string }>();
  const sent = await admin.request(`/api/uploads/${id}`, {
    ...{ method: 'PATCH', body: Uint8Array.from(bytes) },
    headers: { 'upload-offset': '0', 'content-type': 'application/octet-stream' },
  });
  expect(sent.status).toBe(200);
  const card = (fileId: string) => ({
    type: 'rich_card',
    content: { cards: [{ title: 'Sale', media: { file: { id: fileId, name: 'x' }, height: 'short' } }] },
  });
  const file = { id, name: 'sale.png', mimeType: 'image/png', size: bytes.length };
  expect(await add(card(id))).toMatchObject({ content: { cards: [{ media: { file } }] } });
  const foreign = await admin.post(
    '/api/rcs/messages',
    message({ name: 'Other', ...card(crypto.randomUUID()) }),
  );
  expect(await errorOf(foreign)).toMatchObject({
    details: { issues: [{ field: 'cards.0.media.file', message: 'not_known' }] },
  });
  expect((await errorOf(await admin.delete(`/api/media/${id}`))).code).toBe('media_in_use');
});

test.each([
  ['a carousel of one card', 'carousel', { cards: [{ title: 'One' }] }, 'cards'],
  [
    'postback data of twice the limit',
    'text',
    { text: 'Hi', suggestions: [{ type: 'reply', text: 'Yes', data: 'x'.repeat(4_096) }] },
    'suggestions.0.data',
  ],
])('%s cannot be active, and the place is named', async (name, type, content, field) => {
  const refused = await admin.post('/api/rcs/messages', message({ name, type, content }));
  expect([refused.status, await errorOf(refused)]).toMatchObject([
    422,
    { code: 'rcs_message_invalid', details: { issues: [{ field }] } },
  ]);
});
