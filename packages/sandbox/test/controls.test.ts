import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConsoleApp } from '../src/page/console-view.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  account,
  number,
  offer,
  offerParameters,
  startReceiver,
  startSandbox,
  templateTo,
  textTo,
  waitFor,
  type Receiver,
  type StartedSandbox,
} from './started-sandbox.ts';

let receiver: Receiver;
let started: StartedSandbox;
beforeAll(async () => {
  receiver = await startReceiver();
  started = await startSandbox();
});
afterAll(async () => {
  await started.close();
  await receiver.close();
});

test('points webhooks at another address and says how the handshake went', async () => {
  const wrong = await started.control('POST', 'whatsapp/webhook', {
    callbackUrl: receiver.url,
    verifyToken: 'other',
  });
  expect(wrong.at('handshake')).toMatchObject({ ok: false, status: 403 });
  const right = await started.control('POST', 'whatsapp/webhook', {
    verifyToken: 'sandbox-verify-token',
    appSecret: 'new-secret',
  });
  expect(right.at('handshake.ok')).toBe(true);
  expect((await started.control('GET', 'whatsapp/webhook')).at('apps.0.callbackUrl')).toBe(receiver.url);
  expect((await started.control('POST', 'whatsapp/webhook', { callbackUrl: 'nowhere' })).status).toBe(400);
});

test('keeps the webhook address over a reset, and nothing else', async () => {
  await started.graph('POST', `${number}/messages`, templateTo('+447700900201'));
  await started.control('POST', 'whatsapp/behaviour', { deliveredRate: 0 });
  await started.control('POST', 'reset');
  expect((await started.control('GET', 'whatsapp/webhook')).at('apps.0.callbackUrl')).toBe(receiver.url);
  expect((await started.control('GET', 'whatsapp/stats')).at('accepted')).toBe(0);
  expect((await started.control('GET', 'whatsapp/behaviour')).at('deliveredRate')).toBe(0.9);
});

test('a person who stopped marketing gets none until they resume', async () => {
  await started.graph('POST', `${account}/message_templates`, offer);
  await waitFor(
    () => started.sandbox.whatsapp.store.findTemplate(account, offer.name, 'en_US')?.status === 'APPROVED',
  );
  const send = () =>
    started.graph('POST', `${number}/messages`, templateTo('+447700900250', offer.name, offerParameters));
  await started.control('POST', 'whatsapp/users/447700900250/preference', { value: 'stop' });
  await send();
  await started.control('POST', 'whatsapp/users/447700900250/preference', { value: 'resume' });
  await send();
  const listed = await started.control('GET', 'whatsapp/messages?recipient=447700900250');
  const body = { type: 'template', template: { name: offer.name } };
  expect(listed.at('messages')).toMatchObject([
    { failCode: 131050, body },
    { failCode: null, body },
  ]);
  expect(
    (await started.control('POST', 'whatsapp/users/447700900250/preference', { value: 'maybe' })).status,
  ).toBe(400);
});

test('opens and closes the 24-hour window by hand', async () => {
  await started.control('POST', 'whatsapp/behaviour', { windowError: 'sync' });
  const codes: unknown[] = [];
  for (const open of [true, false]) {
    await started.control('POST', 'whatsapp/users/+447700900251/window', { open });
    codes.push((await started.graph('POST', `${number}/messages`, textTo('+447700900251'))).at('error.code'));
  }
  expect(codes).toEqual([undefined, 131047]);
});

test('sends account events and revokes tokens', async () => {
  await started.control('POST', 'whatsapp/account/event', {
    field: 'account_alerts',
    value: { entity_type: 'BUSINESS' },
  });
  await waitFor(() => receiver.received.some(({ at }) => at('entry.0.changes.0.field') === 'account_alerts'));
  await started.control('POST', 'whatsapp/tokens', { token: 'extra', problem: 'revoked' });
  const answer = await started.graph('GET', account, undefined, { authorization: 'Bearer extra' });
  expect([answer.at('error.code'), answer.at('error.error_subcode')]).toEqual([190, 460]);
});

test('sends webhooks of a number, and a call that nobody answers', async () => {
  const groups = [{ group_id: 'g', type: 'group_create', timestamp: '1790000000' }];
  const sent = { field: 'group_lifecycle_update', phoneNumberId: number, value: { groups } };
  await started.control('POST', 'whatsapp/account/event', sent);
  expect(
    (await started.control('POST', 'whatsapp/account/event', { ...sent, phoneNumberId: '7' })).status,
  ).toBe(400);
  const called = await started.control('POST', 'whatsapp/users/447700900201/call', {});
  const value = 'entry.0.changes.0.value';
  await waitFor(() => receiver.received.some(({ at }) => at(`${value}.calls.0.event`) === 'terminate'));
  const [group] = receiver.received.filter(({ at }) => at(`${value}.groups.0.type`) === 'group_create');
  expect(group?.at(`${value}.metadata.phone_number_id`)).toBe(number);
  const calls = receiver.received.filter(({ at }) => at(`${value}.calls.0.id`) === called.at('callId'));
  expect(calls.map(({ at }) => [at(`${value}.calls.0.event`), at(`${value}.calls.0.status.0`)])).toEqual(
    expect.arrayContaining([
      ['connect', undefined],
      ['terminate', 'FAILED'],
    ]),
  );
  expect((await started.control('POST', 'whatsapp/users/447700900201/call', { seconds: -1 })).status).toBe(
    400,
  );
});

