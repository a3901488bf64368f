import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import type { BotPart } from '../../src/chatbot/bot-conversations.ts';
import { said } from '../arriving-events.ts';
import { openBotScene } from './bot-scene.ts';

const PHONE = '+14155552671';
const { admin, arrive, query, sandbox, model, save, settle, textsOf, close } = await openBotScene();
afterAll(close);

const HUMAN = 'I’ll connect you with a human agent. Please wait a moment.';
beforeEach(async () => {
  for (const table of [
    ...['bot_answers', 'bot_settings', 'flows', 'inbox_settings', 'conversation_rounds', 'notifications'],
    ...['ai_calls', 'ai_connections', 'contacts'],
  ])
    await query(`DELETE FROM ${table}`);
  sandbox.openai.reset();
  await save({ isEnabled: true });
});

let spoken = 0;
const write = async (text: string) => {
  spoken += 1;
  await arrive(said({ phone: PHONE }, text, { occurredAt: Date.now() - 600_000 + spoken * 5_000 }));
  await settle();
};
const conversation = async () =>
  (await query<{ id: string; assignee_id: string | null }>('SELECT id, assignee_id FROM conversations'))[0]!;
const partOf = async (): Promise<BotPart> => {
  const { id } = await conversation();
  return (await (await admin.get(`/api/bot/conversations/${id}`)).json<{ bot: BotPart }>()).bot;
};
/** As rounds of the inbox leave them: a person answered after so many minutes. */
const answered = (...minutes: number[]) =>
  query(
    `INSERT INTO conversation_rounds (workspace_id, conversation_id, opened_at, first_answered_at, first_answer_by, channel_id, priority)
     SELECT w.id, gen_random_uuid(), now() - interval '1 day', now() - interval '1 day' + m * interval '1 minute', gen_random_uuid(),
            gen_random_uuid(), 'normal' FROM workspaces w, unnest($1::int[]) AS m`,
    [minutes],
  );

describe('a conversation that the bot hands over', () => {
  test('tells the people what it is about, and the inbox that it waits', async () => {
    await write('Where is order 4711?');
    await write('I want a human');
    expect(await partOf()).toMatchObject({
      ...{ status: 'waiting', reason: 'keyword' },
      handoff: { question: 'I want a human', intent: null, values: [], text: null, at: expect.any(String) },
    });
    const { id } = await conversation();
    expect(await (await admin.get(`/api/conversations/${id}`)).json()).toMatchObject({ bot: 'waiting' });
    expect(
      await query(`SELECT DISTINCT kind, subject, values FROM notifications WHERE kind <> 'new_replies'`),
    ).toEqual([{ kind: 'conversation_handed_over', subject: id, values: { reason: 'keyword' } }]);
  });

  longTest('tells the customer how long it takes, where that is known and wanted', async () => {
    await answered(1, 2, 4, 30);
    await write('agent');
    await query('DELETE FROM contacts');
    await answered(9);
    await write('agent');
    await query('DELETE FROM contacts');
    await save({ waitingMessage: 'Give us {{time}}.' });
    await write('agent');
    await query('DELETE FROM contacts');
    await save({ tellsWaitingTime: false });
    await write('agent');
    const texts = await query<{ values: { answer: string } }>(
      `SELECT values FROM flow_starts WHERE source LIKE 'bot/%' ORDER BY id`,
    );
    expect(texts.map(({ values }) => values.answer)).toEqual([
      HUMAN,
      `${HUMAN}\n\nWe usually answer within 5 minutes.`,
      `${HUMAN}\n\nGive us 5 minutes.`,
      HUMAN,
    ]);
  });

  longTest('is given to a member by the rules of the inbox, and nobody hears of it twice', async () => {
    const { version } = await (await admin.get('/api/inbox/settings')).json<{ version: number }>();
    const changed = await admin.put('/api/inbox/settings', {
      ...{ version, assignment: { mode: 'round_robin', maxOpen: null, teamId: null } },
    });
    expect(changed.status).toBe(200);
    const waits = async () =>
      (await query('SELECT awaits_assignee OR assignee_id IS NOT NULL AS waits FROM conversations')).map(
        ({ waits: one }) => one,
      );
    await write('Hello');
    expect(await waits()).toEqual([false]);
    await query('DELETE FROM notifications');
    await write('agent');
    expect(await waits()).toEqual([true]);
    expect(await query(`SELECT FROM notifications WHERE kind = 'conversation_handed_over'`)).toEqual([]);

    // What the bot leaves alone, and what it had when it is turned off.
    await query('DELETE FROM contacts');
    await write('stop');
    expect(await waits()).toEqual([true]);
    await query('DELETE FROM contacts');
    await write('Hello');
    expect(await waits()).toEqual([false]);
    await save({ isEnabled: false });
    await settle();
    expect(await waits()).toEqual([true]);
  });

  test('is put into words by a model, once, and its numbers come back', async () => {
    const connected = await admin.put('/api/bot/ai', { ...model, version: 0 });
    expect(connected.status).toBe(200);
    sandbox.openai.behaviour.answers = [
      { contains: 'Summarize', text: '- Wants a call back at [phone 1]', confidence: 1 },
    ];
    await write('agent, call me at +14155550199');
    await expect.poll(async () => (await partOf()).handoff?.text).toBe('- Wants a call back at +14155550199');
    expect(await query('SELECT purpose, state FROM ai_calls')).toEqual([
      { purpose: 'summary', state: 'done' },
    ]);
  });

  test('is over when people resolve it: the next message begins anew', async () => {
    await save({ resumeAfterHours: null });
    await write('agent');
    const { id } = await conversation();
    const { version } = await (await admin.get(`/api/conversations/${id}`)).json<{ version: number }>();
    const resolved = await admin.put(`/api/conversations/${id}/status`, { version, status: 'resolved' });
    expect(resolved.status).toBe(200);
    await settle();
    expect(await partOf()).toMatchObject({ status: 'resolved' });
    await write('Hello');
    expect(await partOf()).toMatchObject({ status: 'active' });
    expect(await textsOf()).toHaveLength(2);
  });

  test('stays with the people until it is handed back, or for as long as the settings say', async () => {
    await save({ resumeAfterHours: null });
    await write('agent');
    await query(
      `UPDATE conversations SET bot_state = jsonb_set(bot_state, '{handedOverAt}', to_jsonb(extract(epoch FROM now() - interval '40 days') * 1000))`,
    );
    await write('Hello?');
    expect(await textsOf()).toHaveLength(1);
    await save({ resumeAfterHours: 48 });
    await write('Hello');
    expect(await textsOf()).toHaveLength(2);
    expect(await partOf()).toMatchObject({ status: 'active', handoff: null });
  });
});
