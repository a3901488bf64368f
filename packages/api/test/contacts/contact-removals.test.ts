import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { newId } from '@app/database/new-id';
import { roles } from '@app/domain/auth/permissions';
import { purgeKeptContacts } from '../../src/contact-removals/purge-kept-contacts.ts';
import { takeUpLostOperations } from '../../src/operations/lost-operations.ts';
import { createTestSecretBox, openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

type Operation = {
  id: string;
  kind: string;
  subject: string | null;
  state: string;
  total: number;
  done: number;
};
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

async function start(choice: object, caller = admin): Promise<Operation> {
  const response = await caller.post('/api/contacts/removals', { removalId: newId(), choice });
  expect(response.status).toBe(200);
  return response.json<Operation>();
}

const undo = (id: string) => admin.post(`/api/contacts/removals/${id}/undo`);

const readOperation = async (id: string) => (await admin.get(`/api/operations/${id}`)).json<Operation>();
async function waitFor(id: string, state: string): Promise<void> {
  await expect.poll(() => readOperation(id)).toMatchObject({ state });
}
const listOpen = async () =>
  (await (await admin.get('/api/operations')).json<{ items: Operation[] }>()).items.filter(({ state }) =>
    ['queued', 'running', 'cancelling', 'interrupted'].includes(state),
  );

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
    expect(removal).toMatchObject({ kind: 'contact-removal', state: 'done', total: 2, done: 2 });
    expect(await list()).toMatchObject([{ name: 'Contact 3' }]);
    expect(await total()).toBe(1);

    const undone = await (await undo(removal.id)).json();
    expect(undone).toMatchObject({
      ...{ kind: 'contact-restore', subject: removal.id, state: 'done', total: 2, done: 2 },
    });
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
      done: 3,
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

  longTest('thousands go bit by bit, are told once and all come back', async () => {
    await addMany(3_500);
    const removal = await start({ filter: { tag: 'crowd' } });
    expect(removal.total).toBe(3_500);
    await waitFor(removal.id, 'done');
    expect(await readOperation(removal.id)).toMatchObject({ done: 3_500, total: 3_500 });
    expect(await total()).toBe(0);
    expect(await told()).toMatchObject([{ fact_type: 'contacts.deleted', values: { count: 3_500 } }]);
    const restore = await (await undo(removal.id)).json<Operation>();
    await waitFor(restore.id, 'done');
    expect(await readOperation(restore.id)).toMatchObject({
      done: 3_500,
      total: 3_500,
      wasInterrupted: false,
    });
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
    for (const answer of answers) expect(await answer.json()).toMatchObject({ state: 'done', done: 1 });
    expect(await (await wish(second!.id)).json()).toMatchObject({ done: 1 });
    expect(await list()).toHaveLength(1);
    expect(await told()).toHaveLength(1);
  });

  /** What a process leaves behind that died over a deletion. */
  async function leave(choice: object, silent = '5 minutes'): Promise<string> {
    const id = newId();
    await query(
      `INSERT INTO operations (id, workspace_id, kind, state, user_name, wish, total, run, created_at, heartbeat_at)
       VALUES ($1, $2, 'contact-removal', 'running', 'Ann', $3, 1, 1, now(), now() - $4::interval)`,
      [id, api.workspaceId, JSON.stringify({ choice }), silent],
    );
    return id;
  }

  test('one whose process died is seen as interrupted and taken up; undone midway it brings back what was deleted', async () => {
    await addMany(3);
    const [first, second] = await list();
    const died = await leave({ contactIds: [first!.id] });
    const turned = await leave({ contactIds: [second!.id] });
    expect((await listOpen()).map(({ id, state }) => [id, state]).toSorted()).toEqual(
      [died, turned].toSorted().map((id) => [id, 'interrupted']),
    );
    expect(await (await undo(turned)).json()).toMatchObject({ state: 'done', total: 0, done: 0 });
    expect(await readOperation(turned)).toMatchObject({ state: 'cancelled', done: 0 });
    await takeUpLostOperations(api.parts);
    await waitFor(died, 'done');
    expect(await readOperation(died)).toMatchObject({ done: 1, wasInterrupted: true });
    expect((await list()).map(({ id }) => id)).not.toContain(first!.id);
    expect(await list()).toHaveLength(2);
    expect(await listOpen()).toEqual([]);
  });

  test('one that cannot go on keeps no other from being taken up, and fails in the end', async () => {
    await addMany(1);
    const [contact] = await list();
    const [wrong, right] = [
      await leave({ contactIds: ['no id'] }, '6 minutes'),
      await leave({ contactIds: [contact!.id] }),
    ];
    await takeUpLostOperations(api.parts);
    await waitFor(right, 'done');
    await waitFor(wrong, 'failed');
    expect(await readOperation(wrong)).toMatchObject({ error: { code: 'internal', values: {} } });
    expect(await list()).toEqual([]);
  });

  longTest(
    'one that is stopped keeps deleted what is, says how many, and its undo brings them back',
    async () => {
      await addMany(15_000);
      const removal = await start({ filter: { tag: 'crowd' } });
      expect(removal).toMatchObject({ state: 'running', done: 1_000, total: 15_000 });
      const stopped = await admin.post(`/api/operations/${removal.id}/cancel`);
      expect(await stopped.json()).toMatchObject({ state: 'cancelling' });
      await waitFor(removal.id, 'cancelled');
      const { done } = await readOperation(removal.id);
      expect(done).toBeLessThan(15_000);
      expect(await total()).toBe(15_000 - done);
      expect(await told()).toMatchObject([{ fact_type: 'contacts.deleted', values: { count: done } }]);
      const restore = await (await undo(removal.id)).json<Operation>();
      await waitFor(restore.id, 'done');
      expect(await total()).toBe(15_000);
    },
  );

  longTest('one that is turned half-way tells of both parts what happened', async () => {
    await addMany(10_000);
    const removal = await start({ filter: { tag: 'crowd' } });
    const restore = await (await undo(removal.id)).json<Operation>();
    await waitFor(restore.id, 'done');
    const { done } = await readOperation(removal.id);
    expect(done).toBeGreaterThanOrEqual(1_000);
    expect(await readOperation(restore.id)).toMatchObject({ done, total: done });
    expect(await total()).toBe(10_000);
    expect(await told()).toMatchObject([
      { fact_type: 'contacts.deleted', values: { count: done } },
      { fact_type: 'contacts.restored', values: { count: done } },
    ]);
    const again = await admin.post(`/api/operations/${restore.id}/cancel`);
    expect(await again.json()).toMatchObject({ error: { code: 'operation_not_cancellable' } });
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
    expect(await (await undo(removal.id)).json()).toMatchObject({ state: 'done', done: 1 });
    expect(await list()).toMatchObject([{ name: 'Contact 3' }, { name: 'New' }]);
    // A second press finds it done.
    expect(await (await undo(removal.id)).json()).toMatchObject({ state: 'done', done: 1 });

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
    const { rows } = await query(
      'SELECT DISTINCT wish, resume, caller, origin FROM operations WHERE ended_at IS NOT NULL',
    );
    expect(rows).toEqual([{ wish: {}, resume: {}, caller: null, origin: null }]);
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
    expect(await start({ contactIds: ids }, other)).toMatchObject({ total: 0, done: 0 });
    expect(await start({ filter: {} }, other)).toMatchObject({ total: 0 });
    expect(await total()).toBe(2);
    const removal = await start({ contactIds: ids });
    expect((await other.get(`/api/operations/${removal.id}`)).status).toBe(404);
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
