import { beforeEach, describe, expect, test } from 'vitest';
import { resolveSilent } from '../../../src/conversations/teamwork/resolve-silent.ts';
import { emitSlaDue } from '../../../src/conversations/teamwork/emit-sla-due.ts';
import { openArrivals } from '../../arrivals.ts';
import { said } from '../../arriving-events.ts';

const PHONE = '+14155552671';
const MINUTE = 60_000;
/** The database's clock is finer than ours: of one millisecond its time may be the later one. */
const PAST = `now() - interval '1 second'`;
const { admin, api, arrive, query } = await openArrivals();
await api.as('agent');
const agentId = await api.userId('agent@acme.test');

type Conversation = {
  id: string;
  version: number;
  status: string;
  due: { kind: string; at: string; soonAt: string } | null;
};
const settings = (change: object) =>
  query(
    `INSERT INTO inbox_settings (workspace_id, settings) VALUES ($1, $2)
     ON CONFLICT (workspace_id) DO UPDATE SET settings = excluded.settings`,
    [api.workspaceId, JSON.stringify(change)],
  );
const targets = (firstAnswerMinutes: number | null, resolutionMinutes: number | null = null) =>
  settings({ targets: { firstAnswerMinutes, resolutionMinutes } });
/** A message of so many minutes ago. */
async function write(minutesAgo: number): Promise<Conversation & { from: number }> {
  const occurredAt = Math.floor((Date.now() - minutesAgo * MINUTE) / 1000) * 1000;
  await arrive(said({ phone: PHONE }, 'Hello', { occurredAt }));
  const { items } = await (await admin.get('/api/conversations')).json<{ items: Conversation[] }>();
  return { ...items[0]!, from: occurredAt };
}
const find = async (id: string) => (await admin.get(`/api/conversations/${id}`)).json<Conversation>();
const setStatus = async ({ id, version }: Conversation, status: string) =>
  (await admin.put(`/api/conversations/${id}/status`, { version, status })).json<Conversation>();
const facts = async (type: string) =>
  query<{ values: { target: string } }>(
    'SELECT e."values" FROM events e JOIN conversations c ON c.id = e.subject_id WHERE e.type = $1',
    [type],
  );

beforeEach(async () => {
  await query('DELETE FROM notifications');
  await query('DELETE FROM inbox_settings');
});

describe('by when to answer and to resolve', () => {
  test('is nothing without targets', async () => {
    expect((await write(0)).due).toBeNull();
  });

  test('runs from the message that opened the conversation, within the hours of the business', async () => {
    await targets(10, 60);
    const { due, from } = await write(1);
    expect(due).toEqual({
      kind: 'first_answer',
      at: new Date(from + 10 * MINUTE).toISOString(),
      soonAt: new Date(from + 8 * MINUTE).toISOString(),
    });
    const today = new Date().getUTCDay();
    const days = Array.from({ length: 7 }, (_, day) =>
      day === (today + 2) % 7 ? [{ from: '09:00', to: '10:00' }] : [],
    );
    await settings({
      targets: { firstAnswerMinutes: 10, resolutionMinutes: null },
      businessHours: { timeZone: 'UTC', days, exceptions: [] },
    });
    await query(`UPDATE conversations SET status = 'resolved'`);
    const again = await write(0);
    expect(new Date(again.due!.at).getUTCDay()).toBe((today + 2) % 7);
    expect(again.due!.at).toMatch(/T09:10:00/);
  });

  test('is over for the answer when a person answers, here or on the phone, and runs again if that did not leave', async () => {
    await targets(10);
    const { id, due, from } = await write(1);
    const sent = await admin.post(`/api/conversations/${id}/messages`, { message: { text: 'Hi' } });
    expect(sent.status).toBe(200);
    expect((await find(id)).due).toBeNull();
    await query(`UPDATE messages SET state = 'refused' WHERE direction = 'out'`);
    const [contact] = await query<{ id: string }>('SELECT id FROM contacts');
    const { recountConversations } = await import('@app/database/conversations/note-messages');
    await recountConversations(api.db.systemPool, api.workspaceId, [contact!.id]);
    expect((await find(id)).due).toEqual(due);
    const phone = { direction: 'out', origin: 'echo', occurredAt: from + 2_000 } as const;
    await arrive(said({ phone: PHONE }, 'Hello', phone));
    expect((await find(id)).due).toBeNull();
  });

  test('a bot or a campaign answers nobody', async () => {
    await targets(10);
    const { id, due } = await write(1);
    await admin.post(`/api/conversations/${id}/messages`, { message: { text: 'Hi' } });
    await query(`UPDATE messages SET author = 'bot' WHERE direction = 'out'`);
    const [contact] = await query<{ id: string }>('SELECT id FROM contacts');
    const { recountConversations } = await import('@app/database/conversations/note-messages');
    await recountConversations(api.db.systemPool, api.workspaceId, [contact!.id]);
    expect((await find(id)).due).toEqual(due);
  });

  test('stands still while the customer has to answer, and begins anew with what was resolved', async () => {
    await targets(null, 60);
    const begun = await write(20);
    expect(begun.due).toMatchObject({ kind: 'resolution' });
    const waiting = await setStatus(begun, 'waiting');
    expect(waiting.due).toBeNull();
    const open = await setStatus(waiting, 'open');
    expect(Date.parse(open.due!.at)).toBeGreaterThanOrEqual(Date.parse(begun.due!.at));
    const resolved = await setStatus(open, 'resolved');
    expect(resolved.due).toBeNull();
    const again = await write(1);
    expect(Date.parse(again.due!.at)).toBe(again.from + 60 * MINUTE);
  });
});

