import { newId } from '@app/database/new-id';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { proveNumbers, provenNumbers } from '../../src/channels/prove-numbers.ts';
import { openSystemScopes } from '../../src/platform/system-work.ts';
import type { ApiCaller } from '../api-fixture.ts';
import { openConnectionFixture, type ConnectionFixture } from './connection-fixture.ts';

const TOKEN = 'sandbox-access-token';
const DAY_MS = 24 * 3_600_000;
let api: ConnectionFixture;
let channelId: string;
beforeAll(async () => {
  api = await openConnectionFixture();
  const made = await api.admin.post('/api/channels/connections', api.written());
  channelId = (await made.json<{ id: string }>()).id;
});
afterAll(() => api.close());
beforeEach(async () => {
  await endAfter(undefined);
  await api.control('whatsapp/behaviour', { tokenProblem: 'none' });
  await query(
    `UPDATE channels SET proven_at = NULL, told_end_at = NULL, credentials_end_at = NULL, trouble = NULL, trouble_detail = NULL, trouble_at = NULL`,
  );
  await api.facts.catchUp();
  await query('DELETE FROM notifications');
});

const query = async <Row = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await api.db.systemPool.query(text, values)).rows as Row[]; // the columns that the caller names
const signal = new AbortController().signal;
const endAfter = (days: number | undefined) =>
  api.control('whatsapp/tokens', {
    ...{ token: TOKEN, ...(days !== undefined && { expiresAt: Date.now() + days * DAY_MS }) },
  });
/** As the worker would. */
const prove = async () => {
  const done = await proveNumbers.perform(
    { ...api.parts, ...openSystemScopes(api.parts, 'upkeep', api.workspaceId) },
    { id: newId(), workspaceId: api.workspaceId, payload: {}, signal, cause: null, from: null },
  );
  await api.facts.catchUp();
  return done;
};
const dayLater = () => query(`UPDATE channels SET proven_at = proven_at - interval '25 hours'`);
const heard = async (caller: ApiCaller = api.admin) => {
  const { items } = await (
    await caller.get('/api/notifications')
  ).json<{
    items: { kind: string; values: Record<string, string> }[];
  }>();
  return items.map(({ kind, values }) => `${kind}: ${values['problem']}`);
};
/** What it leaves to be done; nothing takes it up. */
const left = async () => {
  const names: string[] = [];
  const jobs = { enqueue: async (_: unknown, { name }: { name: string }) => void names.push(name) };
  const parts = { ...api.parts, jobs: jobs as unknown as typeof api.parts.jobs };
  await provenNumbers.perform(parts, {
    id: newId(),
    workspaceId: null,
    payload: {},
    signal,
    cause: null,
    from: null,
  });
  return names;
};
const endOf = async () =>
  (await query<{ end: Date | null }>('SELECT credentials_end_at AS end FROM channels'))[0]?.end;

describe('what opens a number that works', () => {
  test('is proven once a day, and its end is learned', async () => {
    await endAfter(30);
    expect(await left()).toEqual(['prove-numbers']);
    expect(await prove()).toEqual({ proven: 1, ending: 0 });
    expect(await endOf()).not.toBeNull();
    expect([await left(), await prove()]).toEqual([[], { proven: 0, ending: 0 }]);
    await dayLater();
    expect(await left()).toEqual(['prove-numbers']);
    await endAfter(undefined);
    await prove();
    expect([await endOf(), await heard()]).toEqual([null, []]);
  });

  test('ends soon: told once to those who may mend it, and again for another end alone', async () => {
    await endAfter(6);
    expect(await prove()).toEqual({ proven: 1, ending: 1 });
    const told = 'connection_problem: token_ends_soon';
    expect(await heard()).toEqual([told]);
    expect(await heard(await api.as('agent'))).toEqual([]);
    await dayLater();
    expect(await prove()).toEqual({ proven: 1, ending: 0 });
    expect(await heard()).toEqual([told]);
    await endAfter(2);
    await dayLater();
    await prove();
    expect(await heard()).toEqual([told, told]);
  });

  test('ends soon by the days that pass: nobody has to prove it for that', async () => {
    await endAfter(30);
    await prove();
    await query(`UPDATE channels SET credentials_end_at = now() + interval '6 days'`);
    expect(await left()).toEqual(['prove-numbers']);
    expect(await prove()).toEqual({ proven: 0, ending: 1 });
    expect([await left(), (await heard()).length]).toEqual([[], 1]);
  });

  test('is refused: told as trouble, and found right again by itself', async () => {
    await api.control('whatsapp/behaviour', { tokenProblem: 'expired' });
    await prove();
    expect(await heard()).toEqual(['connection_problem: token_expired']);
    await api.control('whatsapp/behaviour', { tokenProblem: 'none' });
    await dayLater();
    await prove();
    expect(await query('SELECT trouble FROM channels WHERE id = $1', [channelId])).toEqual([
      { trouble: null },
    ]);
  });
});

test('of two numbers with one token the platform is asked once', async () => {
  await query(
    `INSERT INTO channels (id, workspace_id, kind, address, display_name, credentials, is_connected, messages_per_second)
     SELECT $1, workspace_id, kind, '9' || address, 'Second', credentials, true, messages_per_second FROM channels WHERE id = $2`,
    [newId(), channelId],
  );
  const calls = async () =>
    (await api.control<{ calls: { path: string }[] }>('whatsapp/calls?limit=1000')).calls.map(
      ({ path }) => path,
    );
  const before = (await calls()).length;
  expect(await prove()).toEqual({ proven: 2, ending: 0 });
  const made = await calls();
  expect(made.slice(0, made.length - before)).toEqual([expect.stringContaining('debug_token')]);
});
