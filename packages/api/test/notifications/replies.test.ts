import { newId } from '@app/database/new-id';
import type { NewFact } from '@app/domain/events/fact-catalogue';
import { beforeEach, describe, expect, test } from 'vitest';
import { tellReplies } from '../../src/notifications/tell-replies.ts';
import { tellStops } from '../../src/notifications/tell-stops.ts';
import type { StoredFact } from '../../src/platform/facts/fact-consumer.ts';
import { changeAcrossWorkspaces } from '../../src/platform/system-work.ts';
import type { ApiCaller } from '../api-fixture.ts';
import { said } from '../arriving-events.ts';
import { openReplies, PHONE } from '../conversations/sending/replies-fixture.ts';
import { addCaller } from '../users/add-person.ts';
import { pageOf } from '../scope-on.ts';

const { admin, api, arrive, begin, sent, query } = await openReplies();

type Item = { kind: string; subject: string | null; isRead: boolean; values: Record<string, unknown> };
type Heard = Record<string, unknown>;
const heard = async (caller: ApiCaller, kind: string) =>
  (await (await caller.get('/api/notifications')).json<{ items: Item[] }>()).items
    .filter((item) => item.kind === kind)
    .map(({ subject, isRead, values }): Heard => ({ subject, isRead, ...values }));
const arrives = async (text: string, occurredAt = Date.now()) => {
  await arrive(said({ phone: PHONE, name: 'Ann' }, text, { occurredAt }));
  await api.facts.catchUp();
};
const emit = async (fact: NewFact) => {
  await changeAcrossWorkspaces(api.parts, 'sign-in', ({ scopeOf }) => scopeOf(api.workspaceId).emit(fact));
  await api.facts.catchUp();
};
const assign = (id: string, assigneeId: string) =>
  query('UPDATE conversations SET assignee_id = $2 WHERE id = $1', [id, assigneeId]);
const view = (caller: ApiCaller, id: string, state: string) =>
  caller.post(`/api/conversations/${id}/viewers`, { state, tab: 'a-tab-of-theirs' });

let noor: Awaited<ReturnType<typeof addCaller>>;
beforeEach(async () => {
  await query('DELETE FROM notifications');
  noor = await addCaller(api, 'agent');
});

describe('what customers write', () => {
  test('is one line for each conversation in hand, which counts on until the conversation is read', async () => {
    const { id } = await begin();
    await assign(id, noor.id);
    await api.facts.catchUp();
    await query('DELETE FROM notifications');
    await arrives('One');
    await arrives('Two');
    const line = { subject: id, isOwn: 'yes', name: 'Ann' };
    expect(await heard(noor.caller, 'new_replies')).toEqual([{ ...line, isRead: false, messages: 2 }]);
    expect(await heard(admin, 'new_replies')).toEqual([]);
    const unread = await query('SELECT id FROM messages WHERE is_unread');
    await admin.post(`/api/conversations/${id}/read`, { messageIds: unread.map((one) => one.id) });
    await api.facts.catchUp();
    expect(await heard(noor.caller, 'new_replies')).toEqual([{ ...line, isRead: true, messages: 2 }]);
    await arrives('Three');
    expect(
      (await heard(noor.caller, 'new_replies')).map((line) => [line['isRead'], line['messages']]),
    ).toEqual(
      expect.arrayContaining([
        [false, 1],
        [true, 2],
      ]),
    );
  });

  test('is one line of all that nobody has, for those who may answer, and not for those who only look', async () => {
    const viewer = await addCaller(api, 'viewer');
    await arrive(
      said({ phone: PHONE }, 'One', { occurredAt: Date.now() }),
      said({ phone: '+14155552672' }, 'Two', { occurredAt: Date.now() }),
    );
    await api.facts.catchUp();
    expect(await heard(noor.caller, 'new_replies')).toEqual([
      { subject: null, isRead: false, isOwn: 'no', name: '', messages: 2 },
    ]);
    expect(await heard(viewer.caller, 'new_replies')).toEqual([]);
  });

  test('is news once, however often it is heard, and none when it is history', async () => {
    await arrives('Long ago', Date.now() - 30 * 3_600_000);
    expect(await heard(noor.caller, 'new_replies')).toEqual([]);
    await arrives('Now');
    const facts = (await query(
      `SELECT id::float8 AS id, type, version, subject_kind AS "subjectKind", subject_id AS subject, actor, "values"
         FROM events WHERE type = 'messages.arrived' ORDER BY id DESC LIMIT 1`,
    )) as StoredFact[];
    const again = () =>
      changeAcrossWorkspaces(api.parts, 'facts', ({ scopeOf }) =>
        tellReplies.handle(pageOf(scopeOf(api.workspaceId)), facts, api),
      );
    await again();
    expect(await heard(noor.caller, 'new_replies')).toMatchObject([{ messages: 1, isRead: false }]);
    await noor.caller.post('/api/notifications/read', { until: new Date(Date.now() + 60_000).toISOString() });
    await again();
    expect(await heard(noor.caller, 'new_replies')).toMatchObject([{ messages: 1, isRead: true }]);
  });

  test('and what failed is not told to whoever looks at it', async () => {
    const { id } = await begin();
    await assign(id, noor.id);
    await api.facts.catchUp();
    await query('DELETE FROM notifications');
    const failed = async () => {
      const { id: messageId } = await sent(id, { text: 'Hello' });
      await query(`UPDATE messages SET author_id = $2 WHERE id = $1`, [messageId, noor.id]);
      const [message] = await query('SELECT contact_id FROM messages WHERE id = $1', [messageId]);
      await emit({
        ...{ type: 'message.failed', subject: messageId },
        values: { conversationId: id, contactIds: [message.contact_id], code: '131026' },
      });
    };
    expect((await view(noor.caller, id, 'viewing')).status).toBe(200);
    await expect.poll(() => api.parts.viewers.list(api.workspaceId)).toHaveLength(1);
    await arrives('Hello?');
    await failed();
    const all = () => query('SELECT kind FROM notifications WHERE user_id = $1', [noor.id]);
    expect(await all()).toEqual([]);
    await view(noor.caller, id, 'gone');
    await expect.poll(() => api.parts.viewers.list(api.workspaceId)).toEqual([]);
    await failed();
    expect(await heard(noor.caller, 'message_failed')).toMatchObject([{ subject: id, reason: '131026' }]);
  });
});

