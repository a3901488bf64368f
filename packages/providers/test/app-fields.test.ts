import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { whatsAppKind } from '../src/whatsapp-cloud/whatsapp-kind.ts';
import { neededFields } from '../src/whatsapp-cloud/app-fields.ts';
import { type Answer, type FaultyServer, graphError, json, startFaultyServer } from './faulty-server.ts';

let server: FaultyServer;
beforeAll(async () => {
  server = await startFaultyServer();
});
beforeEach(() => {
  server.received.length = 0;
});
afterAll(() => server.close());

const OURS = 'https://shop.example/webhooks/whatsapp/shop';

/** The press, where the platform answers so to each question in turn. */
async function press(...answers: Answer[]) {
  const left = [...answers];
  server.answerWith((request, response) => (left.shift() ?? json(200, { success: true }))(request, response));
  const desk = whatsAppKind.connector?.open({
    ...{ phoneNumberId: '200000000000001', businessAccountId: '100000000000001', appId: '300000000000001' },
    ...{ accessToken: 'secret-token', appSecret: 'app-secret', verifyToken: 'verify-token' },
    baseUrl: `${server.origin}/v26.0`,
  });
  const answer = await desk?.subscribe(OURS, 'word');
  await desk?.close();
  return answer;
}

const app = (fields: readonly unknown[], more: object = {}) =>
  json(200, {
    data: [
      { object: 'page', callback_url: 'https://page.example/', active: true, fields: ['feed'] },
      { object: 'whatsapp_business_account', callback_url: OURS, active: true, fields, ...more },
    ],
  });
const asked = () =>
  server.received.map(({ method, url }) => {
    const { pathname, searchParams } = new URL(url, server.origin);
    return [method, pathname.split('/').slice(3).join('/'), searchParams.get('fields')?.split(',').length];
  });

test('an app that has everything is left as it is', async () => {
  const answer = await press(app(neededFields.map((name) => ({ name, version: 'v26.0' }))));
  expect(answer).toMatchObject({ outcome: 'done', value: { added: [], missing: [] } });
  expect(asked()).toEqual([
    ['GET', 'subscriptions', undefined],
    ['POST', 'subscribed_apps', undefined],
  ]);
  expect(server.received[0]?.headers.authorization).toBe('Bearer 300000000000001|app-secret');
});

test('names may come bare, and a subscription that is switched off is none', async () => {
  const off = await press(
    app(neededFields, { active: false }),
    json(200, { success: true }),
    app(neededFields),
  );
  expect(off).toMatchObject({ outcome: 'done', value: { added: neededFields, missing: [] } });
});

test('a name that this app may not have takes the needed ones away from nobody', async () => {
  const answer = await press(
    ...[app(['messages', 'flows']), graphError(400, 100), json(200, { success: true }), app(neededFields)],
  );
  expect(answer).toMatchObject({ outcome: 'done', value: { missing: [] } });
  expect(asked().map(([, , count]) => count)).toEqual([undefined, 18, 11, undefined, undefined]);
});

test('what the platform takes without a word and does not do is still missing', async () => {
  const answer = await press(app(['messages']), json(200, { success: true }), app(['messages']));
  expect(answer).toMatchObject({ outcome: 'done', value: { added: [], missing: neededFields.slice(1) } });
});

test('an app that may not be asked keeps nobody from subscribing the account', async () => {
  const answer = await press(graphError(400, 100));
  expect(answer).toMatchObject({ outcome: 'done', value: { added: [], missing: null } });
});

test.each<[string, Answer[], object]>([
  ['a secret that is wrong', [graphError(400, 190)], { outcome: 'refused', code: '190' }],
  [
    'an address of ours that does not answer',
    [json(200, { data: [] }), graphError(400, 100, { error_subcode: 2200 })],
    { outcome: 'refused', subcode: '2200' },
  ],
  ['a platform that is busy', [graphError(503, 2)], { outcome: 'unreachable' }],
])('%s stops it before the account', async (_, answers, expected) => {
  expect(await press(...answers)).toMatchObject(expected);
  expect(asked().map(([, path]) => path)).not.toContain('subscribed_apps');
});
