import { describe, expect, test } from 'vitest';
import { said } from '../../arriving-events.ts';
import { codeOf, openReplies, PHONE } from './replies-fixture.ts';

const { admin, api, arrive, begin, sent, messagesOf, release, query } = await openReplies();

const HOUR = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();
type Waiting = { id: string; text: string; sendAt: string };
const waiting = async (id?: string) =>
  (
    await (
      await admin.get(`/api/scheduled-messages${id ? `?conversationId=${id}` : ''}`)
    ).json<{ items: Waiting[]; nextCursor: string | null }>()
  ).items;
const act = (id: string, messageId: string, what: 'now' | 'withdrawal') =>
  admin.post(
    what === 'now'
      ? `/api/conversations/${id}/scheduled-messages/${messageId}/now`
      : `/api/conversations/${id}/messages/${messageId}/withdrawal`,
    {},
  );

describe('a message for later', () => {
  test('waits unseen among what was said, and leaves once when its time has come', async () => {
    const { id } = await begin();
    const later = await sent(id, { text: 'Good morning', sendAt: inHours(1) });
    expect(later).toMatchObject({ state: 'scheduled' });
    expect(await messagesOf(id)).toHaveLength(1);
    expect(await query('SELECT last_message FROM contacts')).toEqual([{ last_message: 'Hello' }]);
    await release();
    expect(await waiting(id)).toMatchObject([{ id: later.id, text: 'Good morning' }]);
    // Two engines at once.
    await Promise.all([release(Date.now() + HOUR), release(Date.now() + HOUR)]);
    expect(await waiting()).toEqual([]);
    expect((await messagesOf(id))[0]).toMatchObject({ id: later.id, state: 'queued' });
    expect(
      await query(`SELECT FROM events WHERE type = 'message.queued' AND subject_id = $1`, [later.id]),
    ).toHaveLength(1);
    expect(await query('SELECT last_message FROM contacts')).toEqual([{ last_message: 'Good morning' }]);
  });

  test('is found by its words once it was said, and never where it was taken back', async () => {
    const { id } = await begin();
    const found = async () =>
      (
        await (
          await admin.get('/api/conversations/search?search=parcel')
        ).json<{ messages: { id: string }[] }>()
      ).messages.map((one) => one.id);
    const later = await sent(id, { text: 'Your parcel', sendAt: inHours(1) });
    const never = await sent(id, { text: 'No parcel', sendAt: inHours(2) });
    expect(await found()).toEqual([]);
    await act(id, never.id, 'withdrawal');
    await release(Date.now() + HOUR);
    expect(await found()).toEqual([later.id]);
  });

  test('gets its turn behind what was said before its time', async () => {
    const { id } = await begin();
    const later = await sent(id, { text: 'Later', sendAt: inHours(1) });
    const now = await sent(id, { text: 'Now' });
    await release(Date.now() + HOUR);
    expect(await query('SELECT id FROM messages WHERE send_no IS NOT NULL ORDER BY send_no')).toEqual([
      { id: now.id },
      { id: later.id },
    ]);
  });

  test('is told as failed to its author when it may not leave by then', async () => {
    const { id } = await begin();
    const later = await sent(id, { text: 'Later', sendAt: inHours(24) });
    await release(Date.now() + 24 * HOUR);
    expect((await messagesOf(id))[0]).toMatchObject({
      ...{ id: later.id, state: 'cancelled', error: { code: 'window_closed' } },
    });
    const failed = `SELECT "values" FROM events WHERE type = 'message.failed' AND subject_id = $1`;
    expect(await query(failed, [later.id])).toMatchObject([{ values: { code: 'window_closed' } }]);
  });

  test('that failed is news to its author', async () => {
    const { id } = await begin();
    const later = await sent(id, { text: 'Later', sendAt: inHours(24) });
    const now = await sent(id, { text: 'Now' });
    await release(Date.now() + 24 * HOUR);
    await query(`UPDATE messages SET state = 'refused', failed_at = now() WHERE id = $1`, [now.id]);
    await api.facts.catchUp();
    const news = `SELECT n.user_id, n."values" FROM notifications n WHERE n.kind = 'scheduled_failed' AND n."values"->>'reason' = 'window_closed'
      AND n.fact_id = (SELECT max(e.id) FROM events e WHERE e.type = 'message.failed' AND e.subject_id = $1)`;
    expect(await query(news, [later.id])).toMatchObject([
      { user_id: await api.userId('admin@acme.test'), values: { reason: 'window_closed' } },
    ]);
  });

  test('leaves while somebody keeps the contact of another one, which leaves afterwards', async () => {
    const { id } = await begin();
    await arrive(said({ phone: '+14155552672' }, 'Hello'));
    const others = `SELECT c.id FROM conversations c JOIN contacts k ON k.id = c.contact_id WHERE k.phone = '+14155552672'`;
    const other = (await query<{ id: string }>(others))[0]!.id;
    const kept = await sent(id, { text: 'First', sendAt: inHours(1) });
    const free = await sent(other, { text: 'Second', sendAt: inHours(1) });
    const states = async () =>
      Object.fromEntries(
        (
          await query<{ id: string; state: string }>('SELECT id, state FROM messages WHERE state IS NOT NULL')
        ).map((row) => [row.id, row.state]),
      );
    const holder = await api.db.systemPool.connect();
    try {
      await holder.query('BEGIN');
      await holder.query(`SELECT FROM contacts WHERE phone = $1 FOR UPDATE`, [PHONE]);
      await release(Date.now() + HOUR);
      expect(await states()).toEqual({ [kept.id]: 'scheduled', [free.id]: 'queued' });
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
    await release(Date.now() + HOUR);
    expect(await states()).toEqual({ [kept.id]: 'queued', [free.id]: 'queued' });
  });

  test('does not leave hours after its time', async () => {
    const { id } = await begin();
    await sent(id, { text: 'Good morning', sendAt: inHours(1) });
    await query(`UPDATE conversations SET window_ends_at = now() + interval '2 days'`);
    await release(Date.now() + 8 * HOUR);
    expect((await messagesOf(id))[0]).toMatchObject({ state: 'cancelled', error: { code: 'expired' } });
  });

  test('gets another time and other words', async () => {
    const { id } = await begin();
    const later = await sent(id, { text: 'Later', sendAt: inHours(1) });
    const sendAt = inHours(2);
    const path = `/api/conversations/${id}/scheduled-messages/${later.id}`;
    expect(await (await admin.put(path, { sendAt, text: 'Even later' })).json()).toMatchObject({
      ...{ id: later.id, text: 'Even later', sendAt },
    });
    await release(Date.now() + HOUR);
    expect(await waiting()).toHaveLength(1);
    expect(await codeOf(await admin.put(path, { sendAt: inHours(-1) }))).toBe('message_time_invalid');
    await release(Date.now() + 2 * HOUR);
    expect(await codeOf(await admin.put(path, { text: 'Too late' }))).toBe('message_changed');
    expect((await messagesOf(id))[0]).toMatchObject({ text: 'Even later', content: { body: 'Even later' } });
  });

  test('is sent at once when somebody wants it', async () => {
    const { id } = await begin();
    const later = await sent(id, { text: 'Later', sendAt: inHours(1) });
    expect(await (await act(id, later.id, 'now')).json()).toMatchObject({ id: later.id, state: 'queued' });
    expect(await codeOf(await act(id, later.id, 'now'))).toBe('message_changed');
    await release(Date.now() + HOUR);
    expect(
      await query(`SELECT FROM events WHERE type = 'message.queued' AND subject_id = $1`, [later.id]),
    ).toHaveLength(1);
  });

  test('is taken back', async () => {
    const { id } = await begin();
    const later = await sent(id, { text: 'Later', sendAt: inHours(1) });
    expect((await act(id, later.id, 'withdrawal')).status).toBe(200);
    await release(Date.now() + HOUR);
    expect(await waiting()).toEqual([]);
    expect(await messagesOf(id)).toHaveLength(1);
    expect(await codeOf(await act(id, later.id, 'withdrawal'))).toBe('message_changed');
  });

  test('are listed page by page, the next one first', async () => {
    const { id } = await begin();
    for (const hours of [3, 1, 2]) await sent(id, { text: `In ${hours}`, sendAt: inHours(hours) });
    const first = await (
      await admin.get('/api/scheduled-messages?limit=2')
    ).json<{ items: Waiting[]; nextCursor: string }>();
    const second = await (
      await admin.get(`/api/scheduled-messages?limit=2&cursor=${encodeURIComponent(first.nextCursor)}`)
    ).json<{ items: Waiting[] }>();
    expect([...first.items, ...second.items].map(({ text }) => text)).toEqual(['In 1', 'In 2', 'In 3']);
  });
});

describe('a message that waits for its turn', () => {
  test('is waited for without its conversation, which whoever sends it locks behind it', async () => {
    const { id } = await begin();
    const reply = await sent(id, { text: 'Oops' });
    const engine = await api.db.systemPool.connect();
    await engine.query(`BEGIN; SET LOCAL lock_timeout = '300ms'`);
    const { rows } = await engine.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await engine.query('SELECT FROM messages WHERE id = $1 FOR UPDATE', [reply.id]);
    const withdrawal = act(id, reply.id, 'withdrawal');
    await expect
      .poll(() =>
        query('SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))', [rows[0]!.pid]),
      )
      .toHaveLength(1);
    await engine
      .query('SELECT FROM conversations WHERE id = $1 FOR NO KEY UPDATE', [id])
      .finally(async () => {
        await engine.query('ROLLBACK');
        engine.release();
      });
    expect((await withdrawal).status).toBe(200);
  });

  test('is taken back before it leaves, even when a sender has it already', async () => {
    const { id } = await begin();
    const reply = await sent(id, { text: 'Oops' });
    await query(
      `UPDATE messages SET owner = 'sender', lease_until = now() + interval '9 seconds' WHERE id = $1`,
      [reply.id],
    );
    expect((await act(id, reply.id, 'withdrawal')).status).toBe(200);
    expect(await messagesOf(id)).toHaveLength(1);
    expect(await query('SELECT waiting_since IS NOT NULL AS waits FROM conversations')).toEqual([
      { waits: true },
    ]);
  });

  test.each(['sending', 'accepted', 'unknown'])('is not taken back any more: %s', async (state) => {
    const { id } = await begin();
    const reply = await sent(id, { text: 'Hi' });
    await query('UPDATE messages SET state = $2 WHERE id = $1', [reply.id, state]);
    expect(await codeOf(await act(id, reply.id, 'withdrawal'))).toBe('message_changed');
  });
});

describe('what did not arrive', () => {
  const tryAgain = (id: string, messageId: string) =>
    admin.post(`/api/conversations/${id}/messages/${messageId}/another-try`, {});

  test.each(['refused', 'cancelled', 'accepted'])(
    'is tried again once, as a new message: %s',
    async (state) => {
      const { id } = await begin();
      const reply = await sent(id, { text: 'Hi' });
      await query(`UPDATE messages SET state = $2, failed_at = now(), error_code = '131053' WHERE id = $1`, [
        reply.id,
        state,
      ]);
      const answers = await Promise.all([tryAgain(id, reply.id), tryAgain(id, reply.id)]);
      expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
      const [again, old] = await messagesOf(id);
      expect([again, old]).toMatchObject([
        { text: 'Hi', state: 'queued', isTriedAgain: false },
        { id: reply.id, isTriedAgain: true },
      ]);
      expect(await messagesOf(id)).toHaveLength(3);
    },
  );

  test('is not tried again when it arrived, or was taken back', async () => {
    const { id } = await begin();
    const reply = await sent(id, { text: 'Hi' });
    expect(await codeOf(await tryAgain(id, reply.id))).toBe('message_changed');
    await act(id, reply.id, 'withdrawal');
    expect(await codeOf(await tryAgain(id, reply.id))).toBe('message_changed');
  });
});
