import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '@app/database/new-id';
import { roles } from '@app/domain/auth/permissions';
import { purgeKeptContacts } from '../../src/contact-removals/purge-kept-contacts.ts';
import { resumeRemovals } from '../../src/contact-removals/run-removals.ts';
import { createTestSecretBox, openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

type Removal = { id: string; state: string; total: number; removed: number; restored: number };
type Contact = { id: string; name: string; phone: string };

let api: ApiFixture;
let admin: ApiCaller;
let now = Date.now();
const secrets = await createTestSecretBox();
beforeAll(async () => {
  api = await openApiFixture({ secrets, clock: () => new Date(now) });
  admin = await api.as('admin');
});
afterAll(() => api.close());
beforeEach(async () => {
  now = Date.now();
  await query('DELETE FROM contacts');
  await query('DELETE FROM deleted_contacts');
  await query('DELETE FROM activities');
});

const query = (text: string, values: unknown[] = []) => api.db.systemPool.query(text, values);

async function addMany(count: number, tag = 'crowd'): Promise<void> {
  await query(
    `INSERT INTO contacts (id, workspace_id, name, phone, tags, created_at)
     SELECT gen_random_uuid(), $1, 'Contact ' || n, '+1415' || (2000000 + n), ARRAY[$3], now() - interval '1 minute' FROM generate_series(1, $2) n`,
    [api.workspaceId, count, tag],
  );
}

async function list(search = ''): Promise<Contact[]> {
  const { items } = await (
    await admin.get(`/api/contacts?limit=200&sort=name${search}`)
  ).json<{ items: Contact[] }>();
  return items;
}

const total = async () => (await (await admin.get('/api/contacts/summary')).json<{ total: number }>()).total;

async function start(choice: object, caller = admin): Promise<Removal> {
  const response = await caller.post('/api/contacts/removals', { removalId: newId(), choice });
  expect(response.status).toBe(200);
  return response.json<Removal>();
}

const undo = (id: string) => admin.post(`/api/contacts/removals/${id}/undo`);

async function waitFor(id: string, state: string): Promise<Removal> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const removal = await (await admin.get(`/api/contacts/removals/${id}`)).json<Removal>();
    if (removal.state === state) return removal;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The removal is not ${state}`);
}

const told = async () =>
  (await query('SELECT type, fact_type, "values", user_name FROM activities ORDER BY occurred_at, id')).rows;

describe('deleting many contacts', () => {
  test('deletes the picked ones with their conversations; undo brings all of it back', async () => {
    await addMany(3);
    const [first, second] = await list();
    await admin.post(`/api/contacts/${first!.id}/consents`, { kind: 'opt_in', text: 'signed' });
    const before = await (await admin.get(`/api/contacts/${first!.id}`)).json();
    await query('DELETE FROM activities');

    const removal = await start({ contactIds: [first!.id, second!.id, newId()] });
    expect(removal).toMatchObject({ state: 'removed', total: 2, removed: 2, restored: 0 });
    expect(await list()).toMatchObject([{ name: 'Contact 3' }]);
    expect(await total()).toBe(1);

    const undone = await (await undo(removal.id)).json();
    expect(undone).toMatchObject({ state: 'restored', restored: 2 });
    expect(await (await admin.get(`/api/contacts/${first!.id}`)).json()).toEqual(before);
    const { items } = await (
      await admin.get(`/api/contacts/${first!.id}/consents`)
    ).json<{ items: object[] }>();
    expect(items).toHaveLength(1);
    expect(await total()).toBe(3);
    expect(await told()).toEqual([
      { type: 'delete', fact_type: 'contacts.deleted', values: { count: 2 }, user_name: 'admin Acme' },
      { type: 'create', fact_type: 'contacts.restored', values: { count: 2 }, user_name: 'admin Acme' },
    ]);
  });

  test('spares the exclusions of a filter, and who does not match', async () => {
    await addMany(4);
    await admin.post('/api/contacts', { name: 'Other', phone: '+447700900123', tags: ['friend'] });
    const [spared] = await list('&tag=crowd');
    expect(await start({ filter: { tag: 'crowd' }, excludedIds: [spared!.id] })).toMatchObject({
      removed: 3,
    });
    expect(await list()).toMatchObject([{ name: 'Contact 1' }, { name: 'Other' }]);
  });

  test('a bulk edit spares exclusions, too', async () => {
    await addMany(3);
    const [spared] = await list();
    const choice = { filter: {}, excludedIds: [spared!.id] };
    const response = await admin.post('/api/contacts/bulk-edit', { choice, status: 'blocked' });
    expect(await response.json()).toEqual({ chosen: 2, changed: 2 });
    expect(await list('&status=active')).toMatchObject([{ id: spared!.id }]);
  });

  test('thousands go bit by bit, are told once and all come back', async () => {
    await addMany(3_500);
    const removal = await start({ filter: { tag: 'crowd' } });
    expect(removal.total).toBe(3_500);
    expect(await waitFor(removal.id, 'removed')).toMatchObject({ removed: 3_500 });
    expect(await total()).toBe(0);
    expect(await told()).toMatchObject([{ fact_type: 'contacts.deleted', values: { count: 3_500 } }]);
    await undo(removal.id);
    expect(await waitFor(removal.id, 'restored')).toMatchObject({ restored: 3_500 });
    expect(await total()).toBe(3_500);
    expect(await told()).toHaveLength(2);
  });

  test('the same wish twice deletes once', async () => {
    await addMany(2);
    const [first, second] = await list();
    const removalId = newId();
    const wish = (id: string) =>
      admin.post('/api/contacts/removals', { removalId, choice: { contactIds: [id] } });
    const answers = await Promise.all([wish(first!.id), wish(first!.id)]);
    for (const answer of answers) expect(await answer.json()).toMatchObject({ state: 'removed', removed: 1 });
    expect(await (await wish(second!.id)).json()).toMatchObject({ removed: 1 });
    expect(await list()).toHaveLength(1);
    expect(await told()).toHaveLength(1);
  });

  test('one whose process died is taken up; undone midway it brings back what was deleted', async () => {
    await addMany(3);
    const [first, second] = await list();
    const [died, turned] = [newId(), newId()];
    for (const [id, contactId] of [
      [died, first!.id],
      [turned, second!.id],
    ])
      await query(
        `INSERT INTO contact_removals (id, workspace_id, user_name, choice, total, started_at, touched_at)
         VALUES ($1, $2, 'Ann', $3, 1, now(), now() - interval '5 minutes')`,
        [id, api.workspaceId, JSON.stringify({ contactIds: [contactId] })],
      );
    const open = await (await admin.get('/api/contacts/removals')).json<{ items: Removal[] }>();
    expect(open.items.map(({ id }) => id).toSorted()).toEqual([died, turned].toSorted());
    expect(await (await undo(turned!)).json()).toMatchObject({ state: 'restored', removed: 0, restored: 0 });
    await resumeRemovals(api.parts);
    expect((await list()).map(({ id }) => id)).not.toContain(first!.id);
    expect(await list()).toHaveLength(2);
    expect(await (await admin.get('/api/contacts/removals')).json()).toMatchObject({ items: [] });
  });

  test('one that cannot go on keeps no other from being taken up', async () => {
    await addMany(2);
    const [first, second] = await list();
    for (const [contactId, choice] of [
      [first!.id, { contactIds: ['no id'] }],
      [second!.id, { contactIds: [second!.id] }],
    ] as const)
      await query(
        `INSERT INTO contact_removals (id, workspace_id, user_name, choice, total, started_at, touched_at)
         VALUES ($1, $2, 'Ann', $3, 1, now(), now() - $4::interval)`,
        [
          newId(),
          api.workspaceId,
          JSON.stringify(choice),
          contactId === first!.id ? '6 minutes' : '5 minutes',
        ],
      );
    const warned: unknown[] = [];
    await resumeRemovals({
      ...api.parts,
      logger: { info() {}, warn: (fields) => void warned.push(fields), error() {} },
    });
    expect(warned).toHaveLength(1);
    expect((await list()).map(({ id }) => id)).toEqual([first!.id]);
    await query('DELETE FROM contact_removals');
  });

  test('undo leaves out whose number is taken or who was erased, and is refused after an hour', async () => {
    await addMany(3);
    const [first, second] = await list();
    const removal = await start({ filter: {} });
    const taken = await admin.post('/api/contacts', { name: 'New', phone: first!.phone });
    expect(taken.status).toBe(200);
    const again = await (
      await admin.post('/api/contacts', { name: 'Gone', phone: second!.phone })
    ).json<Contact>();
    await admin.post(`/api/contacts/${again.id}/erase`);
    expect(await (await undo(removal.id)).json()).toMatchObject({ state: 'restored', restored: 1 });
    expect(await list()).toMatchObject([{ name: 'Contact 3' }, { name: 'New' }]);
    // A second press finds it done.
    expect(await (await undo(removal.id)).json()).toMatchObject({ state: 'restored', restored: 1 });

    const late = await start({ filter: {} });
    now += 3_700_000;
    expect(await (await undo(late.id)).json()).toMatchObject({
      error: { code: 'contact_removal_not_undoable' },
    });
    await purgeKeptContacts(api.parts);
    expect((await query('SELECT FROM deleted_contacts')).rowCount).toBe(0);
  });

  test('what was wished is forgotten when it is done', async () => {
    await addMany(1);
    await start({ filter: { search: 'Contact' } });
    expect((await query('SELECT DISTINCT choice FROM contact_removals')).rows).toEqual([{ choice: {} }]);
  });
});

describe('who may delete many', () => {
  test.each(roles)('%s', async (role) => {
    await addMany(1);
    const caller = await api.as(role);
    const response = await caller.post('/api/contacts/removals', {
      removalId: newId(),
      choice: { filter: {} },
    });
    expect(response.status).toBe(role === 'viewer' ? 403 : 200);
    expect(await total()).toBe(role === 'viewer' ? 1 : 0);
  });

  test('another workspace deletes nothing of ours and does not see it', async () => {
    await addMany(2);
    const ids = (await list()).map(({ id }) => id);
    const other = await api.asOther();
    expect(await start({ contactIds: ids }, other)).toMatchObject({ total: 0, removed: 0 });
    expect(await start({ filter: {} }, other)).toMatchObject({ total: 0 });
    expect(await total()).toBe(2);
    const removal = await start({ contactIds: ids });
    expect((await other.get(`/api/contacts/removals/${removal.id}`)).status).toBe(404);
    expect((await other.post(`/api/contacts/removals/${removal.id}/undo`)).status).toBe(404);
    expect(await total()).toBe(0);
  });

  test('a segment that is gone deletes nobody', async () => {
    await addMany(1);
    const choice = { filter: { segment: newId() } };
    const response = await admin.post('/api/contacts/removals', { removalId: newId(), choice });
    expect(await response.json()).toMatchObject({ error: { code: 'segment_not_found' } });
    expect(await total()).toBe(1);
  });
});
