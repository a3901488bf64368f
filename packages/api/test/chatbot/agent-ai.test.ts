import { createAiModels } from '@app/providers/ai-models/ai-models';
import { createOutgoingCalls } from '@app/providers/calls/outgoing-calls';
import { createSandbox } from '@app/sandbox/sandbox';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openArrivals } from '../arrivals.ts';
import { said } from '../arriving-events.ts';

const PHONE = '+14155552671';
const sandbox = createSandbox();
const { url } = await sandbox.start({ port: 0 });
const calls = createOutgoingCalls({ namedHosts: ['127.0.0.1'], pause: async () => {} });
const { admin, arrive, query } = await openArrivals({ aiModels: createAiModels({ calls }) });
afterAll(async () => {
  await calls.close();
  await sandbox.close();
});

const connection = {
  ...{ provider: 'compatible', baseUrl: `${url}/openai/v1`, key: 'sandbox-openai-key' },
  ...{ model: 'sandbox-chat', priceIn: 2_000_000, priceOut: 10_000_000, version: 0 },
};
let conversationId = '';
beforeEach(async () => {
  for (const table of ['ai_calls', 'ai_connections', 'bot_settings', 'bot_knowledge', 'contacts'])
    await query(`DELETE FROM ${table}`);
  sandbox.openai.reset();
  const saved = await admin.put('/api/bot/ai', connection);
  if (saved.status !== 200) throw new Error(await saved.text());
  await arrive(said({ phone: PHONE }, '¿Cuándo abren? Soy ana@example.com'));
  conversationId = (await query<{ id: string }>('SELECT id FROM conversations'))[0]!.id;
});

const script = (text: string) => {
  sandbox.openai.behaviour.answers = [{ contains: '', text, confidence: 1 }];
};
const ask = (task: string, text?: string, key?: string) =>
  admin.post(
    `/api/conversations/${conversationId}/ai-text`,
    { task, language: 'de', ...(text !== undefined && { text }) },
    key,
  );
const answer = async (task: string, text?: string) => (await ask(task, text)).json();
const prompts = () =>
  [...sandbox.openai.calls.newestFirst()].map(({ body }) => {
    const [rules, ...talk] = body['messages'] as { role: string; content: string }[];
    return { rules: rules!.content, talk: JSON.stringify(talk) };
  });
const sent = () => query(`SELECT FROM messages WHERE direction = 'out'`);

describe('an agent', () => {
  test('gets a reply from the knowledge, which nobody sends, and its cost is counted', async () => {
    await admin.post('/api/bot/knowledge', { question: '¿Cuándo abren?', answer: 'De 9 a 17.' });
    await admin.put('/api/bot/settings', { businessFacts: 'Shoes since 1990.', version: 0 });
    script('Abrimos de 9 a 17, ¿le escribo a [email 1]?');
    expect(await answer('suggest')).toEqual({
      ...{ text: 'Abrimos de 9 a 17, ¿le escribo a ana@example.com?', problem: null },
    });
    const [{ rules, talk }] = prompts() as [ReturnType<typeof prompts>[0]];
    expect(rules).toMatch(/Shoes since 1990[^]*De 9 a 17/);
    expect(rules + talk).not.toContain('ana@example.com');
    expect(await sent()).toEqual([]);
    expect(await query('SELECT purpose, state, cost > 0 AS priced FROM ai_calls')).toEqual([
      { purpose: 'agent', state: 'done', priced: true },
    ]);
  });

  test.each([
    ['friendlier', 'friendlier tone'],
    ['to_customer', 'language in which the customer writes'],
    ['to_agent', 'into German'],
  ])('gets a text back: %s', async (task, wanted) => {
    script('Hola');
    expect(await answer(task, 'Hello there')).toEqual({ text: 'Hola', problem: null });
    expect(prompts()[0]!.talk).toMatch(/Hello there/);
    expect(prompts()[0]!.talk).toContain(wanted);
  });

  test('who presses twice makes one call, and the second one hears the same', async () => {
    script('Once.');
    sandbox.openai.behaviour.latencyMs = 500;
    const key = 'pressed-twice-1';
    const both = await Promise.all([ask('summarize', '', key), ask('summarize', '', key)]);
    for (const one of both) expect(await one.json()).toEqual({ text: 'Once.', problem: null });
    expect(sandbox.openai.calls.total).toBe(1);
  });

  test.each<[string, object, string]>([
    ['is gone', { models: [] }, 'model_missing'],
    ['fails', { status: 500 }, 'provider_error'],
    ['says nothing', { fault: 'empty' }, 'invalid_answer'],
    ['says 1 MB', { fault: 'large' }, 'too_large'],
  ])('hears why there is no text where the model %s', async (_, behaviour, problem) => {
    Object.assign(sandbox.openai.behaviour, behaviour);
    expect(await answer('suggest')).toEqual({ text: null, problem });
    expect(await query('SELECT state, problem FROM ai_calls')).toEqual([{ state: 'failed', problem }]);
  });

  test('makes no call without a model, without budget, or where nobody said anything', async () => {
    const { version } = await (await admin.get('/api/bot/settings')).json<{ version: number }>();
    await admin.put('/api/bot/settings', { modelTokensPerDay: 0, version });
    expect(await answer('suggest')).toEqual({ text: null, problem: 'budget' });
    await query('DELETE FROM bot_settings');
    await query(`DELETE FROM messages`);
    expect(await answer('summarize')).toEqual({ text: null, problem: 'nothing_said' });
    await admin.post('/api/bot/ai/disconnect', {});
    expect(await answer('shorter', 'Hello')).toEqual({ text: null, problem: 'not_connected' });
    expect((await ask('shorter', ' ')).status).toBe(422);
    expect(sandbox.openai.calls.total).toBe(0);
  });
});
