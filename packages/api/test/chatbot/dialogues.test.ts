import { beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { createFlowEngine } from '@app/flows/flow-engine';
import { openFlowHost } from '../../src/automation/engine/flow-host.ts';
import type { BotConversation, ShownAnswer } from '../../src/chatbot/bot-conversations.ts';
import type { BotFlow } from '../../src/chatbot/bot-flows-queries.ts';
import { listFlowEffects } from '../../src/features.ts';
import { openArrivals } from '../arrivals.ts';
import { said } from '../arriving-events.ts';

const PHONE = '+14155552671';
const { admin, api, arrive, query } = await openArrivals();
const engine = createFlowEngine(openFlowHost(api.parts, listFlowEffects(api.parts)));

beforeEach(async () => {
  for (const table of ['bot_answers', 'bot_settings', 'flows', 'flow_log'])
    await query(`DELETE FROM ${table}`);
  spoken = 0;
  await admin.put('/api/bot/settings', { isEnabled: true, responseDelay: 0, version: 0 });
});

const settle = async () => {
  for (let round = 0; round < 4; round += 1) {
    await api.facts.catchUp();
    await engine.drain();
  }
};
let spoken = 0;
/** Each a few seconds after the one before, as people write. */
const write = async (text: string, tapped?: string) => {
  spoken += 1;
  const what = tapped
    ? { type: 'button_reply' as const, source: 'interactive' as const, payload: tapped, title: text }
    : text;
  await arrive(said({ phone: PHONE }, what, { occurredAt: Date.now() - 600_000 + spoken * 5_000 }));
  await settle();
};
const texts = async () =>
  (await query<{ text: string }>(`SELECT text FROM messages WHERE direction = 'out' ORDER BY send_no`)).map(
    ({ text }) => text,
  );
const day = { amount: 1, unit: 'days' };
const question = (text: string, rest: object = {}) => ({
  ...{ text, answer: 'text', save_to: 'flow', attempts: 2, timeout: day },
  ...rest,
});
const stepOf = (id: string, type: string, config: object, next: object = {}) => ({ id, type, config, next });
const say = (id: string, text: string, next: object = {}) =>
  stepOf(id, 'send_message', { content: 'text', text }, next);

/** Published and active. */
async function begin(steps: readonly { id: string }[], rest: object = {}): Promise<BotFlow> {
  const made = await admin.post('/api/bot-flows/import', {
    ...{ kind: 'bot', name: 'Dialogue', start: steps[0]?.id, steps },
    triggers: [{ id: 'begin', type: 'keyword', config: { value: 'order' } }],
    ...rest,
  });
  expect(made.status).toBe(200);
  const flow = await made.json<BotFlow>();
  expect(await (await admin.post(`/api/workflows/${flow.id}/publish`, { version: 1 })).json()).toMatchObject({
    ...{ status: 'paused', problems: [] },
  });
  expect((await admin.put(`/api/bot-flows/${flow.id}/active`, { isActive: true })).status).toBe(200);
  return flow;
}
const why = async () => (await (await admin.get('/api/bot/answers')).json<{ items: ShownAnswer[] }>()).items;
const bots = async () =>
  (await (await admin.get('/api/bot/conversations')).json<{ items: BotConversation[] }>()).items;
const runs = () =>
  query<{ status: string; end_code: string | null; step_id: string | null; state: never }>(
    `SELECT r.status, r.end_code, r.step_id, r.state FROM flow_runs r JOIN bot_flows b ON b.id = r.flow_id ORDER BY r.started_at, r.id`,
  );

describe('a dialogue', () => {
  test('takes each message as the answer to its question, and says why', async () => {
    await begin([
      stepOf('number', 'ask', question('What is your order number?', { answer: 'number' }), { done: 'mail' }),
      stepOf('mail', 'ask', question('Your email?', { answer: 'email', save_to: 'email' })),
    ]);
    await write('Where is my order?');
    await write('I forgot it');
    await write('4711');
    await write('order@example.com');
    expect(await texts()).toEqual([
      'What is your order number?',
      'Please answer with a number, such as 12.\n\nWhat is your order number?',
      'Your email?',
    ]);
    expect(await runs()).toMatchObject([
      {
        status: 'completed',
        state: { steps: { number: { answer: '4711' }, mail: { answer: 'order@example.com' } } },
      },
    ]);
    expect(await query('SELECT email FROM contacts')).toEqual([{ email: 'order@example.com' }]);
    expect((await why()).map(({ rule, flow, answers }) => [rule, flow?.name, answers.length])).toEqual([
      ...[
        ['run', 'Dialogue', 0],
        ['run', 'Dialogue', 1],
        ['run', 'Dialogue', 1],
        ['flow', 'Dialogue', 1],
      ],
    ]);
  });

  test('that offers people goes its own way to them, although the choice has a handoff keyword', async () => {
    const choices = [
      { name: 'post', title: 'My parcel' },
      { name: 'sales', title: 'Talk to an agent' },
    ];
    await begin([
      stepOf(
        'menu',
        'offer_choices',
        { text: 'What is it about?', choices, attempts: 2, timeout: day },
        { sales: 'people' },
      ),
      stepOf('people', 'handoff', { to: 'anyone', text: 'Sales will write to you.' }),
    ]);
    await write('order');
    await write('Talk to an agent', 'menu:sales');
    expect(await texts()).toEqual(['What is it about?', 'Sales will write to you.']);
    expect((await why())[0]).toMatchObject({ rule: 'run', keyword: null });
  });

  test('leaves by its own way after as many wrong answers as it takes', async () => {
    await begin([
      stepOf('day', 'ask', question('Which day?', { answer: 'date', retry_text: 'A day, please.' }), {
        invalid: 'people',
      }),
      stepOf('people', 'handoff', { to: 'anyone' }),
    ]);
    await write('order');
    await write('soon');
    await write('03/04/2026');
    expect(await texts()).toEqual(['Which day?', 'A day, please.']);
    expect(await runs()).toMatchObject([{ status: 'completed', end_code: 'handed_over' }]);
    expect(await bots()).toMatchObject([{ status: 'waiting', reason: 'flow' }]);
    expect(await (await admin.get('/api/bot-flows')).json()).toMatchObject({
      items: [{ analytics: { triggered: 1, completed: 1, handoffs: 1 } }],
    });
    await write('hello?');
    expect(await texts()).toHaveLength(2);
  });

  longTest.each([
    ['a tap', 'Tapped', 'menu:post', 'post'],
    ['a typed name', 'by post, please', undefined, 'post'],
    ['a number of the list', '2', undefined, 'shop'],
    ['something else', 'neither', undefined, 'other'],
  ])('goes the way of the choice by %s', async (_, text, tapped, way) => {
    await begin([
      stepOf(
        ...(['menu', 'offer_choices'] as const),
        {
          ...{ text: 'How?', attempts: 1, timeout: day },
          choices: [
            { name: 'post', title: 'By post' },
            { name: 'shop', title: 'In the shop' },
          ],
        },
        { post: 'a', shop: 'b', other: 'c' },
      ),
      ...['a', 'b', 'c'].map((id) => stepOf(id, 'wait_for_reply', { timeout: day })),
    ]);
    await write('order');
    await write(text, tapped);
    expect(await runs()).toMatchObject([{ step_id: { post: 'a', shop: 'b', other: 'c' }[way] }]);
  });

  longTest('ends where a word asks for people, and where the bot is turned off', async () => {
    await begin([stepOf('name', 'ask', question('Your name?'))]);
    await write('order');
    await write('a human, please');
    expect(await runs()).toMatchObject([{ status: 'cancelled', end_code: 'handed_over' }]);
    const [bot] = await bots();
    await admin.put(`/api/bot/conversations/${bot!.conversation.id}/status`, { status: 'active' });
    await write('order');
    await admin.put('/api/bot/settings', { isEnabled: false, version: 1 });
    await settle();
    expect(await runs()).toMatchObject([{}, { status: 'cancelled', end_code: 'bot_off' }]);
  });

  longTest('answers in its turn what came while it was busy', async () => {
    await begin([stepOf('name', 'ask', question('Your name?'))]);
    await begin([say('hours', 'From 9 to 17.')], {
      triggers: [{ id: 'begin', type: 'keyword', config: { value: 'open' } }],
    });
    await write('order');
    const at = Date.now() - 300_000;
    await arrive(said({ phone: PHONE }, 'Ann', { occurredAt: at }));
    await api.facts.catchUp();
    await arrive(said({ phone: PHONE }, 'Are you open?', { occurredAt: at + 3_000 }));
    await settle();
    await expect
      .poll(async () => {
        await settle();
        return texts();
      })
      .toEqual(['Your name?', 'From 9 to 17.']);
    expect(await runs()).toMatchObject([{ status: 'completed' }, {}]);
  });

  longTest(
    'takes a reply that was stored before its time was over, also where nobody has read it yet',
    async () => {
      await begin([stepOf('name', 'ask', question('Your name?'))]);
      await write('order');
      await arrive(said({ phone: PHONE }, 'Ann', { occurredAt: Date.now() - 300_000 }));
      await query(
        `UPDATE flow_runs SET due_at = now(), state = jsonb_set(state, '{wait,until}', to_jsonb(extract(epoch FROM now()) * 1000 - 1000))`,
      );
      await engine.drain();
      // The facts may be read by now, and the answer taken.
      expect(await query(`SELECT FROM flow_log WHERE exit = 'timed_out'`)).toEqual([]);
      await settle();
      expect(await query('SELECT exit FROM flow_log')).toEqual([{ exit: 'done' }]);
    },
  );

  longTest('tells the people what was answered to its questions', async () => {
    await begin([
      stepOf('name', 'ask', question('Your name?'), { done: 'how' }),
      stepOf(
        'how',
        'offer_choices',
        { text: 'How?', attempts: 1, timeout: day, choices: [{ name: 'post', title: 'By post' }] },
        { post: 'people' },
      ),
      stepOf('people', 'handoff', { to: 'anyone' }),
    ]);
    await write('order');
    await write('Zoë');
    await write('By post', 'how:post');
    const [bot] = await bots();
    expect(await (await admin.get(`/api/bot/conversations/${bot!.conversation.id}`)).json()).toMatchObject({
      bot: {
        handoff: {
          question: 'By post',
          values: [
            { name: 'Your name?', value: 'Zoë' },
            { name: 'How?', value: 'By post' },
          ],
        },
      },
    });
  });

  longTest(
    'sends files of the library and of addresses, and goes another way where a file is gone',
    async () => {
      const [file] = await query<{ id: string }>(
        `INSERT INTO media (id, workspace_id, name, type, mime_type, size, sha256, storage_key)
       SELECT gen_random_uuid(), id, 'Map.pdf', 'document', 'application/pdf', 9, repeat('0', 64), 'none' FROM workspaces RETURNING id`,
      );
      const media = (id: string, config: object, next: object = {}) =>
        stepOf(id, 'send_media', { media: 'document', source: 'library', ...config }, next);
      await begin([
        media('map', { file: file!.id, caption: 'For {{contact.name}}' }, { done: 'far' }),
        media(
          'far',
          { media: 'image', source: 'address', link: 'https://example.com/a.png' },
          { done: 'no' },
        ),
        media('no', { media: 'image', file: file!.id }, { failed: 'end' }),
        say('end', 'No picture.'),
      ]);
      await write('order');
      // Nothing sends here: each message is said to have left.
      for (let round = 0; round < 3; round += 1) {
        await query(
          `INSERT INTO flow_inputs (workspace_id, run_id, source, input, at)
         SELECT e.workspace_id, e.run_id, 'test/' || e.visit, jsonb_build_object('kind', 'outcome', 'visit', e.visit, 'number', e.number,
                'outcome', '{"status": "done"}'::jsonb), now() FROM flow_effects e ON CONFLICT DO NOTHING`,
        );
        await query(`UPDATE flow_runs SET due_at = now() WHERE status = 'running'`);
        await settle();
      }
      const sent = await query<{ content: object }>(
        `SELECT content FROM messages WHERE direction = 'out' ORDER BY send_no`,
      );
      expect(sent.map(({ content }) => content)).toMatchObject([
        {
          kind: 'document',
          media: { libraryId: file!.id },
          filename: 'Map.pdf',
          caption: expect.stringMatching(/^For /),
        },
        { kind: 'image', media: { link: 'https://example.com/a.png' } },
        { body: 'No picture.' },
      ]);
      expect((await admin.delete(`/api/media/${file!.id}`)).status).toBe(409);
      await query('DELETE FROM media');
      const [flow] = (await (await admin.get('/api/bot-flows')).json<{ items: BotFlow[] }>()).items;
      const read = await (await admin.get(`/api/workflows/${flow!.id}`)).json<{ problems: object[] }>();
      expect(read.problems).toMatchObject([
        { code: 'reference_gone', id: 'map', field: 'file' },
        { code: 'reference_gone', id: 'no', field: 'file' },
      ]);
    },
  );

  test('goes on in another flow, which begins with the same message', async () => {
    const second = await begin([say('hi', 'Second here: {{trigger.text}}')], {
      triggers: [{ id: 'begin', type: 'keyword', config: { value: 'second' } }],
    });
    await begin([stepOf('go', 'start_bot_flow', { flow: second.id })]);
    await write('my order');
    expect(await texts()).toEqual(['Second here: my order']);
    expect(await runs()).toMatchObject([
      { status: 'completed', end_code: 'flow_started' },
      { status: 'running', step_id: 'hi' },
    ]);
  });

  longTest(
    'that begins itself ends after a few times, and a menu that people go round in does not',
    async () => {
      const self = async (steps: (id: string) => { id: string }[], value: string) => {
        const flow = await begin([say('go', 'Soon.')], {
          triggers: [{ id: 'begin', type: 'keyword', config: { value } }],
        });
        const path = `/api/workflows/${flow.id}`;
        const read = await (await admin.get(path)).json<{ flow: object; version: number }>();
        const made = steps(flow.id);
        const draft = { ...read.flow, steps: made, start: made[0]!.id, version: read.version };
        expect((await admin.put(path, draft)).status).toBe(200);
        expect((await admin.post(`${path}/publish`, { version: read.version + 1 })).status).toBe(200);
      };
      await self((flow) => [stepOf('go', 'start_bot_flow', { flow })], 'round');
      await write('round');
      await settle();
      const inARow = await runs();
      expect(inARow.at(-1)).toMatchObject({ status: 'failed', end_code: 'chain_depth' });
      expect(inARow).toHaveLength(6);

      await query('DELETE FROM flow_runs');
      await self(
        (flow) => [
          stepOf('menu', 'ask', question('What next?'), { done: 'again' }),
          stepOf('again', 'start_bot_flow', { flow }),
        ],
        'menu',
      );
      await write('menu');
      for (let n = 0; n < 7; n += 1) await write(`answer ${n}`);
      expect(await texts()).toEqual(Array.from({ length: 8 }, () => 'What next?'));
    },
  );

  test('of a draft is not what customers get until it is published', async () => {
    const flow = await begin([stepOf('name', 'ask', question('Your name?'))]);
    const read = await (
      await admin.get(`/api/workflows/${flow.id}`)
    ).json<{ flow: object; version: number }>();
    const draft = { ...read.flow, steps: [stepOf('name', 'ask', question('Changed?'))] };
    const saved = await admin.put(`/api/workflows/${flow.id}`, { ...draft, version: read.version });
    expect(await saved.json()).toMatchObject({ hasChanges: true, publishedVersion: 1, version: 2 });
    await write('order');
    expect(await texts()).toEqual(['Your name?']);
    expect((await admin.post(`/api/workflows/${flow.id}/publish`, { version: 2 })).status).toBe(200);
    expect(await (await admin.get('/api/bot-flows')).json()).toMatchObject({
      items: [{ isActive: true, hasChanges: false, responses: null, steps: ['ask'] }],
    });
  });
});

test('a reply for which a workflow waits is left to it', async () => {
  await write('hello');
  const [{ id: contactId }] = await query('SELECT id FROM contacts');
  const made = await admin.post('/api/workflows', {
    ...{
      kind: 'workflow',
      name: 'Was it right?',
      start: 'wait',
      triggers: [{ id: 'hand', type: 'by_hand', config: {} }],
    },
    steps: [
      stepOf('wait', 'wait_for_reply', { timeout: day }, { replied: 'tag' }),
      stepOf('tag', 'add_tag', { tag: 'asked' }),
    ],
  });
  const { id } = await made.json<{ id: string }>();
  expect((await admin.post(`/api/workflows/${id}/publish`, { version: 1 })).status).toBe(200);
  expect((await admin.post(`/api/workflows/${id}/runs`, { contactIds: [contactId] })).status).toBe(200);
  await settle();
  const before = await texts();
  await write('Yes');
  expect(await texts()).toEqual(before);
  expect(await query('SELECT tags FROM contacts')).toEqual([{ tags: ['asked'] }]);
  await write('hello again');
  expect(await texts()).toHaveLength(before.length + 1);
});

test('a flow that was never published answers nobody, and does nothing else that workflows do', async () => {
  const made = await (
    await admin.post('/api/bot-flows/import', { kind: 'bot', name: 'Empty' })
  ).json<BotFlow>();
  const active = await admin.put(`/api/bot-flows/${made.id}/active`, { isActive: true });
  expect([active.status, await active.json()]).toMatchObject([
    409,
    { error: { code: 'bot_flow_not_published' } },
  ]);
  expect((await admin.post(`/api/workflows/${made.id}/publish`, { version: 1 })).status).toBe(422);
  expect((await admin.post(`/api/workflows/${made.id}/activate`)).status).toBe(404);
  expect((await admin.delete(`/api/workflows/${made.id}`)).status).toBe(404);
});
