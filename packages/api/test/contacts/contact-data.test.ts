import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '@app/database/new-id';
import { createTestSecretBox, openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { arriveWith, chose, said } from '../arriving-events.ts';

type Contact = { id: string; version: number };
type Data = Record<string, Record<string, unknown>[]>;

const PHONE = '+14155552671';

let api: ApiFixture;
let admin: ApiCaller;
let channelId: string;
const secrets = await createTestSecretBox();
beforeAll(async () => {
  api = await openApiFixture({ secrets });
  admin = await api.as('admin');
  channelId = await api.addChannel();
  await admin.post('/api/custom-fields', { label: 'Diet', type: 'text' });
});
afterAll(() => api.close());
beforeEach(async () => {
  for (const table of [
    'contacts',
    'deleted_contacts',
    'contact_merges',
    'merged_contacts',
    'contact_aliases',
  ])
    await query(`DELETE FROM ${table}`);
});

const query = (text: string, values: unknown[] = []) => api.db.systemPool.query(text, values);
const arrive = (...events: Parameters<ReturnType<typeof arriveWith>>) =>
  arriveWith(api, { secrets, channelId })(...events);
const add = async (name: string, phone: string, more: object = {}): Promise<Contact> =>
  (await admin.post('/api/contacts', { name, phone, ...more })).json<Contact>();
const ask = (id: string, caller = admin) => caller.get(`/api/contacts/${id}/data`);
async function read(id: string): Promise<Data> {
  const answer = await ask(id);
  expect(answer.status).toBe(200);
  return JSON.parse(await answer.text());
}

test('the file has everything that is held about somebody, in words, and nothing of others', async () => {
  const zeb = await add('Zeb', PHONE, { email: 'zeb@example.com', customFields: { diet: 'no peanuts' } });
  await add('Mabel', '+14155552672');
  await admin.request('/api/contacts/imports?duplicates=update', {
    method: 'POST',
    headers: { prefer: 'wait=50' },
    body: `name,phone,email\nZebedee,${PHONE},zeb@example.com\nZeb,${PHONE},not an address\n`,
  });
  await admin.post(`/api/contacts/${zeb.id}/consents`, { kind: 'opt_in', text: 'signed at the desk' });
  await arrive(said({ phone: PHONE }, 'Hello'), said({ phone: '+14155552672' }, 'I am Mabel'));
  await arrive(chose({ phone: PHONE }, 'stop', Date.now()));

  const answer = await ask(zeb.id);
  expect(answer.headers.get('content-disposition')).toMatch(
    /^attachment; filename="contact-data-\d{4}-\d\d-\d\d\.json"$/,
  );
  const text = await answer.text();
  expect(text).not.toMatch(/Mabel|4155552672/);
  const data: Data = JSON.parse(text);
  expect(Object.keys(data)).toEqual([
    'version',
    'exportDate',
    ...api.parts.people.sections.map((one) => one.section),
  ]);
  expect(data).toMatchObject({
    contact: [{ id: zeb.id, phone: PHONE, email: 'zeb@example.com', customFields: { diet: 'no peanuts' } }],
    messages: [{ direction: 'in', type: 'text', text: 'Hello' }],
    consents: [
      { kind: 'opt_in', source: 'staff', text: 'signed at the desk' },
      { kind: 'opt_out', source: 'person' },
    ],
    valuesBeforeImports: [{ name: 'Zeb', email: 'zeb@example.com' }],
    rowsThatWereNotImported: [{ phone: PHONE, asInTheFile: expect.stringContaining('not an address') }],
    merges: [],
    campaignMessages: [],
  });
  expect(data.activityLog!.map(({ whatHappened }) => whatHappened)).toEqual([
    'contact.created',
    'contact.consent_recorded',
    'contact.data_exported',
  ]);
});

test('a conversation of any length is told once, in its order', async () => {
  const zeb = await add('Zeb', PHONE);
  await query(
    `INSERT INTO messages (id, workspace_id, channel_id, contact_id, direction, provider_message_id, type, text, payload, occurred_at)
     SELECT gen_random_uuid(), $1, $2, $3, 'in', 'wamid.long.' || n, 'text', n::text, '{}', now() - n / 3 * interval '1 second'
       FROM generate_series(1, 2500) AS n`,
    [api.workspaceId, channelId, zeb.id],
  );
  const { messages = [] } = await read(zeb.id);
  expect(new Set(messages.map(({ text }) => text)).size).toBe(2500);
  expect(messages).toHaveLength(2500);
  const times = messages.map(({ occurredAt }) => Date.parse(String(occurredAt)));
  expect(times).toEqual(times.toSorted((one, other) => one - other));
});

test('also of a contact that was merged or deleted, as long as it is kept, and of nobody who was erased', async () => {
  const [zeb, again] = [await add('Zeb', PHONE), await add('Zebedee', '+14155552673')];
  const contacts = [zeb, again].map(({ id, version }) => ({ contactId: id, version }));
  await admin.post('/api/contacts/merges', { mergeId: newId(), survivorId: zeb.id, contacts });
  const merged = await read(again.id);
  expect(merged).toMatchObject({
    contact: [{ id: zeb.id }],
    mergedContacts: [{ contact: { name: 'Zebedee' } }],
    otherNumbers: [{ numberOrPlatformId: '+14155552673' }],
  });
  await arrive(said({ phone: PHONE }, 'Hello'));
  await admin.delete(`/api/contacts/${zeb.id}`);
  expect(await read(zeb.id)).toMatchObject({
    contact: [],
    deletedContacts: [{ contact: { name: 'Zeb' }, messages: [{ text: 'Hello' }] }],
  });
  await admin.post(`/api/contacts/${zeb.id}/restore`);
  await admin.post(`/api/contacts/${zeb.id}/erase`);
  for (const id of [zeb.id, again.id, newId(), 'no-id'])
    expect(await (await ask(id)).json()).toMatchObject({ error: { code: 'contact_not_found' } });
});

test('whoever may not read messages or campaigns gets no file of them, and no other workspace gets one', async () => {
  const { id } = await add('Ann', '+14155552674');
  expect((await ask(id, await api.as('manager'))).status).toBe(200);
  expect((await ask(id, await api.as('viewer'))).status).toBe(403);
  await query(`UPDATE workspaces SET role_permissions = $2 WHERE id = $1`, [
    api.workspaceId,
    JSON.stringify({ agent: ['contacts:manage', 'contacts:export', 'campaigns:read'] }),
  ]);
  expect((await ask(id, await api.as('agent'))).status).toBe(403);
  expect((await ask(id, await api.asOther())).status).toBe(404);
  expect((await ask(id, api.stranger)).status).toBe(401);
});
