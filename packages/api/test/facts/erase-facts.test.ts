import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

type Entry = { fact: { type: string; values: object } | null };

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
});
afterAll(() => api.close());

const query = (text: string, values: unknown[] = []) => api.db.systemPool.query(text, values);
test('whoever is erased leaves facts that say what happened, and not any more to whom', async () => {
  const add = async (name: string, phone: string) =>
    (await (await admin.post('/api/contacts', { name, phone })).json<{ id: string }>()).id;
  const [gone, stays] = [await add('Oriel Vance', '+447700900201'), await add('Ann Lee', '+447700900202')];
  for (const id of [gone, stays])
    await admin.post(`/api/contacts/${id}/consents`, { kind: 'opt_in', text: 'signed' });
  await query(
    `INSERT INTO fact_dead_letters (consumer, event_id, workspace_id, type, subject_kind, subject_id, fact, error)
     SELECT 'somebody', id, workspace_id, type, subject_kind, subject_id,
            jsonb_build_object('subject', subject_id, 'values', "values"), 'Error' FROM events WHERE subject_kind = 'contact'`,
  );
  expect((await admin.post(`/api/contacts/${gone}/erase`)).status).toBe(200);

  for (const table of ['events', 'activities', 'fact_dead_letters']) {
    const { rows } = await query(`SELECT kept::text AS text FROM ${table} AS kept`);
    const found = rows.map(({ text }) => text).join('\n');
    expect([table, found.includes('Oriel'), found.includes(gone)]).toEqual([table, false, false]);
    expect([table, found.includes('Ann Lee'), found.includes(stays)]).toEqual([table, true, true]);
  }
  const { items } = await (await admin.get('/api/activities')).json<{ items: Entry[] }>();
  // Two of one moment stand in either order.
  const told = items.flatMap(({ fact }) => (fact?.type.startsWith('contact.') ? fact : []));
  const expected: Entry['fact'][] = [
    { type: 'contact.consent_recorded', values: { name: 'Ann Lee', kind: 'opt_in' } },
    { type: 'contact.created', values: { name: 'Ann Lee' } },
    { type: 'contact.consent_recorded', values: { name: null, kind: 'opt_in' } },
    { type: 'contact.created', values: { name: null } },
    { type: 'contact.erased', values: {} },
  ];
  expect(told).toHaveLength(expected.length);
  expect(told).toEqual(expect.arrayContaining(expected));
});
