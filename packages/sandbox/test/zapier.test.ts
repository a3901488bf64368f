import { afterAll, beforeEach, expect, test } from 'vitest';
import { createSandbox } from '../src/sandbox.ts';

const sandbox = createSandbox();
afterAll(() => sandbox.close());
beforeEach(() => sandbox.zapier.reset());

const send = (path: string, body: unknown) =>
  sandbox.fetch(
    new Request(`http://127.0.0.1${path}`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
    }),
  );
const HOOK = '/zapier/hooks/catch/4242/sandbox/';

test('a hook catches objects, and says so whether the Zap is on or not', async () => {
  const answer = await send(HOOK, { id: '1' });
  expect([answer.status, await answer.json()]).toMatchObject([200, { status: 'success' }]);
  expect((await send(HOOK, 'words')).status).toBe(400);
  expect(sandbox.zapier.listRecords()).toMatchObject([
    { values: { hook: '4242/sandbox', body: '{"id":"1"}' } },
  ]);
});

test('limits, faults and a hook that is gone answer as Zapier does', async () => {
  Object.assign(sandbox.zapier.behaviour, { rejectNext: 1, retryAfterSeconds: 3 });
  const limited = await send(HOOK, {});
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '3']);
  sandbox.zapier.behaviour.isUnsubscribed = true;
  expect((await send('/zapier/hooks/standard/9/one/', {})).status).toBe(410);
});
