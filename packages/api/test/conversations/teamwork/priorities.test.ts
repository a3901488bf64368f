import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '@app/database/new-id';
import { openArrivals } from '../../arrivals.ts';
import { said } from '../../arriving-events.ts';
import type { ApiResponse } from '../../api-fixture.ts';

const [PHONE, OTHER] = ['+14155552671', '+14155552672'];
const MINUTE = 60_000;
const { admin, api, arrive, add, query } = await openArrivals();
const viewer = await api.as('viewer');
const adminId = await api.userId('admin@acme.test');

type Conversation = {
  id: string;
  version: number;
  priority: string;
  labels: string[];
  due: { kind: string; at: string } | null;
};
type Item = { kind: string; id: string; by: { name: string } | null; what: Record<string, unknown> };
const NONE = { firstAnswerMinutes: null, resolutionMinutes: null };

/** A message of so many minutes ago. */
async function write(minutesAgo: number, phone = PHONE): Promise<Conversation & { from: number }> {
  const occurredAt = Math.floor((Date.now() - minutesAgo * MINUTE) / 1000) * 1000;
  await arrive(said({ phone }, 'Hello', { occurredAt }));
  const [row] = await query<{ id: string }>(
    'SELECT c.id FROM conversations c JOIN contacts k ON k.id = c.contact_id WHERE k.phone = $1',
    [phone],
  );
  return { ...(await find(row!.id)), from: occurredAt };
}
const find = async (id: string) => (await admin.get(`/api/conversations/${id}`)).json<Conversation>();
const codeOf = async (response: ApiResponse) =>
  [response.status, (await response.json<{ error: { code: string } }>()).error.code].join(' ');
const put = async ({ id, version }: Conversation, part: string, body: object) => {
  const response = await admin.put(`/api/conversations/${id}/${part}`, { version, ...body });
  expect(response.status).toBe(200);
  return response.json<Conversation>();
};
const settings = (change: object) =>
  query(
    `INSERT INTO inbox_settings (workspace_id, settings) VALUES ($1, $2)
     ON CONFLICT (workspace_id) DO UPDATE SET settings = excluded.settings`,
    [api.workspaceId, JSON.stringify(change)],
  );
const readActs = async (id: string, caller = admin) => {
  const { items } = await (await caller.get(`/api/conversations/${id}/messages`)).json<{ items: Item[] }>();
  return items.filter(({ kind }) => kind === 'act').toReversed();
};
const readRounds = () =>
  query<Record<string, unknown>>('SELECT * FROM conversation_rounds ORDER BY opened_at');
const addTeam = async (name: string) =>
  (
    await admin.post('/api/teams', {
      ...{ name, description: '', allowInvites: true, requireApproval: false, maxMembers: 10, features: [] },
    })
  ).json<{ id: string }>();

beforeEach(async () => {
  await query('DELETE FROM inbox_settings');
  await query('DELETE FROM conversation_rounds');
});

describe('a priority', () => {
  test('is set for one and for many, filters the list, and follows nobody who saw something else', async () => {
    const [one, other] = [await write(1), await write(1, OTHER)];
    expect(one.priority).toBe('normal');
    const urgent = await put(one, 'priority', { priority: 'urgent' });
    expect(urgent).toMatchObject({ priority: 'urgent', version: one.version + 1 });
    const stale = await admin.put(`/api/conversations/${one.id}/priority`, {
      version: one.version,
      priority: 'low',
    });
    expect(await codeOf(stale)).toBe('409 conversation_changed');
    const listed = async (priority: string) =>
      (
        await (await admin.get(`/api/conversations?priority=${priority}`)).json<{ items: Conversation[] }>()
      ).items.map(({ id }) => id);
    expect(await listed('urgent')).toEqual([one.id]);
    expect(await listed('normal')).toEqual([other.id]);
    const many = await admin.post('/api/conversations/change', {
      conversations: [{ id: one.id }, { id: other.id }],
      change: { priority: 'urgent' },
    });
    expect(await many.json()).toMatchObject({
      changed: [{ id: other.id, before: { priority: 'normal' } }],
      left: [{ id: one.id, why: 'as_it_was' }],
    });
    expect((await viewer.put(`/api/conversations/${one.id}/priority`, {})).status).toBe(403);
  });

  test('and a team have targets of their own, which what runs goes on by', async () => {
    const team = await addTeam('Sales');
    await settings({
      targets: { firstAnswerMinutes: 60, resolutionMinutes: 600 },
      targetRules: [
        { teamId: null, priority: 'urgent', firstAnswerMinutes: 30, resolutionMinutes: null },
        { teamId: team.id, priority: null, firstAnswerMinutes: 120, resolutionMinutes: 600 },
        { teamId: team.id, priority: 'urgent', firstAnswerMinutes: 5, resolutionMinutes: 60 },
      ],
    });
    const begun = await write(10);
    const dueOf = ({ due }: Conversation) => due && (Date.parse(due.at) - begun.from) / MINUTE;
    expect(dueOf(begun)).toBe(60);
    const urgent = await put(begun, 'priority', { priority: 'urgent' });
    expect(dueOf(urgent)).toBe(30);
    const [kept] = await query('SELECT resolution_due_at FROM conversations');
    expect(kept).toEqual({ resolution_due_at: null });
    // Five minutes have passed: it is due now.
    const given = await put(urgent, 'assignee', { assigneeId: null, teamId: team.id });
    expect(dueOf(given)).toBeGreaterThanOrEqual(10);
    expect(dueOf(given)).toBeLessThan(12);
    await new Promise((resolve) => setTimeout(resolve, 5));
    // What is missed stays so.
    const normal = await put(given, 'priority', { priority: 'normal' });
    expect(dueOf(normal)).toBe(dueOf(given));
    const [again] = await query<{ due: Date }>('SELECT resolution_due_at AS due FROM conversations');
    expect(Math.round((again!.due.getTime() - begun.from) / MINUTE)).toBe(600);
  });

  test('rules of targets name a team or a priority, each once', async () => {
    const save = (targetRules: object[]) => admin.put('/api/inbox/settings', { version: 0, targetRules });
    expect((await save([{ teamId: null, priority: null, ...NONE }])).status).toBe(422);
    const low = { teamId: null, priority: 'low', ...NONE };
    expect((await save([low, low])).status).toBe(422);
    expect(await codeOf(await save([{ ...low, teamId: newId() }]))).toBe('422 conversation_team_unknown');
    expect((await save([low])).status).toBe(200);
  });
});