test('logs calls without tokens, webhooks with their body', async () => {
  await started.graph('GET', `${number}?access_token=secret-token`);
  const calls = JSON.stringify((await started.control('GET', 'whatsapp/calls')).body);
  expect(calls).toContain(`/graph/v26.0/${number}`);
  expect(calls).not.toMatch(/secret-token|sandbox-access-token/);
  const id = String((await started.control('GET', 'whatsapp/webhooks')).at('webhooks.0.id'));
  expect((await started.control('GET', `whatsapp/webhooks/${id}`)).at('body.object')).toBe(
    'whatsapp_business_account',
  );
  expect((await started.control('GET', 'whatsapp/webhooks/999999')).status).toBe(404);
});

test('lists what can be brought out', async () => {
  expect((await started.control('GET', 'health')).body).toEqual({ ok: true });
  for (const path of ['whatsapp/magic-numbers', 'page/magic-numbers']) {
    expect((await started.control('GET', path)).at('numbers.0.number')).toMatch(/^\+4477009000/);
  }
  expect((await started.control('GET', 'whatsapp/error-codes')).at('codes')).toEqual(
    expect.arrayContaining([{ code: 131056, title: 'Pair rate limit hit' }]),
  );
  expect((await started.control('GET', 'whatsapp/numbers')).at('numbers.0')).toMatchObject({
    id: number,
    throughputMps: 80,
  });
  expect((await started.control('GET', 'whatsapp/templates')).at('templates.0.name')).toBe('hello_world');
  await started.control('POST', 'whatsapp/errors', { code: 4, endpoint: 'media' });
  expect((await started.control('GET', 'whatsapp/errors')).at('errors')).toMatchObject([
    { code: 4, remaining: 1 },
  ]);
  await started.control('DELETE', 'whatsapp/errors');
  expect((await started.control('GET', 'whatsapp/errors')).at('errors')).toEqual([]);
});

test('serves a file of a customer as a picture only', async () => {
  const media = (mimeType: string) => ({
    from: '+447700900201',
    media: { mimeType, filename: 'x.html', data: 'PGI+' },
  });
  for (const type of ['image/png', 'text/html'])
    await started.control('POST', 'whatsapp/inbound', media(type));
  const [picture, page] = [...started.sandbox.whatsapp.store.media.keys()].slice(-2);
  const get = (id: string | undefined) => fetch(`${started.url}/_sandbox/whatsapp/media/${id}`);
  expect((await get(picture)).headers.get('content-type')).toBe('image/png');
  expect((await get(page)).headers.get('content-type')).toBe('application/octet-stream');
});

test('answers the send call in process too', async () => {
  const response = await started.sandbox.fetch(
    new Request(`http://sandbox/graph/v25.0/${number}/messages`, {
      method: 'POST',
      headers: { authorization: 'Bearer sandbox-access-token' },
      body: JSON.stringify(templateTo('+447700900252')),
    }),
  );
  expect(response.status).toBe(200);
});

test('keeps templates and numbers over a restart when it has a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  // Beside a database of one's own nobody else makes the folder.
  const stateFile = join(folder, 'data', 'state.json');
  const before = await startSandbox({ stateFile });
  const created = await before.graph('POST', `${account}/message_templates`, {
    ...offer,
    category: 'UTILITY',
  });
  await waitFor(
    () => before.sandbox.whatsapp.store.findTemplate(account, offer.name, 'en_US')?.status === 'APPROVED',
  );
  await before.close();
  const after = await startSandbox({ stateFile });
  const sent = await after.graph(
    'POST',
    `${number}/messages`,
    templateTo('+447700900201', offer.name, offerParameters),
  );
  const listed = await after.graph('GET', `${account}/message_templates?fields=name`);
  await after.close();
  await rm(folder, { recursive: true });
  expect([sent.status, listed.at('data.1.id')]).toEqual([200, created.at('id')]);
  expect(listed.at('data')).toHaveLength(2);
});

test('a shorter latency lets the answers go that wait for the one before', async () => {
  await started.control('POST', 'whatsapp/behaviour', { latencyMs: 60_000 });
  const recipient = '447700900388';
  const answer = started.graph('POST', `${number}/messages`, templateTo(recipient));
  const isThere = async () =>
    (await started.control('GET', `whatsapp/messages?recipient=${recipient}`)).at('messages.0') !== undefined;
  await expect.poll(isThere).toBe(true);
  await started.control('POST', 'whatsapp/behaviour', { latencyMs: 0 });
  expect((await answer).status).toBe(200);
});

test('the console shows what a product asks for, with tokens that end and that may less', async () => {
  const sandbox = await startSandbox();
  const show = async () => (await sandbox.control('GET', 'page/state')).at('console.0') as ConsoleApp;
  const before = await show();
  expect(before).toMatchObject({ id: '300000000000001', secret: 'sandbox-app-secret' });
  expect(before.accounts).toMatchObject([{ id: account, numbers: [{ id: number }] }]);
  await sandbox.control('POST', 'whatsapp/tokens', { token: 'short', expiresAt: Date.now() - 1 });
  const only = { token: 'little', permissions: ['whatsapp_business_messaging'] };
  await sandbox.control('POST', 'whatsapp/tokens', only);
  expect((await show()).tokens.slice(-2)).toMatchObject([
    { value: 'short', problem: 'expired' },
    { value: 'little', problem: null, permissions: ['whatsapp_business_messaging'] },
  ]);
  const ask = async (token: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${sandbox.url}/graph/v26.0/${path}`, {
      ...{ headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) },
    });
    return ((await answer.json()) as { error?: { code: number; error_subcode?: number } }).error;
  };
  expect(await ask('short', number)).toMatchObject({ code: 190, error_subcode: 463 });
  expect(await ask('little', `${account}/message_templates`)).toMatchObject({ code: 10 });
  expect(await ask('little', `${number}/messages`, textTo('447700900201'))).toBeUndefined();
  await sandbox.close();
});
