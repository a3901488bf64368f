import { describe, expect, test } from 'vitest';
import { newId } from '@app/database/new-id';
import { openArrivals } from '../../arrivals.ts';
import { said } from '../../arriving-events.ts';
import type { ApiResponse } from '../../api-fixture.ts';

const PHONE = '+14155552671';
const { admin, api, arrive, add, query } = await openArrivals();
const agent = await api.as('agent');
const viewer = await api.as('viewer');

type Conversation = {
  id: string;
  version: number;
  status: string;
  unread: number;
  labels: string[];
  assignee: { id: string; name: string } | null;
  team: { id: string; name: string } | null;
};
type Label = { id: string; name: string; colour: string; version: number };

const codeOf = async (response: ApiResponse) =>
  [response.status, (await response.json<{ error: { code: string } }>()).error.code].join(' ');
async function begin(phone = PHONE): Promise<Conversation> {
  await arrive(said({ phone }, 'Hello', { occurredAt: Date.now() - 60_000 }));
  const { items } = await (await admin.get('/api/conversations')).json<{ items: Conversation[] }>();
  return items[0]!;
}
const find = async (id: string) => (await admin.get(`/api/conversations/${id}`)).json<Conversation>();
const listLabels = async () =>
  (await (await viewer.get('/api/inbox/labels')).json<{ items: Label[] }>()).items;
const addTeam = async (name: string) =>
  (
    await admin.post('/api/teams', {
      ...{ name, description: '', allowInvites: true, requireApproval: false, maxMembers: 10, features: [] },
    })
  ).json<{ id: string }>();

describe('assigning by hand', () => {
  test('gives a conversation to a person and a team, and keeps the team where none is named', async () => {
    const { id, version } = await begin();
    const team = await addTeam('Sales');
    const me = await api.userId('admin@acme.test');
    const put = (body: object) => admin.put(`/api/conversations/${id}/assignee`, body);
    const given = await (await put({ version, assigneeId: null, teamId: team.id })).json<Conversation>();
    expect(given).toMatchObject({ assignee: null, team: { id: team.id, name: 'Sales' } });
    const taken = await (await put({ version: given.version, assigneeId: me })).json<Conversation>();
    expect(taken).toMatchObject({ assignee: { id: me }, team: { id: team.id } });
    expect(await codeOf(await put({ version, assigneeId: null }))).toBe('409 conversation_changed');
    const unknown = { version: taken.version, assigneeId: me, teamId: newId() };
    expect(await codeOf(await put(unknown))).toBe('422 conversation_team_unknown');
    expect((await admin.delete(`/api/teams/${team.id}`)).status).toBe(200);
    expect(await find(id)).toMatchObject({ assignee: { id: me }, team: null });
  });

  test('offers who may answer, and not who only reads', async () => {
    const { people } = await (
      await agent.get('/api/inbox/assignees')
    ).json<{ people: { id: string; open: number }[] }>();
    const ids = people.map(({ id }) => id);
    expect(ids).toContain(await api.userId('agent@acme.test'));
    expect(ids).not.toContain(await api.userId('viewer@acme.test'));
    expect((await viewer.get('/api/inbox/assignees')).status).toBe(403);
  });

  test('of many says whether they were given to somebody or taken back', async () => {
    const { id } = await begin();
    const assign = (assigneeId: string | null) =>
      admin.post('/api/conversations/change', { conversations: [{ id }], change: { assigneeId } });
    await assign(await api.userId('agent@acme.test'));
    await assign(null);
    const told = await query(
      `SELECT "values"->>'change' AS change, ("values"->>'conversations')::int AS n FROM events
        WHERE type = 'conversations.changed' AND "values"->'conversationIds' ? $1 ORDER BY id`,
      [id],
    );
    expect(told).toEqual([
      { change: 'assigned', n: 1 },
      { change: 'unassigned', n: 1 },
    ]);
  });

  test('waits for whoever is being deactivated, and refuses them then', async () => {
    const { id, version } = await begin();
    const agentId = await api.userId('agent@acme.test');
    const leaving = await api.db.systemPool.connect();
    try {
      await leaving.query('BEGIN');
      await leaving.query('UPDATE memberships SET is_active = false WHERE user_id = $1', [agentId]);
      await leaving.query('UPDATE memberships SET role = role WHERE user_id = $1', [agentId]);
      const assigning = admin.put(`/api/conversations/${id}/assignee`, { version, assigneeId: agentId });
      await expect.poll(() => query(`SELECT FROM pg_locks WHERE NOT granted`)).not.toEqual([]);
      await leaving.query('COMMIT');
      expect(await codeOf(await assigning)).toBe('422 conversation_assignee_unknown');
    } finally {
      await leaving.query('ROLLBACK');
      leaving.release();
      await query('UPDATE memberships SET is_active = true WHERE user_id = $1', [agentId]);
    }
  });

  test('refuses somebody who is deactivated', async () => {
    const { id, version } = await begin();
    const agentId = await api.userId('agent@acme.test');
    await query('UPDATE memberships SET is_active = false WHERE user_id = $1', [agentId]);
    const refused = await admin.put(`/api/conversations/${id}/assignee`, { version, assigneeId: agentId });
    await query('UPDATE memberships SET is_active = true WHERE user_id = $1', [agentId]);
    expect(await codeOf(refused)).toBe('422 conversation_assignee_unknown');
  });
});

