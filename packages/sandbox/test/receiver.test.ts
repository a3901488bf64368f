import { beforeEach, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../src/sandbox.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = createSandbox();
});
const call = (path: string, init: RequestInit = {}) =>
  sandbox.fetch(new Request(`http://127.0.0.1/_sandbox/receiver/${path}`, init));
const post = (path: string, body: object) =>
  call(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const requests = async (name: string) =>
  ((await (await call(`${name}/requests`)).json()) as { requests: Record<string, unknown>[] }).requests;

test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])(
  'a receiver keeps what it is sent by %s',
  async (method) => {
    const answer = await call('shop?a=1', {
      ...{ method, headers: { 'webhook-id': 'one' } },
      ...(method !== 'GET' && { body: '{"type":"x"}' }),
    });
    expect(answer.status).toBe(200);
    expect(await requests('shop')).toMatchObject([
      {
        ...{ method, query: { a: '1' }, headers: { 'webhook-id': 'one' }, status: 200 },
        body: method === 'GET' ? '' : '{"type":"x"}',
      },
    ]);
    expect(await requests('other')).toEqual([]);
  },
);

test('requests stand in the order in which they came', async () => {
  for (const n of [1, 2, 3]) await post('shop', { n });
  expect((await requests('shop')).map(({ body }) => body)).toEqual(['{"n":1}', '{"n":2}', '{"n":3}']);
});

test('it answers as it is told to, until a reset', async () => {
  expect(await (await post('shop/behaviour', { status: 503, latencyMs: 5 })).json()).toEqual({
    ...{ status: 503, latencyMs: 5 },
  });
  expect((await post('shop', {})).status).toBe(503);
  await sandbox.fetch(new Request('http://127.0.0.1/_sandbox/reset', { method: 'POST' }));
  expect((await post('shop', {})).status).toBe(200);
  expect(await requests('shop')).toHaveLength(1);
});

test('what it was sent can be thrown away', async () => {
  await post('shop', {});
  await call('shop/requests', { method: 'DELETE' });
  expect(await requests('shop')).toEqual([]);
});

test.each([{ status: 99 }, { status: 'broken' }, { latencyMs: -1 }, { latencyMs: 1e9 }])(
  'the behaviour %o is refused',
  async (behaviour) => {
    expect((await post('shop/behaviour', behaviour)).status).toBe(400);
    expect((await post('shop', {})).status).toBe(200);
  },
);
