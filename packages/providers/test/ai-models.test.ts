import type { AiConnection, AiRequest } from '@app/domain/chatbot/model/ai-models';
import type { OutgoingCall, OutgoingCalls } from '@app/domain/network/outgoing-calls';
import { createSandbox, type Sandbox } from '@app/sandbox/sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAiModels } from '../src/ai-models/ai-models.ts';
import { createOutgoingCalls } from '../src/calls/outgoing-calls.ts';

const calls = createOutgoingCalls({ namedHosts: ['127.0.0.1'], pause: async () => {} });
const models = createAiModels({ calls });
let sandbox: Sandbox;
let connection: AiConnection;
beforeAll(async () => {
  sandbox = createSandbox();
  const { url } = await sandbox.start({ port: 0 });
  connection = {
    ...{ workspaceId: 'test', provider: 'compatible', key: 'sandbox-openai-key' },
    baseUrl: `${url}/openai/v1/`,
  };
});
afterAll(async () => {
  await calls.close();
  await sandbox.close();
});
beforeEach(() => sandbox.openai.reset());

const request = (text: string): AiRequest => ({
  ...{ model: 'sandbox-chat', instructions: 'You answer customers.', mostTokens: 500 },
  messages: [{ role: 'user', text }],
});
const script = (text: string, confidence = 0.8) => {
  sandbox.openai.behaviour.answers = [{ contains: 'open', text, confidence }];
};

describe('a model behind an endpoint of the protocol', () => {
  test('gives a structured answer with its usage', async () => {
    script('From 9 to 17.');
    const reply = await models.answer(connection, request('When do you open?'));
    expect(reply).toMatchObject({
      ok: true,
      value: { answer: 'From 9 to 17.', confidence: 0.8, intent: 'question', sources: [], entities: [] },
      usage: { outputTokens: expect.any(Number) },
    });
    const [call] = sandbox.openai.calls.newestFirst();
    expect(call!.body).toMatchObject({ model: 'sandbox-chat', response_format: { type: 'json_schema' } });
  });

  test('writes text, lists its models and makes vectors', async () => {
    script('We open at nine.');
    expect(await models.write(connection, request('open?'))).toMatchObject({ value: 'We open at nine.' });
    expect(await models.listModels(connection)).toMatchObject({
      value: ['sandbox-chat', 'sandbox-chat-small', 'sandbox-embedding'],
    });
    const vectors = await models.embed(connection, { model: 'sandbox-embedding', texts: ['one', 'two'] });
    expect(vectors.ok && vectors.value.map(({ length }) => length)).toEqual([256, 256]);
  });

  test.each<[string, object, string]>([
    ['a wrong key', { status: 401 }, 'key_refused'],
    ['a model that was removed', { models: [] }, 'model_missing'],
    ['a limit', { status: 429 }, 'rate_limited'],
    ['a fault of the provider', { status: 500 }, 'provider_error'],
    ['garbage', { fault: 'garbage' }, 'invalid_answer'],
    ['nothing', { fault: 'empty' }, 'invalid_answer'],
    ['a cut answer', { fault: 'cut' }, 'invalid_answer'],
    ['1 MB', { fault: 'large' }, 'too_large'],
    ['a page of HTML', { fault: 'html' }, 'provider_error'],
  ])('%s is a problem with a name', async (_, behaviour, problem) => {
    Object.assign(sandbox.openai.behaviour, behaviour);
    expect(await models.answer(connection, request('hello'))).toMatchObject({ ok: false, problem });
  });

  test('an endpoint that is away, or in a private network, is a problem with a name', async () => {
    const away = { ...connection, baseUrl: 'http://127.0.0.1:1/v1' };
    expect(await models.answer(away, request('hello'))).toMatchObject({ problem: 'unreachable' });
    const hidden = { ...connection, baseUrl: 'http://169.254.169.254/v1' };
    expect(await models.listModels(hidden)).toMatchObject({ problem: 'address_refused' });
  });

  test('one that knows no structured answers is asked with the form in words', async () => {
    const seen: string[] = [];
    const simple = answering((call) => {
      const body = JSON.parse(String(call.body));
      seen.push(body.response_format?.type ?? 'none');
      if (body.response_format) return [400, { error: { message: 'response_format is not supported' } }];
      const content =
        '```json\n{"answer":"Nine.","confidence":0.7,"intent":"hours","sources":[],"entities":[]}\n```';
      return [200, { choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }] }];
    });
    const reply = await createAiModels({ calls: simple }).answer(connection, request('open?'));
    expect(reply).toMatchObject({ ok: true, value: { answer: 'Nine.', confidence: 0.7 } });
    expect(seen).toEqual(['json_schema', 'none']);
  });
});