describe('labels', () => {
  test('that somebody renames at that moment are still those of the list', async () => {
    await admin.post('/api/inbox/labels', { name: 'Before' });
    const { id, version } = await begin();
    const other = await api.db.systemPool.connect();
    const { rows } = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await other.query('BEGIN');
    await other.query(`UPDATE conversation_labels SET name = 'After' WHERE name = 'Before'`);
    let isDone = false;
    const setting = admin
      .put(`/api/conversations/${id}/labels`, { version, labels: ['before'] })
      .finally(() => (isDone = true));
    const waiting = () =>
      query('SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))', [rows[0]!.pid]);
    await expect.poll(async () => isDone || (await waiting()).length > 0).toBe(true);
    await other.query('COMMIT');
    other.release();
    const { labels } = await (await setting).json<Conversation>();
    const names = (await listLabels()).map(({ name }) => name);
    await query('DELETE FROM conversation_labels');
    expect(labels).toHaveLength(1);
    expect(names).toEqual(expect.arrayContaining(labels));
  });

  test('join the list when they are first set, as whoever came first wrote them', async () => {
    const { id, version } = await begin();
    const set = await admin.put(`/api/conversations/${id}/labels`, { version, labels: ['Urgent'] });
    const next = (await set.json<Conversation>()).version;
    const again = await agent.put(`/api/conversations/${id}/labels`, {
      version: next,
      labels: ['urgent', 'Later'],
    });
    expect((await again.json<Conversation>()).labels).toEqual(['Urgent', 'Later']);
    expect((await listLabels()).map(({ name }) => name)).toEqual(expect.arrayContaining(['Later', 'Urgent']));
  });

  test('are renamed with the conversations that have them, and leave those when they are deleted', async () => {
    const { id, version } = await begin();
    await admin.put(`/api/conversations/${id}/labels`, { version, labels: ['Old', 'Stays'] });
    const old = (await listLabels()).find(({ name }) => name === 'Old')!;
    const rename = (body: object) => admin.put(`/api/inbox/labels/${old.id}`, body);
    expect(await codeOf(await rename({ version: 9, name: 'New' }))).toBe('409 conversation_label_changed');
    expect(await codeOf(await rename({ version: 1, name: 'STAYS' }))).toBe('409 conversation_label_taken');
    const renamed = await (await rename({ version: 1, name: 'New', colour: 'red' })).json<Label>();
    expect(renamed).toMatchObject({ name: 'New', colour: 'red', version: 2 });
    expect((await find(id)).labels).toEqual(['New', 'Stays']);
    const use = await (await admin.get(`/api/inbox/labels/${old.id}/use`)).json<object>();
    expect(use).toEqual({ conversations: 1 });
    const removed = await (await admin.delete(`/api/inbox/labels/${old.id}`)).json<object>();
    expect(removed).toEqual({ conversations: 1 });
    expect((await find(id)).labels).toEqual(['Stays']);
    expect(await codeOf(await admin.delete(`/api/inbox/labels/${old.id}`))).toBe(
      '404 conversation_label_not_found',
    );
  });

  test('are 200 at most', async () => {
    await query(
      `INSERT INTO conversation_labels (id, workspace_id, name, colour, created_at)
       SELECT gen_random_uuid(), $1, 'L' || n, 'grey', now() FROM generate_series(1, 200) n`,
      [api.workspaceId],
    );
    const { id, version } = await begin();
    const refused = await admin.put(`/api/conversations/${id}/labels`, { version, labels: ['One more'] });
    await query('DELETE FROM conversation_labels');
    expect(await codeOf(refused)).toBe('409 conversation_labels_full');
    expect((await find(id)).version).toBe(version);
  });
});

