import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { openApiFixture, type ApiFixture, type ApiResponse } from './api-fixture.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await openApiFixture();
});
afterAll(() => api.close());

type Entry = {
  fact: { type: string; values: object };
  userName: string;
  type: string;
  ipAddress: string | null;
};
const readList = async (answer: Promise<ApiResponse>) =>
  (await answer).json<{ items: Entry[]; nextCursor: string | null }>();
const view = async (role: 'agent' | 'viewer', body: object) =>
  (await (await api.as(role)).post('/api/activities/views', body)).json<{ recorded: boolean }>();

describe('the log', () => {
  test('lists what happened, newest first, in pages without gaps', async () => {
    const admin = await api.as('admin');
    for (const element of ['One', 'Two', 'Three'])
      expect(await view('agent', { type: 'click', page: 'dashboard', element })).toEqual({ recorded: true });
    const first = await readList(admin.get('/api/activities?limit=2&type=view'));
    const clicked = (element: string) => ({ type: 'dashboard.clicked', values: { element } });
    expect(first.items.map(({ fact }) => fact)).toEqual([clicked('Three'), clicked('Two')]);
    const second = await readList(admin.get(`/api/activities?limit=2&type=view&cursor=${first.nextCursor}`));
    expect(second.items.map(({ fact }) => fact)).toEqual([clicked('One')]);
    expect(second.nextCursor).toBeNull();
  });

  test('finds by what is said, name and resource, whatever the case, and takes signs literally', async () => {
    const admin = await api.as('admin');
    const find = async (search: string) =>
      (await readList(admin.get(`/api/activities?search=${encodeURIComponent(search)}`))).items.length;
    expect(await find('cLICKED tw')).toBe(1);
    expect(await find('AGENT ACME')).toBeGreaterThanOrEqual(4);
    expect(await find('dashboard')).toBe(3);
    expect(await find('%')).toBe(0);
    expect(await find("'; DROP TABLE activities; --")).toBe(0);
  });

  test('filters by person and type', async () => {
    const admin = await api.as('admin');
    const agent = await api.userId('agent@acme.test');
    const { items } = await readList(admin.get(`/api/activities?userId=${agent}&type=login`));
    expect(items.length).toBeGreaterThan(0);
    expect(new Set(items.map(({ userName, type }) => `${userName} ${type}`))).toEqual(
      new Set(['agent Acme login']),
    );
    expect((await admin.get('/api/activities?userId=1abc')).status).toBe(422);
    expect((await admin.get('/api/activities?type=hack')).status).toBe(422);
  });

  test('shows addresses only to people who may read users, and nothing to strangers', async () => {
    const read = async (role: 'admin' | 'viewer') =>
      (await readList((await api.as(role)).get('/api/activities?type=login'))).items.map(
        ({ ipAddress }) => ipAddress,
      );
    expect(await read('admin')).toContain('192.0.2.1');
    expect(new Set(await read('viewer'))).toEqual(new Set([null]));
    for (const path of ['/api/activities', '/api/activities/summary', '/api/presence'])
      expect((await api.stranger.get(path)).status).toBe(401);
    for (const path of ['/api/activities/views', '/api/presence'])
      expect((await api.stranger.post(path, {})).status).toBe(401);
  });

  test('stays within its workspace', async () => {
    const other = await api.asOther();
    const { items } = await readList(other.get('/api/activities'));
    expect(items.map(({ userName }) => userName)).toEqual(['Admin Other']);
    const agent = await api.userId('agent@acme.test');
    expect((await readList(other.get(`/api/activities?userId=${agent}`))).items).toEqual([]);
  });

  test('sums up the last 24 hours', async () => {
    const summary = await (
      await (await api.as('manager')).get('/api/activities/summary')
    ).json<{
      logins: number;
      activeUsers: number;
      users: { name: string }[];
    }>();
    expect(summary).toMatchObject({ logins: 4, activeUsers: 4, created: 0, sent: 0 });
    expect(summary.users.map(({ name }) => name)).toContain('agent Acme');
  });
});

describe('what an entry leads to', () => {
  const readSubjects = async (role: 'admin' | 'viewer' | 'agent', search: string) =>
    (
      await (
        await (await api.as(role)).get(`/api/activities?search=${encodeURIComponent(search)}`)
      ).json<{ items: { fact: { type: string }; subject: unknown }[] }>()
    ).items.map(({ fact, subject }) => [fact.type, subject]);

  test('is named while it is there, and to nobody who may not open it', async () => {
    const admin = await api.as('admin');
    const { id } = await (
      await admin.post('/api/contacts', { name: 'Mira Lindgren', phone: '+4915112345678' })
    ).json<{ id: string }>();
    const contact = { kind: 'contact', id };
    expect(await readSubjects('viewer', 'Mira Lindgren')).toEqual([['contact.created', contact]]);
    await admin.delete(`/api/contacts/${id}`);
    expect(await readSubjects('admin', 'Mira Lindgren')).toEqual([
      ['contact.deleted', null],
      ['contact.created', null],
    ]);

    const agent = { kind: 'user', id: await api.userId('agent@acme.test') };
    const signedIn = 'agent acme';
    expect(await readSubjects('admin', signedIn)).toContainEqual(['user.signed_in', agent]);
    expect(await readSubjects('viewer', signedIn)).toContainEqual(['user.signed_in', null]);
  });

  test('of a quick reply that somebody keeps for themself is named to that person alone', async () => {
    const reply = { shortcut: 'mine', title: 'Mine', text: 'Hello' };
    const { id } = await (
      await (await api.as('agent')).post('/api/quick-replies', reply)
    ).json<{ id: string }>();
    const subject = { kind: 'quick-reply', id };
    expect(await readSubjects('agent', 'mine')).toContainEqual(['quick_reply.created', subject]);
    expect(await readSubjects('admin', 'mine')).toContainEqual(['quick_reply.created', null]);
  });
});

