import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { roles } from '@app/domain/auth/permissions';
import type { ChannelPerson, InboundEvent } from '@app/domain/messaging/inbound-event';
import { newId } from '@app/database/new-id';
import { createTestSecretBox, openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { arriveWith, said } from '../arriving-events.ts';
import { findTraces as findTracesIn } from '@app/database/testing/find-traces';

type Contact = { id: string; version: number };

const PHONE = '+14155552671';
const NAME = 'Zebedee Quill';

let api: ApiFixture;
let admin: ApiCaller;
const secrets = await createTestSecretBox();
let channelId: string;
beforeAll(async () => {
  api = await openApiFixture({ secrets });
  admin = await api.as('admin');
  channelId = await api.addChannel();
});
afterAll(() => api.close());

const query = (text: string, values: unknown[] = []) => api.db.systemPool.query(text, values);

async function add(name: string, phone: string): Promise<Contact> {
  const response = await admin.post('/api/contacts', {
    name,
    phone,
    email: `${name.split(' ')[0]}@example.com`,
  });
  expect(response.status).toBe(200);
  return response.json<Contact>();
}

const erase = async (id: string) => (await admin.post(`/api/contacts/${id}/erase`)).status;

const written = (person: ChannelPerson, messageId: string) =>
  said(person, 'Hello from Zebedee Quill', { messageId, raw: { from: person.phone, profile: person.name } });

const zebedee: ChannelPerson = {
  phone: PHONE,
  userId: 'US.zeb77',
  parentUserId: null,
  username: null,
  name: NAME,
};

const arrive = (...events: InboundEvent[]) => arriveWith(api, { secrets, channelId })(...events);

const stopped: InboundEvent = {
  type: 'preference_changed',
  dedupKey: `preference:2:${PHONE}:stop`,
  occurredAt: Date.now(),
  account: '2',
  address: '1',
  raw: { wa_id: PHONE.slice(1) },
  preference: 'stop',
  category: null,
  signupId: null,
  person: zebedee,
};

const findTraces = (...marks: string[]) => findTracesIn(api.db, marks);

describe('a person who is erased', () => {
  test('leaves no trace, and the counters as they were', async () => {
    const earlier = await add(NAME, PHONE);
    await admin.delete(`/api/contacts/${earlier.id}`);
    const { id, version } = await add(NAME, PHONE);
    await admin.post('/api/custom-fields', { label: 'Diet', type: 'text' });
    await admin.post('/api/custom-fields', { label: 'Born', type: 'date' });
    const change = { name: 'Zebedee Quill-Hart', customFields: { diet: 'without peanuts' } };
    await admin.patch(`/api/contacts/${id}`, { version, ...change });
    await admin.post(`/api/contacts/${id}/consents`, { kind: 'opt_in', text: 'Zebedee Quill-Hart signed' });
    await arrive(written(zebedee, 'wamid.in'), stopped);
    const importId = (
      await (
        await admin.request('/api/contacts/imports', {
          method: 'POST',
          headers: { prefer: 'wait=50' },
          body: `name,phone\n${NAME},+1 (415) 555-2671\n`,
        })
      ).json<{ id: string }>()
    ).id;
    for (const row of [`${NAME},${PHONE},only peanuts,`, `${NAME},${PHONE},,a peanut day`])
      await admin.request('/api/contacts/imports?duplicates=update', {
        method: 'POST',
        headers: { prefer: 'wait=50' },
        body: `name,phone,diet,born\n${row}\n`,
      });
    const runNo = 7;
    await query(
      `INSERT INTO delivery_runs (run_no, workspace_id, channel_id, campaign_id, message, category, audience, total)
       VALUES ($1, $2, $3, $4, '{}', 'utility', '{}', 3)`,
      [runNo, api.workspaceId, channelId, newId()],
    );
    const neighbour = await add('Zebedee Quillon', '+14155552699');
    await query(
      `INSERT INTO delivery_recipients (run_no, seq, state, workspace_id, contact_id, address, provider_message_id, error_detail)
       VALUES ($1, 0, 2, $2, $3, $6, 'wamid.' || $6, 'to ' || $6), ($1, 1, 2, $2, $4, $6, NULL, NULL), ($1, 2, 0, $2, $5, '+14155552699', NULL, NULL)`,
      [runNo, api.workspaceId, id, earlier.id, neighbour.id, PHONE],
    );
    expect((await findTraces('4155552671', 'zeb77')).length).toBeGreaterThan(5);
    // The value as it is, as it was before the import, in the fact of its change, in the answers of two acts, in the row that failed and never in its reason.
    expect(await findTraces('peanut')).toHaveLength(6);

    expect(await erase(id)).toBe(200);
    await query('DELETE FROM contacts WHERE id = $1', [neighbour.id]);
    for (const table of ['activities', 'events'])
      await query(`DELETE FROM ${table} WHERE subject_id = $1`, [neighbour.id]);
    await query(`DELETE FROM idempotency_keys WHERE response->>'id' = $1`, [neighbour.id]);
    expect(await findTraces('4155552671', '(415) 555-2671', 'Zebedee', 'zeb77', 'peanut')).toEqual([]);
    const { rows } = await query(
      'SELECT state, address FROM delivery_recipients WHERE run_no = $1 ORDER BY seq',
      [runNo],
    );
    expect(rows).toEqual([
      { state: 2, address: '' },
      { state: 2, address: '' },
      { state: 0, address: '+14155552699' },
    ]);
    const errors = await (
      await admin.get(`/api/contacts/imports/${importId}/errors`)
    ).json<{ items: object[] }>();
    expect(errors.items).toEqual([{ row: 1, code: 'erased', values: {}, message: 'Row 1: (erased)' }]);
    expect((await admin.get(`/api/contacts/${id}`)).status).toBe(404);
    expect((await admin.post(`/api/contacts/${id}/restore`)).status).toBe(404);
  });

  test('does not come back: not by hand, not by import, not by writing', async () => {
    const added = await admin.post('/api/contacts', { name: NAME, phone: '+1 415 555 2671' });
    expect(added.status).toBe(409);
    expect(await added.json()).toMatchObject({
      error: { code: 'contact_erased', details: { field: 'phone' } },
    });
    const other = await add('Bob', '+14155552673');
    const changed = await admin.patch(`/api/contacts/${other.id}`, { version: 1, phone: PHONE });
    expect(await changed.json()).toMatchObject({ error: { code: 'contact_erased' } });

    const imported = await admin.request('/api/contacts/imports', {
      method: 'POST',
      headers: { prefer: 'wait=50' },
      body: `name,phone\nCarla,+14155552674\n${NAME},${PHONE}\n`,
    });
    const { id, ...figures } = await imported.json<{ id: string; successful: number; failed: number }>();
    expect(figures).toMatchObject({ successful: 1, failed: 1 });
    expect(await (await admin.get(`/api/contacts/imports/${id}/errors`)).json()).toMatchObject({
      items: [{ row: 2, message: 'Row 2: This person was erased and is not added again' }],
    });

    await arrive(
      written(zebedee, 'wamid.again'),
      written({ ...zebedee, phone: null }, 'wamid.hidden'),
      stopped,
    );
    expect(await findTraces('4155552671', 'Zebedee', 'zeb77')).toEqual([]);
    const { rows } = await query('SELECT sum(refused)::int AS refused FROM erased_people');
    expect(rows).toEqual([{ refused: 3 }]);
  });

  test('is unknown to other workspaces, which may write to the same number', async () => {
    const other = await api.asOther();
    const added = await other.post('/api/contacts', { name: NAME, phone: PHONE });
    expect(added.status).toBe(200);
    const { id } = await added.json<Contact>();
    expect(await erase(id)).toBe(404);
    expect((await other.get(`/api/contacts/${id}`)).status).toBe(200);
  });
});

test.each(roles)('%s may erase, or not', async (role) => {
  const { id } = await add('Dora', `+141555527${roles.indexOf(role)}0`);
  const caller = await api.as(role);
  expect((await caller.post(`/api/contacts/${id}/erase`)).status).toBe(role === 'viewer' ? 403 : 200);
  expect((await admin.get(`/api/contacts/${id}`)).status).toBe(role === 'viewer' ? 200 : 404);
});