test('a conversation is resolved with a label, and what was read is unread again once', async () => {
  const { id, version } = await begin();
  const put = (body: object) => admin.put(`/api/conversations/${id}/status`, body);
  const resolved = await put({ version, status: 'resolved', label: ' Paid ' });
  expect(await resolved.json<Conversation>()).toMatchObject({ status: 'resolved', labels: ['Paid'] });
  const [message] = await query<{ id: string }>('SELECT id FROM messages');
  await admin.post(`/api/conversations/${id}/read`, { messageIds: [message!.id] });
  for (const _ of [1, 2])
    expect(await (await admin.post(`/api/conversations/${id}/unread`)).json()).toMatchObject({ unread: 1 });
});

describe('settings of the inbox', () => {
  const get = async () => (await viewer.get('/api/inbox/settings')).json<{ version: number }>();

  test('have defaults, and change by parts', async () => {
    expect(await get()).toMatchObject({
      version: 0,
      assignment: { mode: 'off' },
      businessHours: null,
      sendReadReceipts: true,
    });
    const day = [
      { from: '09:00', to: '12:00' },
      { from: '14:00', to: '17:00' },
    ];
    const businessHours = {
      timeZone: 'Europe/Paris',
      days: [[], day, day, day, day, day, []],
      exceptions: [
        { day: '2026-12-24', hours: [{ from: '09:00', to: '12:00' }] },
        { day: '2026-12-25', hours: [] },
      ],
    };
    const put = (body: object) => admin.put('/api/inbox/settings', body);
    expect(await (await put({ version: 0, autoResolveDays: 9 })).json()).toMatchObject({ version: 1 });
    expect(await codeOf(await put({ version: 0, autoResolveDays: 8 }))).toBe('409 inbox_settings_changed');
    // What customers notice is changed with the other settings of messages.
    expect(await codeOf(await put({ version: 1, businessHours }))).toBe('422 invalid_input');
    await admin.put('/api/settings/messaging', { version: 0, businessHours, showTyping: false });
    const changed = await put({ version: 2, playSounds: false });
    expect(await changed.json()).toMatchObject({
      ...{ version: 3, showTyping: false, businessHours },
      ...{ autoResolveDays: 9, playSounds: false },
    });
    await query('DELETE FROM inbox_settings');
  });

  test.each([
    ['a target of nothing', { targets: { firstAnswerMinutes: 0, resolutionMinutes: null } }],
    ['a limit of nobody', { assignment: { mode: 'round_robin', maxOpen: 0, teamId: null } }],
  ])('refuse %s', async (_, change) => {
    const refused = await admin.put('/api/inbox/settings', { version: 0, ...change });
    expect(await codeOf(refused)).toBe('422 invalid_input');
  });

  test('refuse a team that there is not, and whoever may not manage messages', async () => {
    const change = { version: 0, assignment: { mode: 'round_robin', maxOpen: null, teamId: newId() } };
    expect(await codeOf(await admin.put('/api/inbox/settings', change))).toBe(
      '422 conversation_team_unknown',
    );
    expect((await viewer.put('/api/inbox/settings', { version: 0, playSounds: false })).status).toBe(403);
  });
});

test('what is written of a conversation that nobody opened yet opens it', async () => {
  const { id: contactId } = await add(PHONE);
  await admin.post('/api/conversations', { contactId });
  await arrive(said({ phone: PHONE }, 'Hello'));
  expect(await query(`SELECT FROM events WHERE type = 'conversations.opened'`)).not.toHaveLength(0);
});
