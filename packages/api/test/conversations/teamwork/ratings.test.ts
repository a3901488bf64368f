import { beforeEach, describe, expect, test } from 'vitest';
import { openArrivals } from '../../arrivals.ts';
import { said } from '../../arriving-events.ts';

const PHONE = '+14155552671';
const { admin, api, arrive, query } = await openArrivals();
type Conversation = { id: string; version: number; status: string; unread: number };
type Button = { id: string; title: string };
type Satisfaction = { asked: number; good: number; okay: number; bad: number };

const settings = (rating: object) =>
  query(
    `INSERT INTO inbox_settings (workspace_id, settings) VALUES ($1, $2)
     ON CONFLICT (workspace_id) DO UPDATE SET settings = excluded.settings`,
    [api.workspaceId, JSON.stringify({ rating })],
  );
const settled = () => api.facts.catchUp();
const find = async () =>
  (await (await admin.get('/api/conversations')).json<{ items: Conversation[] }>()).items[0]!;
const setStatus = async (status: string) => {
  const { id, version } = await find();
  expect((await admin.put(`/api/conversations/${id}/status`, { version, status })).status).toBe(200);
  await settled();
};
/** A contact writes, is answered, and the conversation is resolved. */
async function resolve({ minutesAgo = 5, isAnswered = true } = {}): Promise<void> {
  await arrive(said({ phone: PHONE }, 'Hello', { occurredAt: Date.now() - minutesAgo * 60_000 }));
  const { id } = await find();
  if (isAnswered)
    expect(
      (await admin.post(`/api/conversations/${id}/messages`, { message: { text: 'Done' } })).status,
    ).toBe(200);
  await setStatus('resolved');
}
const questions = () =>
  query<{ id: string; text: string; content: { action: { buttons: Button[] } }; state: string }>(
    `SELECT id, text, content, state FROM messages WHERE direction = 'out' AND type = 'interactive' ORDER BY occurred_at`,
  );
/** The contact presses a button of the question, which the platform has taken by now. */
async function press(index: number, at = Date.now(), messageId?: string): Promise<void> {
  const asked = (await questions()).at(-1)!;
  await query(
    `UPDATE messages SET state = 'accepted', provider_message_id = 'wamid.question' WHERE id = $1`,
    [asked.id],
  );
  const { id: payload, title } = asked.content.action.buttons[index]!;
  await arrive(
    said(
      { phone: PHONE },
      { type: 'button_reply', source: 'interactive', payload, title },
      {
        occurredAt: at,
        ...(messageId !== undefined && { messageId }),
      },
    ),
  );
  await settled();
}
const satisfaction = async () =>
  (
    await (
      await admin.get('/api/analytics/inbox?zone=UTC')
    ).json<{
      satisfaction: Satisfaction & { agents: (Satisfaction & { name: string })[] };
    }>()
  ).satisfaction;

beforeEach(async () => {
  await query('DELETE FROM inbox_settings');
  await query('DELETE FROM conversation_rounds');
  for (const table of ['inbox_rollup_deltas', 'inbox_rollups', 'inbox_rollup_sums'])
    await query(`DELETE FROM ${table}`);
});

describe('a question about the help', () => {
  test('is asked only where the workspace wants it', async () => {
    await resolve();
    expect(await questions()).toEqual([]);
  });

  test('is asked once when a conversation is resolved, in the language of the contact, with three buttons', async () => {
    await settings({ isEnabled: true, question: '' });
    await query(`UPDATE contacts SET language = 'de'`);
    await resolve();
    await setStatus('open');
    await setStatus('resolved');
    const asked = await questions();
    expect(asked).toHaveLength(1);
    expect(asked[0]?.content.action.buttons).toHaveLength(3);
    await settings({ isEnabled: true, question: 'Happy?' });
    await arrive(said({ phone: PHONE }, 'One more thing', { occurredAt: Date.now() }));
    await resolve({ minutesAgo: 0 });
    expect((await questions()).map(({ text }) => text).at(-1)).toContain('Happy?');
  });

  test.each([
    ['who opted out', () => query(`UPDATE contacts SET opted_out_at = now()`)],
    ['who is blocked', () => query(`UPDATE contacts SET status = 'blocked'`)],
    [
      'whose window is closed',
      () => query(`UPDATE conversations SET window_ends_at = now() - interval '1 minute'`),
    ],
  ])('is not asked of a contact %s', async (_, change) => {
    await settings({ isEnabled: true, question: '' });
    await arrive(said({ phone: PHONE }, 'Hello', { occurredAt: Date.now() - 60_000 }));
    const { id } = await find();
    await admin.post(`/api/conversations/${id}/messages`, { message: { text: 'Done' } });
    await change();
    await setStatus('resolved');
    expect(await questions()).toEqual([]);
  });

  test('is not asked of a contact without an answer', async () => {
    await settings({ isEnabled: true, question: '' });
    await resolve({ isAnswered: false });
    expect(await questions()).toEqual([]);
  });
});

describe('an answer', () => {
  beforeEach(() => settings({ isEnabled: true, question: '' }));

  test('is counted for who resolved it, and neither reopens the conversation nor is read or answered as a message', async () => {
    await resolve();
    const before = await find();
    await press(0);
    expect(await find()).toMatchObject({ status: 'resolved', unread: before.unread });
    expect(await satisfaction()).toMatchObject({ asked: 1, good: 1, okay: 0, bad: 0, agents: [{ good: 1 }] });
    const { messages } = (
      await query<{ messages: number }>(
        `SELECT count(*)::integer AS messages FROM messages m WHERE m.direction = 'in' AND is_said(m)`,
      )
    )[0]!;
    expect(messages).toBe(1);
  });

  test('counts once, however often it is delivered, and the last one given wins in any order', async () => {
    await resolve();
    const now = Date.now();
    await press(2, now, 'wamid.late');
    await press(2, now, 'wamid.late');
    await press(0, now - 30_000, 'wamid.early');
    expect(await satisfaction()).toMatchObject({ asked: 1, good: 0, bad: 1 });
  });

  test('with a key that nobody knows is no rating, and no message either', async () => {
    await resolve();
    const payload = 'rating/0195d0a4-5f3c-7c1e-9a57-1d9a6b8c2f10/3';
    await arrive(
      said({ phone: PHONE }, { type: 'button_reply', source: 'interactive', payload, title: 'Good' }),
    );
    expect(await satisfaction()).toMatchObject({ asked: 1, good: 0 });
    expect((await find()).status).toBe('resolved');
  });
});
