import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '@app/database/new-id';
import { openApiFixture, type ApiCaller, type ApiFixture, type ApiResponse } from '../../api-fixture.ts';

type View = { id: string; name: string; query: object; isShared: boolean; gone: string[]; version: number };

let api: ApiFixture;
let admin: ApiCaller;
let agent: ApiCaller;
let viewer: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  [admin, agent, viewer] = [await api.as('admin'), await api.as('agent'), await api.as('viewer')];
});
afterAll(() => api.close());
beforeEach(() => api.db.systemPool.query('DELETE FROM conversation_views'));

const view = (of: object = {}) => ({
  name: 'Unread of mine',
  query: { unread: 'yes', assignee: 'me' },
  ...of,
});
const codeOf = async (response: ApiResponse) =>
  [response.status, (await response.json<{ error: { code: string } }>()).error.code].join(' ');
const add = async (of: object = {}, caller = admin) => {
  const response = await caller.post('/api/inbox/views', view(of));
  expect(response.status).toBe(200);
  return response.json<View>();
};
const list = async (caller = admin) =>
  (await (await caller.get('/api/inbox/views')).json<{ items: View[] }>()).items;
const names = async (caller = admin) => (await list(caller)).map(({ name }) => name);

describe('views', () => {
  test('keep filters and order under a name, also for who only reads', async () => {
    const own = await add({ name: ' My  queue ', query: { assignee: 'nobody', order: 'due' } }, viewer);
    const query = { assignee: 'nobody', archived: 'no', order: 'due' };
    expect(own).toMatchObject({ name: 'My queue', query, isShared: false, gone: [], version: 1 });
    expect(await list(viewer)).toEqual([own]);
    const asked = new URLSearchParams(query);
    expect((await viewer.get(`/api/conversations?${asked.toString()}`)).status).toBe(200);
  });

  test('of one person are nobody else’s; those of everybody are, by name', async () => {
    const own = await add();
    await add({ name: 'everything', query: {}, isShared: true });
    await add({ name: 'UNREAD of mine' }, agent);
    expect(await names()).toEqual(['everything', 'Unread of mine']);
    expect(await names(agent)).toEqual(['everything', 'UNREAD of mine']);
    const change = view({ name: 'Other', version: 1 });
    expect(await codeOf(await agent.put(`/api/inbox/views/${own.id}`, change))).toBe(
      '404 conversation_view_not_found',
    );
    expect((await agent.delete(`/api/inbox/views/${own.id}`)).status).toBe(404);
    expect(await codeOf(await admin.post('/api/inbox/views', view({ name: 'unread of MINE' })))).toBe(
      '409 conversation_view_taken',
    );
  });

  test('change by version, and become everybody’s and one’s own again', async () => {
    const { id } = await add();
    const change = (of: object) => admin.put(`/api/inbox/views/${id}`, view(of));
    const shared = await change({ version: 1, isShared: true, query: { status: 'waiting' } });
    expect(await shared.json()).toMatchObject({ version: 2, isShared: true, query: { status: 'waiting' } });
    expect(await names(agent)).toEqual(['Unread of mine']);
    expect(await codeOf(await change({ version: 1 }))).toBe('409 conversation_view_changed');
    await add({ name: 'Other' });
    expect(await codeOf(await change({ version: 2, name: 'other' }))).toBe('409 conversation_view_taken');
    expect((await change({ version: 2, name: 'UNREAD OF MINE' })).status).toBe(200);
    expect(await names(agent)).toEqual([]);
    expect((await admin.delete(`/api/inbox/views/${id}`)).status).toBe(200);
    expect(await names()).toEqual(['Other']);
    expect(await codeOf(await change({ version: 3 }))).toBe('404 conversation_view_not_found');
  });

  test('of everybody are left to who may manage messages', async () => {
    const { id } = await add({ isShared: true });
    const own = await add({ name: 'Own' }, viewer);
    for (const refused of [
      await viewer.post('/api/inbox/views', view({ name: 'b', isShared: true })),
      await viewer.put(`/api/inbox/views/${own.id}`, view({ name: 'b', isShared: true, version: 1 })),
      await viewer.put(`/api/inbox/views/${id}`, view({ version: 1 })),
      await viewer.delete(`/api/inbox/views/${id}`),
    ])
      expect(await codeOf(refused)).toBe('403 conversation_view_shared');
    expect(await names(viewer)).toEqual(['Own', 'Unread of mine']);
  });

  test('tell colleagues of those for everybody alone', async () => {
    const told = async () => {
      const { rows } = await api.db.systemPool.query(
        `SELECT type FROM events WHERE workspace_id = $1 AND type LIKE 'conversation_view.%' ORDER BY id`,
        [api.workspaceId],
      );
      return rows.map(({ type }) => (type as string).split('.')[1]);
    };
    const before = (await told()).length;
    const { id } = await add();
    for (const [version, isShared] of [true, true, false].entries())
      await admin.put(`/api/inbox/views/${id}`, view({ version: version + 1, isShared }));
    await admin.delete(`/api/inbox/views/${id}`);
    expect((await told()).slice(before)).toEqual(['created', 'updated', 'deleted']);
  });

  test('follow a label that is renamed, and say what is gone', async () => {
    const label = await (
      await admin.post('/api/inbox/labels', { name: 'VIP' })
    ).json<{ id: string; version: number }>();
    const agentId = await api.userId('agent@acme.test');
    await add({ query: { label: 'VIP', assignee: agentId } });
    await admin.put(`/api/inbox/labels/${label.id}`, { version: label.version, name: 'Gold' });
    expect(await list()).toMatchObject([
      { query: { label: 'Gold', assignee: agentId }, gone: [], version: 2 },
    ]);
    await admin.delete(`/api/inbox/labels/${label.id}`);
    expect(await list()).toMatchObject([{ query: { label: 'Gold' }, gone: ['label'] }]);
    const unknown = { assignee: newId(), teamId: newId().toUpperCase(), channelId: newId() };
    const { gone } = await add({ name: 'Gone', query: unknown });
    expect(gone).toEqual(['assignee', 'team', 'channel']);
    const asked = new URLSearchParams(unknown);
    const found = await admin.get(`/api/conversations?${asked.toString()}`);
    expect(await found.json()).toEqual({ items: [], nextCursor: null });
  });

  test('are twenty of each owner, also when the last two come at once', async () => {
    for (let n = 1; n < 20; n += 1) await add({ name: `View ${n}`, query: {} });
    const last = await Promise.all(['A', 'B'].map((name) => admin.post('/api/inbox/views', view({ name }))));
    expect(last.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const shared = await add({ isShared: true });
    expect(
      await codeOf(await admin.put(`/api/inbox/views/${shared.id}`, view({ name: 'Mine', version: 1 }))),
    ).toBe('409 conversation_views_full');
    // What is in it already may be renamed.
    const [{ id }] = (await list()) as [View];
    expect((await admin.put(`/api/inbox/views/${id}`, view({ name: 'First', version: 1 }))).status).toBe(200);
  });

  test('go with whoever leaves', async () => {
    await add({}, agent);
    await add({ isShared: true });
    const agentId = await api.userId('agent@acme.test');
    await api.db.systemPool.query('DELETE FROM memberships WHERE user_id = $1', [agentId]);
    const { rows } = await api.db.systemPool.query('SELECT user_id FROM conversation_views');
    expect(rows).toEqual([{ user_id: null }]);
  });

  test.each([
    ['no name', { name: ' \n ' }],
    ['a long name', { name: 'x'.repeat(61) }],
    ['a filter that there is not', { query: { colour: 'red' } }],
    ['a status that there is not', { query: { status: 'lost' } }],
    ['no filters', { query: undefined }],
    ['somebody else as its owner', { userId: newId() }],
  ])('with %s are refused', async (_, of) => {
    expect(await codeOf(await admin.post('/api/inbox/views', view(of)))).toBe('422 invalid_input');
  });
});