test('a model that is late is a problem with a name, and is waited for half a minute at each attempt', async () => {
  const asked: OutgoingCall[] = [];
  const late: OutgoingCalls = {
    ...calls,
    async call(call) {
      asked.push(call);
      return { ...{ outcome: 'unknown', reason: 'response_timeout' }, attempts: 3, durationMs: 90_000 };
    },
  };
  const reply = await createAiModels({ calls: late }).answer(connection, request('hello'));
  expect(reply).toMatchObject({ ok: false, problem: 'timeout' });
  expect(asked).toMatchObject([{ timeoutMs: 30_000, retry: { attempts: 3 } }]);
});

const ANSWER = JSON.stringify({
  ...{ answer: 'Nine.', confidence: 0.9, intent: 'hours', sources: [], entities: [] },
});
/** What each hosted provider is asked and answers, as its documentation describes it. */
test.each<[AiConnection['provider'], string, Record<string, string>, object]>([
  [
    'openai',
    'https://api.openai.com/v1/chat/completions',
    { authorization: 'Bearer k' },
    {
      choices: [{ index: 0, message: { role: 'assistant', content: ANSWER }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 },
    },
  ],
  [
    'anthropic',
    'https://api.anthropic.com/v1/messages',
    { 'x-api-key': 'k' },
    {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn' },
      content: [{ type: 'text', text: ANSWER }],
      usage: { input_tokens: 5, output_tokens: 7 },
    },
  ],
  [
    'google',
    'https://generativelanguage.googleapis.com/v1beta/models/m:generateContent',
    { 'x-goog-api-key': 'k' },
    {
      candidates: [{ content: { role: 'model', parts: [{ text: ANSWER }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 7, totalTokenCount: 12 },
    },
  ],
])('%s is asked at its own address and with its own key', async (provider, url, headers, body) => {
  const asked: OutgoingCall[] = [];
  const hosted = createAiModels({
    calls: answering((call) => {
      asked.push(call);
      return [200, body];
    }),
  });
  const reply = await hosted.answer(
    { workspaceId: 'test', provider, baseUrl: null, key: 'k' },
    { ...request('open?'), model: 'm' },
  );
  expect(reply).toMatchObject({
    ...{ ok: true, value: { answer: 'Nine.' }, usage: { inputTokens: 5, outputTokens: 7 } },
  });
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({ url, headers, method: 'POST' });
});

/** A service in place of the network; the port itself has tests of its own. */
function answering(answer: (call: OutgoingCall) => [status: number, body: object]): OutgoingCalls {
  return {
    checkAddress: () => null,
    isNamed: () => true,
    async call(call) {
      const [status, body] = answer(call);
      const text = JSON.stringify(body);
      const response = {
        ...{ status, headers: { 'content-type': 'application/json' }, body: Buffer.from(text) },
        ...{ text: () => text, json: () => body, isComplete: true },
      };
      const times = { attempts: 1, durationMs: 1 };
      return status < 300
        ? { outcome: 'ok', response, ...times }
        : { outcome: 'rejected', response, reason: 'status', retryAfterMs: null, ...times };
    },
  };
}
