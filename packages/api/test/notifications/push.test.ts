import { newId } from '@app/database/new-id';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { pushNews } from '../../src/notifications/push/push-news.ts';
import { openSystemScopes, changeAcrossWorkspaces } from '../../src/platform/system-work.ts';
import { openApiFixture, readErrorBody, signIn, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { addCaller } from '../users/add-person.ts';

let api: ApiFixture;
let noor: Awaited<ReturnType<typeof addCaller>>;
const pushed: { endpoint: string; title: string; body: string; tag: string; path: string }[] = [];
/** What the service of an address answers, for once; else it takes what comes. */
const answers = new Map<string, 'gone' | 'away'>();

beforeAll(async () => {
  api = await openApiFixture({
    push: {
      publicKey: 'a key',
      async send({ endpoint }, { text }) {
        const answer = answers.get(endpoint);
        answers.delete(endpoint);
        if (answer === 'away') throw new Error('The push service is away.');
        if (answer === 'gone') return 'gone';
        pushed.push({ endpoint, ...JSON.parse(text) });
        return 'sent';
      },
    },
  });
});
beforeEach(async () => {
  pushed.length = 0;
  noor = await addCaller(api, 'agent');
});
afterAll(() => api.close());

type Browsers = { publicKey: string; items: { id: string; isThis: boolean; showsText: boolean }[] };
/** In another browser, which is news of its own. */
async function signInAgain(): Promise<ApiCaller> {
  const caller = await signIn(api.app, noor.email);
  await settle();
  pushed.length = 0;
  return caller;
}
const keys = { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) };
const address = (name: string) => `https://push.example/${noor.id}/${name}`;
const add = async (caller: ApiCaller, name: string) =>
  (await caller.post('/api/notifications/browsers', { endpoint: address(name), ...keys })).json<Browsers>();
const list = async (caller: ApiCaller) => (await caller.get('/api/notifications/browsers')).json<Browsers>();

async function settle(): Promise<void> {
  await api.facts.catchUp();
  const open = `SELECT state, output FROM jobs.job WHERE name IN ('push-news', 'push-test') AND state NOT IN ('completed', 'failed', 'retry')`;
  await expect.poll(async () => (await api.db.systemPool.query(open)).rows).toEqual([]);
}
/** A conversation is given to them. */
async function assign(): Promise<string> {
  const subject = newId();
  await changeAcrossWorkspaces(api.parts, 'sign-in', ({ scopeOf }) =>
    scopeOf(api.workspaceId).emit({
      ...{ type: 'conversation.assigned', subject },
      values: { contactIds: [], assigneeId: noor.id, before: null, teamId: null },
    }),
  );
  await settle();
  return subject;
}

test('a browser that was asked for is told without words, and with them where the person wants it', async () => {
  const { items } = await add(noor.caller, 'one');
  expect(await add(noor.caller, 'one')).toMatchObject({ items: [{ id: items[0]?.id, isThis: true }] });
  const subject = await assign();
  expect(pushed).toMatchObject([
    {
      ...{ endpoint: address('one'), body: expect.stringContaining('news') },
      path: `/dashboard/inbox/${subject}?workspace=${api.workspaceId}`,
    },
  ]);
  expect(pushed[0]?.body).not.toContain('assigned');
  await noor.caller.patch(`/api/notifications/browsers/${items[0]?.id}`, { showsText: true });
  await assign();
  expect(pushed.map(({ body }) => body)[1]).toContain('assigned');
});

test('each browser hears of each thing once, also when the job is done again after one that failed', async () => {
  await add(noor.caller, 'one');
  await add(await signInAgain(), 'two');
  answers.set(address('one'), 'away');
  await assign();
  expect(pushed.map(({ endpoint }) => endpoint).toSorted()).toEqual([address('two')]);
  const { rows } = await api.db.systemPool.query<{ id: string }>(
    `SELECT id FROM notifications WHERE user_id = $1 AND kind = 'conversation_assigned'`,
    [noor.id],
  );
  const again = () =>
    pushNews.perform(
      { ...api.parts, ...openSystemScopes(api.parts, 'facts', api.workspaceId) },
      {
        ...{
          id: newId(),
          workspaceId: api.workspaceId,
          signal: new AbortController().signal,
          cause: null,
          from: null,
        },
        payload: { notificationId: rows[0]!.id },
      },
    );
  await again();
  await again();
  expect(pushed.map(({ endpoint }) => endpoint).toSorted()).toEqual([address('one'), address('two')]);
});