describe('what people choose', () => {
  type Choices = { ways: Record<string, boolean>; options: Record<string, Record<string, boolean>> };
  const read = async (caller: ApiCaller) => (await caller.get('/api/profile/notifications')).json<Choices>();

  test('is offered as far as they may hear of it, is on from the start, and counts from then on', async () => {
    const viewer = await addCaller(api, 'viewer');
    const offered = await read(viewer.caller);
    expect(Object.values(offered.options).flatMap((choice) => Object.values(choice))).not.toContain(false);
    const names = Object.keys(offered.options);
    expect(names).toEqual(expect.arrayContaining(['mentioned', 'import_finished']));
    // Who makes no campaigns and writes no messages has none of their own.
    for (const one of ['campaign_complete', 'campaign_stopped', 'message_failed', 'connection_trouble'])
      expect(names).not.toContain(one);
    const own = await read(noor.caller);
    expect(Object.keys(own.options)).toEqual(expect.arrayContaining(['campaign_complete', 'message_failed']));
    own.options['new_replies'] = { ...own.options['new_replies'], inApp: false, email: false };
    const kept = await noor.caller.put('/api/profile/notifications', own);
    expect(await kept.json()).toEqual(own);
    await arrives('Hello');
    expect(await query('SELECT FROM notifications WHERE user_id = $1', [noor.id])).toEqual([]);
    expect(await heard(admin, 'new_replies')).toHaveLength(1);
  });

  test('is the same in the profile: what is off there is off here, and the other way round', async () => {
    const { preferences } = await (
      await noor.caller.get('/api/profile')
    ).json<{ preferences: { notifications: Record<string, boolean> } }>();
    await noor.caller.put('/api/profile/preferences', {
      ...preferences,
      notifications: { ...preferences.notifications, email: false },
    });
    const own = await read(noor.caller);
    expect(own.ways['email']).toBe(false);
    await noor.caller.put('/api/profile/notifications', { ...own, ways: { ...own.ways, inApp: false } });
    expect(await (await noor.caller.get('/api/profile')).json()).toMatchObject({
      preferences: { notifications: { email: false, inApp: false, push: true, sms: false } },
    });
  });
});

test('the stop of a number is told once to those who can mend it, and once more when it stops again', async () => {
  const stop = (code: string | null) =>
    query(
      `UPDATE channels SET stopped_code = $2::text, stopped_reason = $2, stopped_for = CASE WHEN $2::text IS NOT NULL THEN 'everything' END
        WHERE workspace_id = $1`,
      [api.workspaceId, code],
    );
  const look = async () => {
    await Promise.all([tellStops(api.parts), tellStops(api.parts)]);
    await api.facts.catchUp();
    return (await heard(admin, 'connection_trouble')).length;
  };
  await stop('disconnected');
  expect(await look()).toBe(0);
  await stop('190');
  expect([await look(), await look()]).toEqual([1, 1]);
  expect(await heard(noor.caller, 'connection_trouble')).toEqual([]);
  await stop(null);
  await look();
  await stop('190');
  expect(await look()).toBe(2);
  await stop(null);
});

test('a template that was rejected is told to those who can change it', async () => {
  const template = (status: 'rejected' | 'approved'): NewFact => ({
    ...{ type: 'template.platform_changed', subject: newId() },
    values: {
      ...{ name: 'welcome', status, platformStatus: null, platformStatusBefore: null },
      ...{ category: null, quality: null },
    },
  });
  await emit(template('approved'));
  await emit(template('rejected'));
  expect(await heard(admin, 'template_rejected')).toMatchObject([{ name: 'welcome' }]);
});
