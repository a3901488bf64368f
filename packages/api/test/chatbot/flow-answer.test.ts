import { createAiModels } from '@app/providers/ai-models/ai-models';
import { createOutgoingCalls } from '@app/providers/calls/outgoing-calls';
import { createSandbox } from '@app/sandbox/sandbox';
import { createFlowEngine } from '@app/flows/flow-engine';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { openFlowHost } from '../../src/automation/engine/flow-host.ts';
import type { BotFlow } from '../../src/chatbot/bot-flows-queries.ts';
import { listFlowEffects } from '../../src/features.ts';
import { openArrivals } from '../arrivals.ts';
import { said } from '../arriving-events.ts';

const sandbox = createSandbox();
const { url } = await sandbox.start({ port: 0 });
const calls = createOutgoingCalls({ namedHosts: ['127.0.0.1'], pause: async () => {} });
const { admin, api, arrive, query } = await openArrivals({ aiModels: createAiModels({ calls }) });
const engine = createFlowEngine(openFlowHost(api.parts, listFlowEffects(api.parts)));
afterAll(async () => {
  await calls.close();
  await sandbox.close();
});

beforeEach(async () => {
  for (const table of ['bot_answers', 'bot_settings', 'flows', 'flow_log', 'ai_calls', 'ai_connections'])
    await query(`DELETE FROM ${table}`);
  sandbox.openai.reset();
  await admin.put('/api/bot/settings', { isEnabled: true, responseDelay: 0, version: 0 });
  const made = await admin.post('/api/bot-flows/import', {
    ...{ kind: 'bot', name: 'Ask', start: 'consent' },
    triggers: [{ id: 'begin', type: 'keyword', config: { value: 'lamp' } }],
    steps: [
      { id: 'consent', type: 'record_opt_in', config: { text: 'News about lamps' }, next: { done: 'model' } },
      {
        ...{ id: 'model', type: 'ai_answer', config: { question: '{{trigger.text}}' } },
        next: { unsure: 'people', failed: 'people' },
      },
      { id: 'people', type: 'handoff', config: { to: 'anyone' }, next: {} },
    ],
  });
  const { id } = await made.json<BotFlow>();
  await admin.post(`/api/workflows/${id}/publish`, { version: 1 });
  await admin.put(`/api/bot-flows/${id}/active`, { isActive: true });
});

const connect = () =>
  admin.put('/api/bot/ai', {
    ...{
      provider: 'compatible',
      baseUrl: `${url}/openai/v1`,
      key: 'sandbox-openai-key',
      model: 'sandbox-chat',
    },
    version: 0,
  });
async function write(text: string): Promise<void> {
  await arrive(said({ phone: '+14155552671' }, text));
  // A job asks the model; the message of the step waits to be sent, and the run with it.
  await expect
    .poll(async () => {
      await api.facts.catchUp();
      await engine.drain();
      return query(
        `SELECT FROM flow_runs WHERE status = 'running' AND step_id IS DISTINCT FROM 'model'
          UNION ALL SELECT FROM flow_effects WHERE kind = 'ai_answer' AND state IN ('asked', 'begun')
          UNION ALL SELECT FROM flow_inputs WHERE is_open`,
      );
    })
    .toEqual([]);
}
const texts = async () =>
  (await query<{ text: string }>(`SELECT text FROM messages WHERE direction = 'out' ORDER BY send_no`)).map(
    ({ text }) => text,
  );
const runs = () => query('SELECT status, end_code, step_id FROM flow_runs ORDER BY started_at');

test('the model answers within a flow, and what the contact agreed to is recorded', async () => {
  await connect();
  sandbox.openai.behaviour.answers = [{ contains: 'lamp', text: 'We have three.', confidence: 0.9 }];
  await admin.put('/api/bot/settings', { businessFacts: 'Lamps: three kinds.', version: 1 });
  await write('Which lamp do you have?');
  expect(await texts()).toEqual(['We have three.']);
  expect(await query('SELECT purpose, state FROM ai_calls')).toEqual([{ purpose: 'flow', state: 'done' }]);
  expect(await query('SELECT kind, source, text, recorded_by FROM contact_consents')).toEqual([
    { kind: 'opt_in', source: 'bot', text: 'News about lamps', recorded_by: 'Ask' },
  ]);
});

test.each([
  [
    'is not sure',
    async () => (sandbox.openai.behaviour.answers = [{ contains: 'lamp', text: 'Maybe.', confidence: 0.2 }]),
  ],
  ['is not there', null],
])('a model that %s leads to people', async (_, prepare) => {
  if (prepare) {
    await connect();
    await prepare();
  }
  await write('Which lamp?');
  expect(await texts()).toEqual([]);
  expect(await runs()).toMatchObject([{ status: 'completed', end_code: 'handed_over' }]);
});
