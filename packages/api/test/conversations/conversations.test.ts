import { describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { systemCaller } from '@app/domain/auth/caller';
import { listStatement } from '../../src/conversations/list/list-conversations.ts';
import { wakeSnoozed } from '../../src/conversations/wake-snoozed.ts';
import type { ApiResponse } from '../api-fixture.ts';
import { openArrivals } from '../arrivals.ts';
import { said } from '../arriving-events.ts';

const PHONE = '+14155552671';
const { admin, api, arrive, add, query } = await openArrivals();
const viewer = await api.as('viewer');
const T = Math.floor(Date.now() / 1000) * 1000 - 3_600_000;
const at = (second: number) => ({ occurredAt: T + second * 1000 });

type Conversation = {
  id: string;
  unread: number;
  version: number;
  status: string;
  lastMessage: { line: { text: string } };
  assignee: { id: string } | null;
  isPinned: boolean;
  labels: string[];
};
type Page<Item> = { items: Item[]; nextCursor: string | null };
type Messages = { items: { id: string; text: string }[]; older: string | null; newer: string | null };

const list = async (search = '', caller = admin) =>
  (await caller.get(`/api/conversations${search}`)).json<Page<Conversation>>();
const texts = async (search = '') =>
  (await list(search)).items.map(({ lastMessage }) => lastMessage.line.text);
const codeOf = async (response: ApiResponse) =>
  (await response.json<{ error: { code: string } }>()).error.code;
const one = async (text = 'Hello') => {
  await arrive(said({ phone: PHONE }, text, at(0)));
  return (await list()).items[0]!;
};

describe('the list', () => {
  test('says of a last message that was taken back that it was, whatever it was', async () => {
    await one();
    for (const type of ['text', 'media', 'location']) {
      await query('UPDATE messages SET revoked_at = now(), text = NULL, type = $1', [type]);
      expect((await list()).items).toMatchObject([{ lastMessage: { line: { kind: 'deleted', text: '' } } }]);
    }
  });

  test('has the last that moved first, page by page', async () => {
    await arrive(
      ...[3, 1, 2].map((second) => said({ phone: `+1415555267${second}` }, `at ${second}`, at(second))),
    );
    expect(await texts()).toEqual(['at 3', 'at 2', 'at 1']);
    const first = await list('?limit=2');
    expect(first.items).toHaveLength(2);
    const second = await list(`?limit=2&cursor=${first.nextCursor}`);
    expect(second).toMatchObject({ items: [{ lastMessage: { line: { text: 'at 1' } } }], nextCursor: null });
  });

  test('says of a hidden number whether there is a way to write', async () => {
    await arrive(said({ userId: 'GB.hidden', name: 'Hidden' }, 'Hello', at(0)));
    await arrive(said({ phone: PHONE }, 'Hello', at(1)));
    expect((await list()).items).toMatchObject([
      { contact: { phone: PHONE, hasUserId: false } },
      { contact: { phone: null, hasUserId: true } },
    ]);
  });

  test('leaves out what a filter does not fit', async () => {
    await arrive(...[1, 2, 3].map((n) => said({ phone: `+1415555267${n}` }, `of ${n}`, at(n))));
    const [third, second, first] = (await list()).items as [Conversation, Conversation, Conversation];
    const me = await api.userId('admin@acme.test');
    await admin.put(`/api/conversations/${first.id}/archived`, { version: first.version, isArchived: true });
    await admin.put(`/api/conversations/${second.id}/assignee`, { version: second.version, assigneeId: me });
    await admin.put(`/api/conversations/${third.id}/labels`, {
      version: third.version,
      labels: [' vip ', 'VIP', 'new  one'],
    });
    await admin.put(`/api/conversations/${third.id}/marks`, { isPinned: true });
    expect(await texts('?archived=yes')).toEqual(['of 1']);
    expect(await texts('?assignee=me')).toEqual(['of 2']);
    expect(await texts('?assignee=nobody')).toEqual(['of 3']);
    expect(await texts(`?assignee=${me}&status=open`)).toEqual(['of 2']);
    expect(await texts('?status=resolved')).toEqual([]);
    expect(await texts('?label=vip')).toEqual(['of 3']);
    expect(await texts('?label=new%20one&unread=yes')).toEqual(['of 3']);
    expect(await texts('?pinned=yes')).toEqual(['of 3']);
    expect(await texts('?pinned=no')).toEqual(['of 2']);
    expect((await list('?pinned=yes', viewer)).items).toEqual([]); // a pin is one's own
    expect(await texts(`?channelId=${crypto.randomUUID()}`)).toEqual([]);
  });

  longTest(
    'of thousands reads of an index what is on the page alone, whatever it is filtered by',
    async () => {
      const [channel] = await query<{ id: string }>('SELECT id FROM channels LIMIT 1');
      const me = await api.userId('admin@acme.test');
      await query(
        `INSERT INTO contacts (id, workspace_id, name, phone) SELECT gen_random_uuid(), $1, 'P' || n, '+1416' || (1000000 + n)
         FROM generate_series(1, 10000) n`,
        [api.workspaceId],
      );
      await query(
        `INSERT INTO conversations (id, workspace_id, contact_id, channel_id, last_activity_at, unread, status, is_archived, assignee_id)
       SELECT gen_random_uuid(), workspace_id, id, $1, now() - random() * interval '90 days', (random() < 0.1)::integer,
              CASE WHEN random() < 0.2 THEN 'open' ELSE 'resolved' END, random() < 0.3, CASE WHEN random() < 0.1 THEN $2::uuid END
         FROM contacts`,
        [channel!.id, me],
      );
      await query('ANALYZE conversations, contacts, messages, users, conversation_marks');
      const caller = {
        ...systemCaller('webhooks', api.workspaceId),
        kind: 'person',
        id: me,
        name: 'A',
      } as const;
      await query(
        `INSERT INTO conversation_marks (workspace_id, conversation_id, user_id, pinned_at)
       SELECT workspace_id, id, $1, now() FROM conversations LIMIT 5`,
        [me],
      );
      for (const order of ['newest', 'pinned'] as const)
        for (const filter of [
          { archived: 'no' },
          { archived: 'no', status: 'open' },
          { archived: 'no', unread: 'yes' },
          { archived: 'yes' },
          { archived: 'no', assignee: 'me' },
          { archived: 'no', assignee: 'nobody' },
          { archived: 'no', channelId: channel!.id },
          { archived: 'no', pinned: 'no' },
        ] as const) {
          const asked = { ...filter, order, limit: 50, cursor: undefined };
          const { text, values } = listStatement({ workspaceId: api.workspaceId, caller }, asked);
          const plan = await query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE, BUFFERS) ${text}`, values);
          const lines = plan.map((row) => row['QUERY PLAN']).join('\n');
          const what = JSON.stringify({ order, ...filter });
          expect(lines, what).not.toMatch(/Seq Scan on (conversations|contacts)/);
          expect(lines, what).toMatch(/Index (Only )?Scan using conversations_\w+ on conversations/);
          // 51 conversations and one's pins, with what stands beside them; nothing else is looked at, and so nothing else is sorted.
          const most = [...lines.matchAll(/actual time=\S+ rows=([\d.]+)/g)].map(([, rows]) => Number(rows));
          expect(Math.max(...most), what).toBeLessThanOrEqual(51 + 5);
          expect(Number(/Buffers: shared hit=(\d+)/.exec(lines)?.[1]), what).toBeLessThan(1_200);
        }
    },
  );
});

describe('messages', () => {
  longTest('go on in either direction, each once', async () => {
    await arrive(...[1, 2, 3, 4, 5].map((n) => said({ phone: PHONE }, `${n}`, at(n))));
    const { id } = (await list()).items[0]!;
    const page = async (search: string) =>
      (await admin.get(`/api/conversations/${id}/messages${search}`)).json<Messages>();
    const words = ({ items }: Messages) => items.map(({ text }) => text);
    const newest = await page('?limit=2');
    expect(words(newest)).toEqual(['5', '4']);
    const older = await page(`?limit=2&cursor=${newest.older}`);
    expect(words(older)).toEqual(['3', '2']);
    const oldest = await page(`?limit=2&cursor=${older.older}`);
    expect(oldest).toMatchObject({ items: [{ text: '1' }], older: null });
    expect(words(await page(`?direction=newer&cursor=${oldest.newer}`))).toEqual(['5', '4', '3', '2']);
    expect(words(await page(`?direction=newer&limit=1&cursor=${oldest.newer}`))).toEqual(['2']);
    await arrive(said({ phone: PHONE }, '6', at(6)));
    expect(words(await page(`?direction=newer&cursor=${newest.newer}`))).toEqual(['6']);
    expect(words(await page('?cursor=nonsense&limit=1'))).toEqual(['6']);
  });

  test('of a campaign stand among them without a row of their own', async () => {
    const contact = await add(PHONE);
    await arrive(said({ phone: PHONE }, 'Hello', at(0)));
    const campaign = await (
      await admin.post('/api/campaigns', {
        name: 'Sale',
        message: { customMessage: 'We have a sale' },
        audience: { contactIds: [contact.id] },
      })
    ).json<{ id: string }>();
    expect((await admin.post(`/api/campaigns/${campaign.id}/start`)).status).toBe(200);
    await query(
      `UPDATE delivery_recipients SET state = 2, accepted_at = now(), provider_message_id = 'wamid.sale'`,
    );
    await arrive(
      said({ phone: PHONE }, 'Tell me more', {
        occurredAt: Date.now() + 1_000,
        context: {
          ...{ quotedMessageId: 'wamid.sale', forwarded: false, frequentlyForwarded: false },
          referredProduct: null,
        },
      }),
    );
    const { id } = (await list()).items[0]!;
    const { items } = await (await admin.get(`/api/conversations/${id}/messages`)).json<Messages>();
    expect(items).toMatchObject([
      { text: 'Tell me more', author: { kind: 'contact' }, quoted: { text: 'We have a sale' } },
      { text: 'We have a sale', author: { kind: 'campaign' }, campaign: { name: 'Sale' }, state: 'sent' },
      { text: 'Hello' },
    ]);
    expect(await query('SELECT FROM messages')).toHaveLength(2);
  });

  test('are read as far as they were shown; what came late among them stays unread', async () => {
    await arrive(said({ phone: PHONE }, 'old', at(0)));
    await arrive(said({ phone: PHONE }, 'first', at(1)), said({ phone: PHONE }, 'third', at(3)));
    const { id } = (await list()).items[0]!;
    const { items } = await (await admin.get(`/api/conversations/${id}/messages?limit=2`)).json<Messages>();
    await arrive(
      said({ phone: PHONE }, 'second, late', at(2)),
      said({ phone: PHONE }, 'very old, late', at(-1)),
    );
    const messageIds = items.map((message) => message.id);
    const answer = await admin.post(`/api/conversations/${id}/read`, { messageIds });
    expect(await answer.json()).toMatchObject({ unread: 2 });
    expect(await query('SELECT text FROM messages WHERE is_unread ORDER BY text')).toEqual([
      { text: 'second, late' },
      { text: 'very old, late' },
    ]);
    await Promise.all([1, 2, 3].map(() => admin.post(`/api/conversations/${id}/read`, { messageIds })));
    expect((await list()).items[0]).toMatchObject({ unread: 2 });
    expect(await query(`SELECT FROM events WHERE type = 'conversation.read'`)).toHaveLength(1);
  });
});

describe('acts', () => {
  test('are told once each, and refused to whoever saw an older state', async () => {
    const { id, version } = await one();
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const snoozed = await admin.put(`/api/conversations/${id}/status`, {
      ...{ version, status: 'snoozed', snoozedUntil: until },
    });
    expect(await snoozed.json()).toMatchObject({
      status: 'snoozed',
      snoozedUntil: until,
      version: version + 1,
    });
    const late = await admin.put(`/api/conversations/${id}/status`, { version, status: 'resolved' });
    expect([late.status, await codeOf(late)]).toEqual([409, 'conversation_changed']);
    const told = await query<{ type: string }>(`SELECT type FROM events WHERE subject_id = $1`, [id]);
    expect(told).toEqual([{ type: 'conversation.status_changed' }]);
  });

  test.each([
    [{ status: 'snoozed' }, 'conversation_snooze_invalid'],
    [{ status: 'snoozed', snoozedUntil: '2020-01-01T00:00:00Z' }, 'conversation_snooze_invalid'],
    [{ status: 'snoozed', snoozedUntil: '2999-01-01T00:00:00Z' }, 'conversation_snooze_invalid'],
    [{ status: 'open', snoozedUntil: '2999-01-01T00:00:00Z' }, 'conversation_snooze_invalid'],
  ])('a status with %o is refused', async (input, code) => {
    const { id, version } = await one();
    const answer = await admin.put(`/api/conversations/${id}/status`, { version, ...input });
    expect([answer.status, await codeOf(answer)]).toEqual([422, code]);
  });

  test('nobody of another workspace can be given a conversation', async () => {
    const { id, version } = await one();
    const stranger = await api.userId('admin@other.test');
    const answer = await admin.put(`/api/conversations/${id}/assignee`, { version, assigneeId: stranger });
    expect([answer.status, await codeOf(answer)]).toEqual([422, 'conversation_assignee_unknown']);
  });

  test('a snoozed conversation is open again when its time has come', async () => {
    const { id, version } = await one();
    const snoozedUntil = new Date(Date.now() + 60_000).toISOString();
    await admin.put(`/api/conversations/${id}/status`, { version, status: 'snoozed', snoozedUntil });
    await wakeSnoozed(api.parts);
    expect((await list('?status=snoozed')).items).toHaveLength(1);
    await wakeSnoozed({ ...api.parts, clock: () => new Date(Date.now() + 61_000) });
    expect((await list('?status=open')).items).toMatchObject([{ id, snoozedUntil: null }]);
  });

  test('a conversation is begun with a contact once, also by two at the same time', async () => {
    const contact = await add(PHONE);
    const answers = await Promise.all(
      [1, 2, 3].map(() => admin.post('/api/conversations', { contactId: contact.id })),
    );
    const ids = await Promise.all(answers.map(async (answer) => (await answer.json<{ id: string }>()).id));
    expect(new Set(ids).size).toBe(1);
    expect((await list()).items).toMatchObject([{ id: ids[0], lastMessage: null, unread: 0 }]);
    await arrive(said({ phone: PHONE }, 'Hello', at(0)));
    expect((await list()).items).toMatchObject([{ id: ids[0], unread: 1 }]);
    const unknown = await admin.post('/api/conversations', { contactId: crypto.randomUUID() });
    expect(await codeOf(unknown)).toBe('contact_not_found');
  });
});