describe('a round', () => {
  test('is kept when the next begins: when and by whom it was answered and resolved, and whether in time', async () => {
    await settings({ targets: { firstAnswerMinutes: 10, resolutionMinutes: 20 } });
    const begun = await write(15);
    expect(await readRounds()).toEqual([]);
    await admin.post(`/api/conversations/${begun.id}/messages`, { message: { text: 'Hi' } });
    const answered = {
      ...{ opened_at: new Date(begun.from), first_answer_by: adminId, is_answered_in_time: false },
      ...{ resolved_at: null, is_resolved_in_time: null, priority: 'normal' },
    };
    expect(await readRounds()).toMatchObject([answered]);
    const resolved = await put(await find(begun.id), 'status', { status: 'resolved' });
    const done = {
      ...{ first_answer_by: adminId, resolved_by: adminId, resolved_at: expect.any(Date) as Date },
      ...{ is_answered_in_time: false, is_resolved_in_time: true },
    };
    expect(await readRounds()).toMatchObject([done]);
    // Whoever opens it again by hand takes that back.
    const open = await put(resolved, 'status', { status: 'open' });
    expect(await readRounds()).toMatchObject([{ resolved_at: null, resolved_by: null }]);
    await put(open, 'status', { status: 'resolved' });
    await write(1);
    await admin.post(`/api/conversations/${begun.id}/messages`, { message: { text: 'Again' } });
    expect(await readRounds()).toMatchObject([
      done,
      { ...answered, opened_at: expect.any(Date) as Date, is_answered_in_time: true },
    ]);
  });

  test('stays when a message comes late that was written before it ended', async () => {
    await settings({ targets: { firstAnswerMinutes: 10, resolutionMinutes: 20 } });
    const begun = await write(5);
    await admin.post(`/api/conversations/${begun.id}/messages`, { message: { text: 'Hi' } });
    const resolved = await put(await find(begun.id), 'status', { status: 'resolved' });
    const [kept] = await readRounds();
    // Of the same second, as several pictures are.
    await arrive(said({ phone: PHONE }, 'Late', { occurredAt: begun.from }));
    const opened = await find(begun.id);
    expect(opened).toMatchObject({ status: 'open', due: { kind: 'first_answer' } });
    await admin.post(`/api/conversations/${begun.id}/messages`, { message: { text: 'Again' } });
    await put(opened, 'status', { status: 'resolved' });
    expect(opened.version).toBeGreaterThan(resolved.version);
    const next = { opened_at: kept!['resolved_at'], resolved_by: adminId, is_answered_in_time: true };
    expect(await readRounds()).toMatchObject([kept!, next]);
  });

  test('goes on when a message of the second of its first one comes late', async () => {
    await settings({ targets: { firstAnswerMinutes: 10, resolutionMinutes: 20 } });
    const begun = await write(5);
    await admin.post(`/api/conversations/${begun.id}/messages`, { message: { text: 'Hi' } });
    const clock = () =>
      query('SELECT begun_at, first_answered_at, next_due_at, next_news_at FROM conversations');
    const before = await clock();
    await arrive(said({ phone: PHONE }, 'Late', { occurredAt: begun.from }));
    expect(await clock()).toEqual(before);
  });
});