test('what is due next stands first in a list of what has a target, page by page', async () => {
  await targets(60);
  const phones = ['+14155552681', '+14155552682', '+14155552683'];
  for (const [index, phone] of phones.entries()) {
    const occurredAt = Math.floor(Date.now() / 1000) * 1000 - [5, 20, 10][index]! * MINUTE;
    await arrive(said({ phone }, `of ${[5, 20, 10][index]!}`, { occurredAt }));
  }
  await query('DELETE FROM inbox_settings');
  await arrive(said({ phone: PHONE }, 'without a target'));
  type Page = { items: { lastMessage: { line: { text: string } } }[]; nextCursor: string | null };
  const read = async (rest: string) => (await admin.get(`/api/conversations?order=due${rest}`)).json<Page>();
  const texts = ({ items }: Page) => items.map(({ lastMessage }) => lastMessage.line.text);
  expect(texts(await read(''))).toEqual(['of 20', 'of 10', 'of 5']);
  const first = await read('&limit=2');
  expect(texts(first)).toEqual(['of 20', 'of 10']);
  expect(texts(await read(`&limit=2&cursor=${first.nextCursor}`))).toEqual(['of 5']);
});

describe('what is about to be missed', () => {
  test('is told once to whoever has it, and that it was missed once more', async () => {
    await targets(10);
    const { id } = await write(9);
    await query('UPDATE conversations SET assignee_id = $1', [agentId]);
    await Promise.all([emitSlaDue(api.parts), emitSlaDue(api.parts)]);
    await emitSlaDue(api.parts);
    expect(await facts('conversation.due_soon')).toEqual([
      { values: expect.objectContaining({ target: 'first_answer' }) },
    ]);
    await query(`UPDATE conversations SET first_answer_due_at = ${PAST}, next_news_at = ${PAST}`);
    await emitSlaDue(api.parts);
    await emitSlaDue(api.parts);
    expect(await facts('conversation.due_missed')).toHaveLength(1);
    await api.facts.catchUp();
    const told = await query(
      `SELECT kind, user_id, subject FROM notifications WHERE kind LIKE 'conversation_due%' ORDER BY kind`,
    );
    expect(told).toEqual([
      { kind: 'conversation_due_missed', user_id: agentId, subject: id },
      { kind: 'conversation_due_soon', user_id: agentId, subject: id },
    ]);
  });

  test('is not told, shown or listed of somebody who is blocked', async () => {
    await targets(10);
    const { id } = await write(20);
    await query(`UPDATE contacts SET status = 'blocked'`);
    await emitSlaDue(api.parts);
    expect(await facts('conversation.due_missed')).toEqual([]);
    expect((await find(id)).due).toBeNull();
    const due = await (await admin.get('/api/conversations?order=due')).json<{ items: unknown[] }>();
    expect(due.items).toEqual([]);
  });

  test('is not told of what was answered in time', async () => {
    await targets(10);
    const { id } = await write(7);
    await admin.post(`/api/conversations/${id}/messages`, { message: { text: 'Hi' } });
    await query(`UPDATE conversations SET next_news_at = ${PAST}`);
    await emitSlaDue(api.parts);
    expect(await facts('conversation.due_soon')).toEqual([]);
    expect(await query('SELECT next_news_at FROM conversations')).toEqual([{ next_news_at: null }]);
  });
});

describe('after days of silence', () => {
  const silence = (days: number) =>
    query(`UPDATE conversations SET last_activity_at = now() - make_interval(days => $1)`, [days]);

  test('a conversation is resolved if the workspace says so, and not while somebody waits for an answer', async () => {
    const { id } = await write(5);
    await silence(10);
    await resolveSilent(api.parts);
    expect((await find(id)).status).toBe('open');
    await settings({ autoResolveDays: 7 });
    await resolveSilent(api.parts);
    expect((await find(id)).status).toBe('open');
    await query('UPDATE conversations SET waiting_since = NULL');
    await silence(6);
    await resolveSilent(api.parts);
    expect((await find(id)).status).toBe('open');
    await silence(8);
    await Promise.all([resolveSilent(api.parts), resolveSilent(api.parts)]);
    expect((await find(id)).status).toBe('resolved');
    expect(await facts('conversation.status_changed')).toHaveLength(1);
  });
});