describe('views', () => {
  test('count once in 30 seconds, however many tabs are open', async () => {
    expect(await view('viewer', { type: 'page_view', page: 'dashboard' })).toEqual({ recorded: true });
    expect(await view('viewer', { type: 'page_view', page: 'dashboard' })).toEqual({ recorded: false });
    api.advance(30_000);
    expect(await view('viewer', { type: 'page_view', page: 'dashboard' })).toEqual({ recorded: true });
  });

  longTest('keep their newest 100 and leave everything else in the log alone', async () => {
    const before = await countByType();
    for (let index = 0; index < 105; index += 1)
      await view('agent', { type: 'click', page: 'dashboard', element: `Button ${index}` });
    const after = await countByType();
    expect(after.get('view')).toBe(100);
    expect(after.get('login')).toBe(before.get('login'));
  });

  test('refuse what is no page or no element', async () => {
    const agent = await api.as('agent');
    expect((await agent.post('/api/activities/views', { type: 'page_view', page: 'x' })).status).toBe(422);
    expect((await agent.post('/api/activities/views', { type: 'click', page: 'dashboard' })).status).toBe(
      422,
    );
  });
});

describe('presence', () => {
  type Online = { people: { name: string; role: string; state: string }[] };
  const readOnline = async () => (await (await api.as('admin')).get('/api/presence')).json<Online>();

  test('shows who has a stream open, idle or at work, until it is closed', async () => {
    expect((await readOnline()).people).toEqual([]);
    const agent = await api.as('agent');
    const leaving = new AbortController();
    const stream = await agent.request('/api/events', { signal: leaving.signal });
    await expect
      .poll(readOnline)
      .toMatchObject({ people: [{ name: 'agent Acme', role: 'agent', state: 'active' }] });
    await agent.post('/api/presence', { state: 'idle' });
    expect((await readOnline()).people[0]?.state).toBe('idle');
    await agent.post('/api/presence', { state: 'active' });
    expect((await readOnline()).people[0]?.state).toBe('active');
    leaving.abort();
    await stream.body?.cancel();
    await expect.poll(readOnline).toEqual({ people: [] });
  });

  test('tells of a person whose only stream is replaced by another, as a reload does', async () => {
    const agent = await api.as('agent');
    const told: string[] = [];
    const unsubscribe = api.liveEvents.subscribe(api.workspaceId, ({ topic }) => told.push(topic));
    for (let round = 0; round < 5; round += 1) {
      await (await agent.request('/api/events')).body?.cancel();
      const next = await agent.request('/api/events');
      await expect.poll(async () => (await readOnline()).people.length).toBe(1);
      await expect.poll(() => told.at(-1)).toBe('presence');
      await next.body?.cancel();
      await expect.poll(readOnline).toEqual({ people: [] });
    }
    unsubscribe();
  });

  test('a stream that ends at once leaves nobody in the list', async () => {
    const agent = await api.as('agent');
    for (let round = 0; round < 10; round += 1) await (await agent.request('/api/events')).body?.cancel();
    await expect.poll(readOnline).toEqual({ people: [] });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await readOnline()).toEqual({ people: [] });
  });

  test('forgets streams of a server that died', async () => {
    const agent = await api.userId('agent@acme.test');
    await api.db.systemPool.query(
      `INSERT INTO presence_streams VALUES (gen_random_uuid(), $1, $2, now() - interval '5 minutes')`,
      [api.workspaceId, agent],
    );
    expect((await readOnline()).people).toEqual([]);
  });
});

async function countByType(): Promise<Map<string, number>> {
  const { rows } = await api.db.systemPool.query<{ type: string; n: number }>(
    'SELECT type, count(*)::int AS n FROM activities WHERE workspace_id = $1 GROUP BY type',
    [api.workspaceId],
  );
  return new Map(rows.map(({ type, n }) => [type, n]));
}

describe('an entry', () => {
  test('is shown to those who may read what it is about, and to its author', async () => {
    const seenBy = async (role: 'admin' | 'viewer' | 'agent') => {
      const { items } = await readList((await api.as(role)).get('/api/activities?search=Secret%20plan'));
      return items.map(({ fact }) => fact.type);
    };
    const wish = (name: string) => ({
      ...{ keyId: crypto.randomUUID(), name, expiresAt: null },
      scopes: ['contacts:read'],
    });
    expect((await (await api.as('admin')).post('/api/api-keys', wish('Secret plan'))).status).toBe(200);
    expect(await seenBy('admin')).toEqual(['api_key.created']);
    expect(await seenBy('viewer')).toEqual([]);
    const ofAgent = wish('Secret plan of an agent');
    expect((await (await api.as('agent')).post('/api/api-keys', ofAgent)).status).toBe(200);
    expect(await seenBy('agent')).toEqual(['api_key.created']);
    expect(await seenBy('admin')).toHaveLength(2);
  });
});