describe('what was done with a conversation', () => {
  test('stands between what was said, for people, whether it was done with one or many', async () => {
    const begun = await write(1);
    const team = await addTeam('Support');
    const assigned = await put(begun, 'assignee', { assigneeId: adminId, teamId: team.id });
    const labelled = await put(assigned, 'labels', { labels: ['Paid'] });
    await put(labelled, 'priority', { priority: 'high' });
    const snoozedUntil = new Date(Date.now() + 3_600_000).toISOString();
    const conversations = [{ id: begun.id }];
    for (const change of [
      { status: 'snoozed', snoozedUntil },
      { removeLabels: ['Paid'] },
      { isArchived: true },
    ])
      await admin.post('/api/conversations/change', { conversations, change });
    const acts = await readActs(begun.id, viewer);
    expect(acts.map(({ what }) => what)).toEqual([
      {
        act: 'assigned',
        to: { id: adminId, name: acts[0]!.by!.name },
        team: { id: team.id, name: 'Support' },
      },
      { act: 'labelled', added: ['Paid'], removed: [] },
      { act: 'priority', priority: 'high' },
      { act: 'status', status: 'snoozed', snoozedUntil },
      { act: 'labelled', added: [], removed: ['Paid'] },
    ]);
    const pages: string[] = [];
    for (let cursor = ''; pages.length < 20;) {
      const page = await (
        await admin.get(`/api/conversations/${begun.id}/messages?limit=2${cursor}`)
      ).json<{ items: Item[]; older: string | null }>();
      pages.push(...page.items.map(({ kind }) => kind));
      if (page.older === null) break;
      cursor = `&cursor=${page.older}`;
    }
    expect(pages).toEqual(['act', 'act', 'act', 'act', 'act', 'message']);
  });

  test('follows two that become one, and parts with them', async () => {
    const urgent = { teamId: null, priority: 'urgent', firstAnswerMinutes: 30, resolutionMinutes: null };
    await settings({ targets: { ...NONE, firstAnswerMinutes: 60 }, targetRules: [urgent] });
    const [ann, bob] = [await add(PHONE), await add(OTHER)];
    const [one, other] = [await write(2), await write(1, OTHER)];
    await put(one, 'priority', { priority: 'low' });
    await put(other, 'priority', { priority: 'urgent' });
    const mergeId = newId();
    const versions = await query<{ id: string; version: number }>('SELECT id, version FROM contacts');
    const contacts = versions.map(({ id, version }) => ({ contactId: id, version }));
    const merged = await admin.post('/api/contacts/merges', { mergeId, survivorId: ann.id, contacts });
    expect(merged.status).toBe(200);
    const dueAt = new Date(one.from + 30 * MINUTE).toISOString();
    expect(await find(one.id)).toMatchObject({ priority: 'urgent', due: { at: dueAt } });
    const whats = async (id: string) =>
      (await readActs(id)).map(({ what }) => what['priority'] ?? what['act']);
    expect(await whats(one.id)).toEqual(['low', 'urgent', 'merged']);
    expect((await admin.post(`/api/contacts/merges/${mergeId}/undo`)).status).toBe(200);
    expect(await whats(one.id)).toEqual(['low', 'merged', 'unmerged']);
    expect(await whats(other.id)).toEqual(['urgent']);
    expect(bob.id).not.toBe(ann.id);
  });
});

test('a label that is given with a status is the twentieth at most', async () => {
  const begun = await write(1);
  const labels = Array.from({ length: 20 }, (_, n) => `Label ${n}`);
  const { version } = await put(begun, 'labels', { labels });
  const resolve = (label: string) =>
    admin.put(`/api/conversations/${begun.id}/status`, { version, status: 'resolved', label });
  expect(await codeOf(await resolve('One more'))).toBe('409 conversation_labels_many');
  expect((await resolve('label 3')).status).toBe(200);
});

test('whoever only reads is given nothing', async () => {
  const begun = await write(1);
  const body = { assigneeId: await api.userId('viewer@acme.test') };
  const one = await admin.put(`/api/conversations/${begun.id}/assignee`, { version: begun.version, ...body });
  expect(await codeOf(one)).toBe('422 conversation_assignee_unknown');
  const many = await admin.post('/api/conversations/change', {
    ...{ conversations: [{ id: begun.id }], change: body },
  });
  expect(await codeOf(many)).toBe('422 conversation_assignee_unknown');
});

test('whoever reads pins many for themselves, and hears what that changed, to take back no more', async () => {
  const [begun, other] = [await write(1), await write(1, OTHER)];
  const pin = async (ids: string[], isPinned: boolean) =>
    (await viewer.put('/api/conversations/pins', { conversationIds: ids, isPinned })).json<{
      conversationIds: string[];
    }>();
  expect(await pin([begun.id, newId()], true)).toEqual({ conversationIds: [begun.id] });
  expect(await (await viewer.get(`/api/conversations/${begun.id}`)).json()).toMatchObject({ isPinned: true });
  expect(await find(begun.id)).toMatchObject({ isPinned: false });
  expect(await pin([begun.id, other.id], true)).toEqual({ conversationIds: [other.id] });
  expect(await pin([other.id], false)).toEqual({ conversationIds: [other.id] });
  expect(await pin([other.id], false)).toEqual({ conversationIds: [] });
  expect(await (await viewer.get(`/api/conversations/${begun.id}`)).json()).toMatchObject({ isPinned: true });
});
