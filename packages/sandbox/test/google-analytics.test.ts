import { afterAll, beforeEach, expect, test } from 'vitest';
import { createSandbox } from '../src/sandbox.ts';

const sandbox = createSandbox();
afterAll(() => sandbox.close());
beforeEach(() => sandbox.google_analytics.reset());

const QUERY = 'measurement_id=G-SANDBOX01&api_secret=sandbox-google-analytics-secret';
const post = (path: string, body: object, query = QUERY) =>
  sandbox.fetch(
    new Request(`http://127.0.0.1/google_analytics${path}?${query}`, {
      method: 'POST',
      body: JSON.stringify(body),
    }),
  );
const GOOD = { client_id: '1.2', events: [{ name: 'msg_test', params: { value: 1 } }] };
const codesOf = async (body: object) => {
  const { validationMessages } = (await (await post('/debug/mp/collect', body)).json()) as {
    validationMessages: { validationCode: string }[];
  };
  return validationMessages.map(({ validationCode }) => validationCode);
};

test('says 204 to everything, and counts what is good and its own', async () => {
  expect((await post('/mp/collect', GOOD)).status).toBe(204);
  expect((await post('/mp/collect', GOOD, 'measurement_id=G-OTHER&api_secret=x')).status).toBe(204);
  expect((await post('/mp/collect', { events: [] })).status).toBe(204);
  expect([...sandbox.google_analytics.events.newestFirst()]).toMatchObject([
    { name: 'msg_test', clientId: '1.2', userId: null, params: { value: 1 } },
  ]);
});

test.each([
  [GOOD, []],
  [{ events: GOOD.events }, ['VALUE_REQUIRED']],
  [{ client_id: '1.2', events: [] }, ['VALUE_REQUIRED']],
  [{ ...GOOD, events: [{ name: '1st' }] }, ['NAME_INVALID']],
  [{ ...GOOD, events: [{ name: 'session_start' }] }, ['NAME_RESERVED']],
  [{ ...GOOD, events: Array.from({ length: 26 }, () => ({ name: 'a' })) }, ['EXCEEDED_MAX_ENTITIES']],
  [{ ...GOOD, events: [{ name: 'a', params: { b: 'x'.repeat(101) } }] }, ['VALUE_INVALID']],
  [{ ...GOOD, timestamp_micros: '1000000' }, ['VALUE_OUT_OF_BOUNDS']],
])('says of %j: %j', async (body, codes) => {
  expect(await codesOf(body)).toEqual(codes);
  expect(sandbox.google_analytics.events.total).toBe(0);
});
