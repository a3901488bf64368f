import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createSandbox } from '../src/sandbox.ts';

const sandbox = createSandbox();
afterAll(() => sandbox.close());
beforeEach(() => sandbox.openai.reset());

// oxlint-disable-next-line typescript/no-explicit-any -- bodies of whatever a test asks for
type Answer = { status: number; headers: Headers; text: string; body: any };
async function ask(method: string, path: string, body?: object, key = 'sandbox-openai-key'): Promise<Answer> {
  const response = await sandbox.fetch(
    new Request(`http://127.0.0.1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} };
}
const control = (body: object) => ask('POST', '/_sandbox/openai/behaviour', body);
const chat = (content: string, rest: object = {}) =>
  ask('POST', '/openai/v1/chat/completions', {
    ...{ model: 'sandbox-chat', messages: [{ role: 'user', content }] },
    ...rest,
  });
const structured = {
  response_format: {
    type: 'json_schema',
    json_schema: {
      name: 'answer',
      schema: {
        type: 'object',
        properties: {
          ...{ answer: { type: 'string' }, confidence: { type: 'number' } },
          ...{ sources: { type: 'array', items: { type: 'string' } }, language: { type: 'string' } },
        },
      },
    },
  },
};

describe('the stand-in of a model', () => {
  test('says what is scripted, in plain text and in the form that was asked for, and counts tokens', async () => {
    await control({ answers: [{ contains: 'OPEN', text: 'From 9 to 17.', confidence: 0.8 }] });
    const plain = await chat('When do you open?');
    expect(plain.body).toMatchObject({
      ...{ object: 'chat.completion', model: 'sandbox-chat' },
      choices: [{ message: { role: 'assistant', content: 'From 9 to 17.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 },
    });
    const { body } = await chat('When do you open?', structured);
    expect(JSON.parse(body.choices[0].message.content)).toEqual({
      ...{ answer: 'From 9 to 17.', confidence: 0.8, sources: [], language: '' },
    });
    const { body: log } = await ask('GET', '/_sandbox/openai/calls');
    expect(log).toMatchObject({ total: 2, calls: [{ status: 200, model: 'sandbox-chat' }, {}] });
  });

  test('repeats the first source of the prompt, and else does not know', async () => {
    const system = { role: 'system', content: '<source id="s1" title="Hours">From 9 to 17.</source>' };
    const { body } = await chat('hours?', {
      messages: [system, { role: 'user', content: 'hours?' }],
      ...structured,
    });
    expect(JSON.parse(body.choices[0].message.content)).toMatchObject({
      ...{ answer: 'From 9 to 17.', confidence: 0.9, sources: ['s1'] },
    });
    const { body: lost } = await chat('What is the meaning of life?', structured);
    expect(JSON.parse(lost.choices[0].message.content)).toMatchObject({ confidence: 0.2, sources: [] });
  });

  test('lists its models, and makes vectors that are close where texts share words', async () => {
    const { body: models } = await ask('GET', '/openai/v1/models');
    expect(models.data.map(({ id }: { id: string }) => id)).toEqual([
      ...['sandbox-chat', 'sandbox-chat-small', 'sandbox-embedding'],
    ]);
    const { body } = await ask('POST', '/openai/v1/embeddings', {
      ...{ model: 'sandbox-embedding', dimensions: 64 },
      input: ['we open at nine', 'when do we open', 'red shoes'],
    });
    const [open, asked, shoes] = body.data.map(({ embedding }: { embedding: number[] }) => embedding);
    const near = (one: number[], other: number[]) =>
      one.reduce((sum, value, place) => sum + value * other[place]!, 0);
    expect(open).toHaveLength(64);
    expect(near(open, asked)).toBeGreaterThan(near(open, shoes));
  });

  test.each<[string, object, number, RegExp]>([
    ['a removed model', { models: ['other'] }, 404, /model_not_found/],
    ['a status', { status: 429, retryAfterSeconds: 3 }, 429, /rate_limit_error/],
    ['a part of all', { failRate: 1 }, 500, /server_error/],
    ['a page', { fault: 'html' }, 502, /Bad Gateway/],
  ])('fails by %s', async (_, behaviour, status, text) => {
    await control(behaviour);
    const answer = await chat('hello', structured);
    expect(answer.status).toBe(status);
    expect(answer.text).toMatch(text);
    if (status === 429) expect(answer.headers.get('retry-after')).toBe('3');
  });

  test.each<[string, (content: string, reason: string) => boolean]>([
    ['garbage', (content) => !content.startsWith('{') && !content.endsWith('}')],
    ['empty', (content) => content === ''],
    ['large', (content) => content.length === 1024 * 1024],
    ['cut', (_, reason) => reason === 'length'],
  ])('says something %s', async (fault, isSo) => {
    await control({ fault });
    const { body } = await chat('hello', structured);
    expect(isSo(body.choices[0].message.content, body.choices[0].finish_reason)).toBe(true);
  });

  test('refuses a wrong key, a call without a model, and an unknown switch', async () => {
    expect((await ask('GET', '/openai/v1/models', undefined, 'sk-other')).status).toBe(401);
    expect((await ask('POST', '/openai/v1/chat/completions', {})).status).toBe(400);
    expect((await control({ speed: 1 })).status).toBe(400);
    expect((await ask('GET', '/_sandbox/openai/behaviour')).body).toMatchObject({ fault: 'none' });
  });
});
