import { createHmac, createPrivateKey, randomUUID, sign } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { objectOf, textOf, type JsonObject } from '../src/core/json.ts';
import { wrapPayload, signDelivery } from '../src/rcs/rcs-webhooks.ts';
import { serializeWebhook } from '../src/core/webhook-signature.ts';
import { createSandbox } from '../src/sandbox.ts';

const sandbox = createSandbox();
let url: string;
let token: string;

beforeAll(async () => {
  ({ url } = await sandbox.start({ port: 0 }));
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  await call('POST', '/_sandbox/reset');
  await call('POST', '/_sandbox/rcs/behaviour', { latencyMs: 0, statusDelayMs: 1, deliveredRate: 1 });
  token = textOf((await signIn()).body['access_token']) ?? '';
});

async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(url + path, init);
  return { status: response.status, body: objectOf(await response.json()) };
}

/** A call of the agent. */
const ask = (method: string, path: string, body?: object, agentId = 'sandbox-agent') =>
  call(method, `/rcs/v1/${path}${path.includes('?') ? '&' : '?'}agentId=${agentId}`, body, {
    authorization: `Bearer ${token}`,
  });

async function signIn(change: JsonObject = {}, keyFile?: JsonObject) {
  const file = keyFile ?? (await call('GET', '/_sandbox/rcs/service-account')).body;
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    ...{ iss: file['client_email'], aud: file['token_uri'], iat: now, exp: now + 3_600 },
    ...{ scope: 'https://www.googleapis.com/auth/rcsbusinessmessaging', ...change },
  };
  const header = { alg: 'RS256', typ: 'JWT', kid: file['private_key_id'] };
  const content = [header, claims]
    .map((one) => Buffer.from(JSON.stringify(one)).toString('base64url'))
    .join('.');
  const key = createPrivateKey(textOf(file['private_key']) ?? '');
  const assertion = `${content}.${sign('RSA-SHA256', Buffer.from(content), key).toString('base64url')}`;
  const response = await fetch(`${url}/rcs/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }),
  });
  return { status: response.status, body: objectOf(await response.json()) };
}

const send = (contentMessage: object, more: object = {}, to = '+447700900200') =>
  ask('POST', `phones/${to}/agentMessages?messageId=${randomUUID()}`, {
    ...{ contentMessage, messageTrafficType: 'TRANSACTION', ...more },
  });

test.each([
  ['an hour and more', { exp: Math.floor(Date.now() / 1000) + 7_200 }],
  ['another audience', { aud: 'https://elsewhere.example/token' }],
  ['another account', { iss: 'other@example.com' }],
])('a sign-in with %s is refused', async (_, change) => {
  expect(await signIn(change)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
});

test('a key file of before still signs in after a new start, and a file with the id of another key does not', async () => {
  const before = createSandbox();
  const { url: address } = await before.start({ port: 0 });
  const old = objectOf(await (await fetch(`${address}/_sandbox/rcs/service-account`)).json());
  await before.close();
  const { body: now } = await call('GET', '/_sandbox/rcs/service-account');
  const moved = { ...old, token_uri: now['token_uri'] };
  expect(await signIn({}, moved)).toMatchObject({ status: 200 });
  const other = { ...moved, private_key_id: now['private_key_id'] };
  expect(await signIn({}, other)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
});

test('calls without a token, with another scope or for another agent are refused', async () => {
  const status = (answer: { status: number; body: JsonObject }) => [
    answer.status,
    objectOf(answer.body['error'])['status'],
  ];
  expect(
    status(await call('GET', '/rcs/v1/phones/+447700900200/capabilities?agentId=sandbox-agent')),
  ).toEqual([...[401, 'UNAUTHENTICATED']]);
  expect(status(await ask('GET', 'phones/+447700900200/capabilities', undefined, 'other'))).toEqual([
    403,
    'PERMISSION_DENIED',
  ]);
  token =
    textOf(
      (await signIn({ scope: 'https://www.googleapis.com/auth/businesscommunications' })).body[
        'access_token'
      ],
    ) ?? '';
  expect((await send({ text: 'Hello' })).status).toBe(403);
});

const reply = (text = 'Yes') => ({ reply: { text, postbackData: 'y' } });
const cards = (count: number, more: object = {}) =>
  Array.from({ length: count }, () => ({ title: 'One', ...more }));
const card = (cardContent: object) => ({
  richCard: { standaloneCard: { cardOrientation: 'VERTICAL', cardContent } },
});
const carousel = (cardContents: object[], cardWidth = 'MEDIUM') => ({
  richCard: { carouselCard: { cardWidth, cardContents } },
});
const picture = (height: string) => ({
  media: { height, contentInfo: { fileUrl: 'https://a.example/b.jpg' } },
});
const action = (one: object) => ({
  text: 'x',
  suggestions: [{ action: { text: 'Go', postbackData: 'g', ...one } }],
});

test.each<[object, object]>([
  [{ text: 'Hello', suggestions: [reply()] }, {}],
  [card({ title: 'One', ...picture('TALL') }), { ttl: '600s' }],
  [carousel(cards(10, picture('SHORT')), 'SMALL'), {}],
  [{ contentInfo: { fileUrl: 'https://a.example/b.pdf' } }, {}],
  [action({ viewLocationAction: { latLong: { latitude: 52.5, longitude: 13.4 } } }), {}],
  [
    action({
      createCalendarEventAction: {
        startTime: '2026-06-01T10:00:00Z',
        endTime: '2026-06-01T11:00:00Z',
        title: 'Fit',
      },
    }),
    {},
  ],
])('%j is taken', async (content, more) => {
  expect(await send(content, more)).toMatchObject({ status: 200, body: { contentMessage: content } });
});

test.each<[object, object?]>([
  [{}],
  [{ text: 'a', contentInfo: { fileUrl: 'https://a.example' } }],
  [{ text: 'x'.repeat(3_073) }],
  [{ text: 'x', suggestions: [reply('x'.repeat(26))] }],
  [{ text: 'x', suggestions: Array.from({ length: 12 }, () => reply()) }],
  [card({})],
  [card({ title: 'One', suggestions: Array.from({ length: 5 }, () => reply()) })],
  [card({ title: 'x'.repeat(201) })],
  [carousel(cards(1))],
  [carousel(cards(11))],
  [carousel(cards(2, picture('TALL')), 'SMALL')],
  [action({ openUrlAction: { url: 'ftp://a' } })],
  [action({ composeAction: {} })],
  [{ text: 'x' }, { ttl: '5s', expireTime: '2030-01-01T00:00:00Z' }],
  [{ text: 'x' }, { ttl: '1400000s' }],
  [{ text: 'x' }, { messageTrafficType: 'MESSAGE_TRAFFIC_TYPE_UNSPECIFIED' }],
  [{ text: 'x' }, { unknownField: 1 }],
])('%j is refused', async (content, more = {}) => {
  expect(await send(content, more)).toMatchObject({
    status: 400,
    body: { error: { status: 'INVALID_ARGUMENT' } },
  });
});

test('bulk checks take 500 to 10000 different numbers, and capabilities follow the magic number', async () => {
  const batch = (users: string[]) => ask('POST', 'users:batchGet', { users, agentId: 'sandbox-agent' });
  const users = Array.from({ length: 500 }, (_, n) => `+447701${100_000 + n}`);
  expect((await batch(users.slice(1))).status).toBe(400);
  expect((await batch([...users.slice(1), users[1]!])).status).toBe(400); // there are 500
  const { body } = await batch([...users, '+447700900903']);
  expect((body['reachableUsers'] as string[]).length).toBe(500);
  const features = (to: string) => ask('GET', `phones/${to}/capabilities?requestId=${randomUUID()}`);
  expect((await features('+447700900902')).body).toEqual({ features: [] });
  expect((await features('+447700900903')).status).toBe(404);
});

test('a file that was handed over can be shown, and one that was not is refused', async () => {
  const upload = (mimeType: string) =>
    fetch(`${url}/rcs/upload/v1/files?agentId=sandbox-agent`, {
      ...{ method: 'POST', body: 'pixels' },
      headers: { authorization: `Bearer ${token}`, 'content-type': mimeType },
    });
  expect((await upload('text/html')).status).toBe(400);
  const { name } = (await (await upload('image/png')).json()) as { name: string };
  expect((await send({ uploadedRbmFile: { fileName: name } })).status).toBe(200);
  expect((await send({ uploadedRbmFile: { fileName: 'files/none' } })).status).toBe(400);
  const shown = await fetch(`${url}/_sandbox/rcs/${name}`);
  expect([shown.headers.get('content-type'), await shown.text()]).toEqual(['image/png', 'pixels']);
});

test('the management API tells of the agent and its test devices, and only with its own scope', async () => {
  expect((await ask('GET', 'testers')).status).toBe(403);
  const scope =
    'https://www.googleapis.com/auth/businesscommunications https://www.googleapis.com/auth/rcsbusinessmessaging';
  token = textOf((await signIn({ scope })).body['access_token']) ?? '';
  expect((await ask('GET', 'brands/-/agents/sandbox-agent')).body).toMatchObject({
    displayName: 'Sandbox Agent',
  });
  expect((await ask('GET', 'brands/-/agents/sandbox-agent/launch')).body).toMatchObject({
    rcsBusinessMessaging: {
      launchDetails: { '/v1/regions/sandbox-carrier': { launchState: 'LAUNCH_STATE_LAUNCHED' } },
    },
  });
  const invite = (n: number) => ask('POST', `phones/+4477009002${String(n).padStart(2, '0')}/testers`, {});
  for (let n = 0; n < 20; n += 1) expect((await invite(n)).status).toBe(200);
  expect((await invite(20)).status).toBe(429);
  // Who was invited already is invited no second time.
  expect((await invite(0)).body).toMatchObject({ inviteStatus: 'PENDING' });
  expect((await ask('DELETE', 'phones/+447700900200/testers')).status).toBe(200);
  expect((await ask('DELETE', 'phones/+447700900200/testers')).status).toBe(404);
  expect(((await ask('GET', 'testers')).body['testers'] as object[]).length).toBe(19);
  expect((await ask('POST', 'phones/+447700900903/testers', {})).status).toBe(400);
});

test('switches and what a customer does are checked', async () => {
  const control = (path: string, body: object) => call('POST', `/_sandbox/rcs/${path}`, body);
  for (const [path, body] of [
    ['behaviour', { deliveredRate: 2 }],
    ['behaviour', { nothing: 1 }],
    ['inbound', { from: 'Ann', text: 'Hi' }],
    ['inbound', { from: '+447700900200' }],
    ['inbound', { from: '+447700900200', tap: 'What was never sent' }],
    ['phones/+447700900200', { behaviour: 'on fire' }],
    ['agent/launch-state', { state: 'FLYING' }],
    ['testers/+447700900200', { inviteStatus: 'ACCEPTED' }],
  ] as const)
    expect([path, (await control(path, body)).status]).toEqual([path, 400]);
  expect((await control('inbound', { from: '+447700900200', unsubscribe: true })).status).toBe(200);
  expect((await call('GET', '/_sandbox/rcs/behaviour')).body).toMatchObject({ deliveredRate: 1 });
  for (const path of ['messages', 'events', 'stats', 'webhooks', 'webhook', 'phones'])
    expect((await call('GET', `/_sandbox/rcs/${path}`)).status).toBe(200);
});

test('the signature is over the decoded bytes, whatever the envelope looks like', () => {
  const payload = { text: 'Grüße / hi' };
  const body = serializeWebhook(wrapPayload(payload, 'sandbox-agent', {}));
  const expected = createHmac('sha512', 'token').update(JSON.stringify(payload)).digest('base64');
  expect(signDelivery('token', body)).toEqual({ 'x-goog-signature': expected });
});

test('a further agent has a webhook, a client token and test devices of its own', async () => {
  const control = (path: string, body: object) => call('POST', `/_sandbox/rcs/${path}`, body);
  expect((await ask('POST', 'phones/+447700900200/testers', {}, 'second-agent')).status).toBe(403);
  expect((await control('agents', { id: 'second-agent', displayName: 'Second' })).status).toBe(200);
  for (const id of ['second-agent', 'Not an id', ''])
    expect([id, (await control('agents', { id })).status]).toEqual([id, 400]);
  expect((await call('GET', '/_sandbox/rcs/agents')).body['agents']).toMatchObject([
    { id: 'sandbox-agent' },
    { id: 'second-agent', displayName: 'Second' },
  ]);
  expect((await call('GET', '/_sandbox/rcs/webhook?agentId=second-agent')).body).toEqual({
    ...{ callbackUrl: null, clientToken: 'second-agent-client-token' },
  });
  await control('agent/launch-state', { state: 'SUSPENDED', agentId: 'second-agent' });
  const sendAs = (agentId: string) =>
    ask(
      'POST',
      `phones/+447700900200/agentMessages?messageId=${randomUUID()}`,
      { contentMessage: { text: 'Hi' }, messageTrafficType: 'TRANSACTION' },
      agentId,
    );
  expect((await sendAs('second-agent')).status).toBe(403);
  expect((await sendAs('sandbox-agent')).status).toBe(200);
  await ask('POST', 'phones/+447700900200/testers', {}, 'second-agent');
  expect((await call('GET', '/_sandbox/rcs/testers')).body['testers']).toEqual([]);
  await control('testers/+447700900200', { agentId: 'second-agent', inviteStatus: 'ACCEPTED' });
  expect((await sendAs('second-agent')).status).toBe(200);
  await control('inbound', { from: '+447700900200', agentId: 'second-agent', text: 'Hello' });
  const threads = async () => {
    const { body } = await call('GET', '/_sandbox/rcs/phones');
    const all = body['phones'] as { agentId: string; entries: object[] }[]; // as the control answers
    return all.map(({ agentId, entries }) => `${agentId} ${entries.length}`).toSorted();
  };
  await expect.poll(threads).toEqual(['sandbox-agent 1', 'second-agent 2']);
  expect((await control('inbound', { from: '+447700900200', agentId: 'third', text: 'Hi' })).status).toBe(
    400,
  );
});

test('a service account of another project signs in and may use no agent', async () => {
  const { body } = await call('GET', '/_sandbox/rcs/service-account?project=another-partner');
  token = textOf((await signIn({}, body)).body['access_token']) ?? '';
  expect(await send({ text: 'Hi' })).toMatchObject({
    status: 403,
    body: { error: { status: 'PERMISSION_DENIED' } },
  });
  expect((await call('GET', '/_sandbox/rcs/service-account?project=nobody')).status).toBe(400);
});
