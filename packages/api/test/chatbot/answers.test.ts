import { beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { createFlowEngine } from '@app/flows/flow-engine';
import { openFlowHost } from '../../src/automation/engine/flow-host.ts';
import type { BotConversation, ShownAnswer } from '../../src/chatbot/bot-conversations.ts';
import type { BotFlow } from '../../src/chatbot/bot-flows-queries.ts';
import { openArrivals } from '../arrivals.ts';
import { said } from '../arriving-events.ts';
import { countLockWaits } from '../lock-waits.ts';

const PHONE = '+14155552671';
const { admin, api, arrive, query } = await openArrivals();
const engine = createFlowEngine(openFlowHost(api.parts));

beforeEach(async () => {
  for (const table of ['bot_answers', 'bot_settings', 'flows', 'inbox_settings'])
    await query(`DELETE FROM ${table}`);
  await save({ isEnabled: true });
});

const save = async (change: object) => {
  const { version } = await (await admin.get('/api/bot/settings')).json<{ version: number }>();
  const saved = await admin.put('/api/bot/settings', { responseDelay: 0, ...change, version });
  expect(saved.status).toBe(200);
};
/** Lets consumers hear of all that was committed, and the engine do what is due, until nothing is left. */
const settle = async () => {
  for (let round = 0; round < 4; round += 1) {
    await api.facts.catchUp();
    await engine.drain();
  }
};
let spoken = 0;
/** Each a few seconds after the one before, as people write. */
const write = async (text: string, phone = PHONE) => {
  spoken += 1;
  await arrive(said({ phone }, text, { occurredAt: Date.now() - 600_000 + spoken * 5_000 }));
  await settle();
};
const answers = () =>
  query<{ text: string; author: string; state: string; priority: number }>(
    `SELECT text, author, state, priority FROM messages WHERE direction = 'out' ORDER BY send_no`,
  );
const textsOf = async () => (await answers()).map(({ text }) => text);
const flow = (keywords: string, content: string, rest: object = {}) => ({
  ...{ name: content, trigger: { type: 'keyword', value: keywords } },
  responses: [{ type: 'text', content }],
  ...rest,
});
async function activate(body: object): Promise<BotFlow> {
  const made = await (await admin.post('/api/bot-flows', body)).json<BotFlow>();
  const active = await admin.put(`/api/bot-flows/${made.id}/active`, { isActive: true });
  expect(active.status).toBe(200);
  return active.json<BotFlow>();
}
const bots = async () =>
  (await (await admin.get('/api/bot/conversations')).json<{ items: BotConversation[] }>()).items;
const whyOf = async () => {
  const [bot] = await bots();
  const path = `/api/bot/answers?conversationId=${bot!.conversation.id}`;
  return (await (await admin.get(path)).json<{ items: ShownAnswer[] }>()).items;
};

describe('a customer', () => {
  test('is answered by the built-in rules, once, and everybody can see why', async () => {
    const hello = said({ phone: PHONE }, 'Hello');
    await arrive(hello);
    await settle();
    await arrive(hello);
    await settle();
    expect(await answers()).toMatchObject([
      { text: 'Hello! How can I help you today?', author: 'bot', state: 'queued', priority: 1 },
    ]);
    expect(await whyOf()).toMatchObject([
      {
        ...{ rule: 'built_in', builtIn: 'greeting', keyword: 'hello', question: 'Hello', flow: null },
        ...{
          intent: 'general_inquiry',
          handoff: null,
          answers: [{ text: 'Hello! How can I help you today?' }],
        },
      },
    ]);
    expect((await whyOf())[0]!.confidence).toBeCloseTo(0.85);
    expect(await bots()).toMatchObject([{ status: 'active', reason: null }]);
  });

  longTest(
    'who nothing matches is asked for details, then gets the fallback message and a person',
    async () => {
      await write('blue');
      await write('blue again');
      await write('and again');
      expect(await textsOf()).toEqual([
        'Thank you for your message. Could you please give me more details, so that I can help you?',
        "I'm sorry, I didn't understand that. Let me connect you with a human agent.",
      ]);
      expect(await bots()).toMatchObject([{ status: 'waiting', reason: 'fallback' }]);
      type Page = { items: ShownAnswer[]; nextCursor: string | null };
      const newest = await (await admin.get('/api/bot/answers?limit=1')).json<Page>();
      const older = await (await admin.get(`/api/bot/answers?cursor=${newest.nextCursor}`)).json<Page>();
      expect([...newest.items, ...older.items].map(({ rule, question }) => [rule, question])).toEqual([
        ['fallback', 'blue again'],
        ['ask_details', 'blue'],
      ]);
      expect(older.nextCursor).toBeNull();
      expect(await (await admin.get('/api/bot/analytics?days=1')).json()).toEqual({
        ...{ conversations: 1, solved: 0, handoffs: [{ reason: 'fallback', n: 1 }] },
        answers: [
          { rule: 'ask_details', n: 1 },
          { rule: 'fallback', n: 1 },
        ],
        unanswered: [
          { question: 'blue again', n: 1, lastAt: expect.any(String) },
          { question: 'blue', n: 1, lastAt: expect.any(String) },
        ],
        ...{ flows: [], outcomes: [], costs: [], times: { answers: 0, medianMs: null, slowestMs: null } },
      });
      // Handed back, it answers again.
      const id = (await bots())[0]!.conversation.id;
      const back = await admin.put(`/api/bot/conversations/${id}/status`, { status: 'active' });
      expect(await back.json()).toMatchObject({ bot: { status: 'active', reason: null } });
      await write('Hello');
      expect(await textsOf()).toHaveLength(3);
    },
  );

  test('who asks for a person gets one, and the flow that spoke last is counted', async () => {
    const { id } = await activate(flow('return', 'Returns are free.'));
    await write('a return');
    await write('no, an AGENT please');
    await write('hello?');
    expect(await textsOf()).toEqual([
      'Returns are free.',
      'I’ll connect you with a human agent. Please wait a moment.',
    ]);
    const { items } = await (await admin.get('/api/bot-flows')).json<{ items: BotFlow[] }>();
    expect(items.find((one) => one.id === id)!.analytics).toMatchObject({ triggered: 1, handoffs: 1 });
    expect(await whyOf()).toMatchObject([
      { rule: 'handoff', keyword: 'agent', handoff: 'keyword' },
      { rule: 'flow', flow: { id, name: 'Returns are free.' }, keyword: 'return' },
    ]);
  });

  test('gets the flow that comes first, its buttons, and nothing of one that is paused', async () => {
    const first = await activate(flow('size', 'Which size?'));
    const second = await activate(
      flow('size', 'Sizes', {
        responses: [{ type: 'quick_reply', content: 'Small or large?', quickReplies: ['Small', 'Large'] }],
      }),
    );
    await admin.put('/api/bot-flows/order', { botFlowIds: [second.id, first.id] });
    await write('what size');
    await admin.put(`/api/bot-flows/${second.id}/active`, { isActive: false });
    await write('what size');
    expect(await textsOf()).toEqual(['Small or large?', 'Which size?']);
    const [{ content }] = await query(`SELECT content FROM messages WHERE text = 'Small or large?'`);
    expect(content.action.buttons ?? content.action).toMatchObject([{ title: 'Small' }, { title: 'Large' }]);
  });

  test('waits for the delay of the settings', async () => {
    await save({ responseDelay: 5000 });
    await arrive(said({ phone: PHONE }, 'Hello'));
    await api.facts.catchUp();
    const [start] = await query(
      `SELECT extract(epoch FROM s.not_before - a.decided_at)::float8 AS seconds FROM flow_starts s, bot_answers a`,
    );
    expect(Math.round(start.seconds)).toBe(5);
    api.advance(5_001);
    await settle();
    expect(await textsOf()).toHaveLength(1);
  });

  test('whom an agent takes over hears nothing more of the bot', async () => {
    const later = { type: 'text', content: 'Still there?', delay: 60_000 };
    await activate(flow('size', 'Sizes', { responses: [later] }));
    await write('what size');
    const id = (await bots())[0]!.conversation.id;
    const taken = await admin.put(`/api/bot/conversations/${id}/status`, { status: 'waiting' });
    expect(taken.status).toBe(200);
    api.advance(60_001);
    await settle();
    expect(await textsOf()).toEqual([]);
    expect(await bots()).toMatchObject([{ status: 'waiting', reason: 'taken_over' }]);
  });

  test('outside business hours hears that it is closed, once', async () => {
    const days = Array.from({ length: 7 }, () => []) as object[][];
    days[(new Date().getUTCDay() + 3) % 7] = [{ from: '09:00', to: '17:00' }];
    const { version } = await (await admin.get('/api/settings/messaging')).json<{ version: number }>();
    await admin.put('/api/settings/messaging', {
      ...{ version, businessHours: { timeZone: 'UTC', days, exceptions: [] } },
    });
    await save({ usesBusinessHours: true, closedMessage: 'Closed, sorry.' });
    await write('Hello');
    await write('Anybody?');
    expect(await textsOf()).toEqual(['Closed, sorry.']);
  });
});

test.each<[string, ReturnType<typeof said>[]]>([
  [
    'old messages of a history',
    Array.from({ length: 30 }, (_, n) =>
      said({ phone: PHONE }, `Hello ${n}`, { occurredAt: Date.now() - 3_600_000 }),
    ),
  ],
  ['a word about consent', [said({ phone: PHONE }, 'STOP')]],
])('%s: no answer', async (_, messages) => {
  await arrive(...messages);
  await settle();
  expect(await textsOf()).toEqual([]);
});

test('fifty messages of one second get one answer, however they arrive', async () => {
  const at = Math.floor(Date.now() / 1000) * 1000 - 5_000;
  for (let n = 0; n < 5; n += 1) {
    await arrive(
      ...Array.from({ length: 10 }, (_, i) => said({ phone: PHONE }, `hello ${n}${i}`, { occurredAt: at })),
    );
    await settle();
  }
  expect(await textsOf()).toHaveLength(1);
});

test('who is blocked gets no answer', async () => {
  await write('Hello');
  expect(await textsOf()).toHaveLength(1);
  await query(`UPDATE contacts SET status = 'blocked'`);
  await write('Hello again');
  expect(await textsOf()).toHaveLength(1);
});

test('nobody is answered before the bot is turned on', async () => {
  await query('DELETE FROM bot_settings');
  await write('Hello');
  expect([await textsOf(), await bots()]).toEqual([[], []]);
});

test('conversations of one page are locked in the order in which everything locks them, not in that of the messages', async () => {
  const phones = [PHONE, '+14155552672'];
  await arrive(...phones.map((phone) => said({ phone }, 'Hello')));
  await settle();
  const [first, last] = await query<{ id: string; phone: string }>(
    `SELECT c.id, k.phone FROM conversations c JOIN contacts k ON k.id = c.contact_id ORDER BY c.contact_id, c.channel_id`,
  );
  const lock = 'SELECT FROM conversations WHERE id = $1 FOR NO KEY UPDATE';
  // The newest message, which is looked at first, is of the conversation that is locked last.
  await arrive(
    said({ phone: first!.phone }, 'agent', { occurredAt: Date.now() - 3_000 }),
    said({ phone: last!.phone }, 'agent', { occurredAt: Date.now() - 1_000 }),
  );
  const client = await api.db.systemPool.connect();
  let settled: Promise<void> | undefined;
  try {
    await client.query('BEGIN');
    await client.query(lock, [first!.id]);
    settled = settle();
    await expect.poll(() => countLockWaits(api.db.systemPool)).toBe(1);
    expect((await client.query(`${lock} NOWAIT`, [last!.id])).rowCount).toBe(1);
  } finally {
    await client.query('ROLLBACK');
    client.release();
    await settled;
  }
  expect((await bots()).map(({ status }) => status)).toEqual(['waiting', 'waiting']);
});