test('a browser that is gone is forgotten, and so is one that was signed out of, or whose person lost the workspace', async () => {
  await add(noor.caller, 'one');
  const other = await signInAgain();
  await add(other, 'two');
  answers.set(address('one'), 'gone');
  await assign();
  expect((await list(other)).items.map(({ isThis }) => isThis)).toEqual([true]);
  await other.post('/api/auth/sign-out', {});
  pushed.length = 0;
  await assign();
  expect(pushed).toEqual([]);
  expect((await list(noor.caller)).items).toEqual([]);
  await add(noor.caller, 'three');
  await api.db.systemPool.query('UPDATE memberships SET is_active = false WHERE user_id = $1', [noor.id]);
  await assign();
  expect(pushed).toEqual([]);
});

test('a test goes to the one browser, and nobody reaches one of somebody else', async () => {
  const { items } = await add(noor.caller, 'one');
  await add(await signInAgain(), 'two');
  const path = `/api/notifications/browsers/${items[0]?.id}`;
  const admin = await api.as('admin');
  expect((await readErrorBody(await admin.post(`${path}/test`, {}))).code).toBe('browser_not_found');
  expect((await readErrorBody(await admin.patch(path, { showsText: true }))).code).toBe('browser_not_found');
  await admin.delete(path);
  expect((await noor.caller.post(`${path}/test`, {})).status).toBe(200);
  await settle();
  expect(pushed.map(({ endpoint }) => endpoint)).toEqual([address('one')]);
  await noor.caller.delete(path);
  expect((await list(noor.caller)).items).toHaveLength(1);
});

test('a browser is of who asked last, and what another wanted there is gone', async () => {
  const other = await addCaller(api, 'agent');
  const { items } = await add(noor.caller, 'one');
  await noor.caller.patch(`/api/notifications/browsers/${items[0]?.id}`, { showsText: true });
  expect(await add(other.caller, 'one')).toMatchObject({ items: [{ isThis: true, showsText: false }] });
  expect((await list(noor.caller)).items).toEqual([]);
  await assign();
  expect(pushed).toEqual([]);
});

test('of two who ask for one browser at once it is of the last', async () => {
  const other = await addCaller(api, 'agent');
  const first = await api.db.systemPool.connect();
  try {
    await first.query('BEGIN');
    const { rows } = await first.query<{ xid: string }>(
      `INSERT INTO push_browsers (id, user_id, session_id, endpoint, p256dh, auth, user_agent, created_at)
       SELECT $1, user_id, id, $3, $4, $5, '', now() FROM sessions WHERE user_id = $2 LIMIT 1
       RETURNING pg_current_xact_id()::xid::text AS xid`,
      [newId(), other.id, address('one'), keys.p256dh, keys.auth],
    );
    const last = add(noor.caller, 'one');
    const waiting = `SELECT FROM pg_locks WHERE NOT granted AND locktype = 'transactionid' AND transactionid::text = $1`;
    const readWaiting = () => api.db.systemPool.query(waiting, [rows[0]?.xid]);
    await expect.poll(async () => (await readWaiting()).rowCount).toBe(1);
    await first.query('COMMIT');
    expect(await last).toMatchObject({ items: [{ isThis: true }] });
  } finally {
    first.release();
  }
  expect((await list(other.caller)).items).toEqual([]);
});

test.each([
  'http://push.example/x',
  'https://127.0.0.1/x',
  'https://localhost/x',
  'https://push.example:8443/x',
])('%s is no address to push to', async (endpoint) => {
  const answer = await noor.caller.post('/api/notifications/browsers', { endpoint, ...keys });
  expect(answer.status).toBe(422);
});

test('nobody has more browsers than some: the oldest goes', async () => {
  for (let at = 0; at < 12; at += 1) await add(noor.caller, `number ${at}`.replace(' ', '-'));
  expect((await list(noor.caller)).items).toHaveLength(10);
});
