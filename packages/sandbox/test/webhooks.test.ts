import { afterEach, beforeEach, expect, test } from 'vitest';
import { objectsOf } from '../src/core/json.ts';
import { signWebhook } from '../src/core/webhook-signature.ts';
import {
  account,
  app,
  number,
  startReceiver,
  startSandbox,
  templateTo,
  waitFor,
  type Receiver,
  type StartedSandbox,
} from './started-sandbox.ts';

let receiver: Receiver;
let started: StartedSandbox;
beforeEach(async () => {
  receiver = await startReceiver();
  started = await startSandbox({
    whatsappCallbackUrl: receiver.url,
    behaviour: { deliveredRate: 1, readRate: 1, throughputMps: 0 },
  });
});
afterEach(async () => {
  await started.close();
  await receiver.close();
});

const send = (to: string) => started.graph('POST', `${number}/messages`, templateTo(to));
const inbound = (body: unknown) => started.control('POST', 'whatsapp/inbound', body);
const change = 'entry.0.changes.0';

test('reports sent, delivered and read, signed, with the tag and the price', async () => {
  const id = (await send('+447700900201')).at('messages.0.id');
  await waitFor(() => receiver.statuses().length === 3);
  expect(receiver.statuses()).toMatchObject([
    {
      id,
      status: 'sent',
      biz_opaque_callback_data: 'tag:+447700900201',
      pricing: { pricing_model: 'PMP', category: 'utility' },
    },
    { id, status: 'delivered', recipient_id: '447700900201', timestamp: expect.stringMatching(/^\d{10}$/) },
    { id, status: 'read', recipient_user_id: expect.stringMatching(/^GB\./) },
  ]);
  for (const { raw, signature } of receiver.received)
    expect(signature).toBe(signWebhook('sandbox-app-secret', raw));
});

test('delivers 90 % and reads 70 % of those when nothing else is set', async () => {
  await started.control('POST', 'whatsapp/behaviour', { deliveredRate: 0.9, readRate: 0.7 });
  const numbers = Array.from({ length: 1000 }, (_, position) => `+4479${String(position).padStart(8, '0')}`);
  // As many as a system lets knock at once.
  for (let from = 0; from < numbers.length; from += 100)
    await Promise.all(numbers.slice(from, from + 100).map(send));
  await waitFor(async () => (await started.control('GET', 'whatsapp/stats')).at('statusesPending') === 0);
  const stats = await started.control('GET', 'whatsapp/stats');
  expect(Number(stats.at('statuses.delivered')) / 1000).toBeCloseTo(0.9, 1);
  expect(Number(stats.at('statuses.read')) / Number(stats.at('statuses.delivered'))).toBeCloseTo(0.7, 1);
});

test('puts many due statuses into one webhook, or one into each', async () => {
  await started.control('POST', 'whatsapp/behaviour', { statusDelayMs: 0, webhookConcurrency: 1 });
  await Promise.all(
    Array.from({ length: 60 }, (_, position) => send(`+4479${String(position).padStart(8, '0')}`)),
  );
  await waitFor(() => receiver.statuses().length === 180);
  const sizes = () => receiver.received.map(({ at }) => objectsOf(at(`${change}.value.statuses`)).length);
  expect(Math.max(...sizes())).toBeGreaterThan(5);
  expect(Math.max(...sizes())).toBeLessThanOrEqual(50);
  receiver.received.length = 0;
  await started.control('POST', 'whatsapp/behaviour', { statusBatch: 1 });
  await send('+447700900201');
  await waitFor(() => receiver.statuses().length === 3);
  expect(sizes()).toEqual([1, 1, 1]);
});

test('retries until the answer is exactly 200', async () => {
  const answers = [500, 204, 302, 200];
  receiver.answerWith = (position) => answers[position] ?? 200;
  await inbound({ from: '+447700900201', text: 'Hi' });
  await waitFor(() => receiver.received.length === 1);
  const log = await started.control('GET', 'whatsapp/webhooks');
  expect(log.at('webhooks.0')).toMatchObject({
    state: 'delivered',
    attemptCount: 4,
    attempts: [{ status: 500 }, { status: 204 }, {}, {}],
  });
});

test('delivers 400 webhooks that waited for a product that was down', async () => {
  const port = Number(new URL(receiver.url).port);
  await receiver.close();
  const messages = Array.from({ length: 400 }, (_, position) => ({
    from: '+447700900201',
    text: `message ${position}`,
  }));
  await inbound(messages);
  await waitFor(() => started.sandbox.whatsapp.sender.counts.failedAttempts > 100);
  receiver = await startReceiver(port);
  await waitFor(() => receiver.received.length >= 400);
  const texts = new Set(receiver.received.map(({ at }) => at(`${change}.value.messages.0.text.body`)));
  expect(texts.size).toBe(400);
});

test('doubles webhooks and changes the order of statuses when set to', async () => {
  await started.control('POST', 'whatsapp/behaviour', {
    duplicateRate: 1,
    reorder: true,
    statusBatch: 1,
    statusDelayMs: 50,
  });
  await Promise.all(
    Array.from({ length: 20 }, (_, position) => send(`+4479${String(position).padStart(8, '0')}`)),
  );
  await waitFor(() => receiver.statuses().length === 120);
  const first = receiver.statuses().map((status) => `${String(status['id'])} ${String(status['status'])}`);
  expect(new Set(first).size).toBe(60);
  const firstReads = first.filter((line, position) => {
    const sentAt = first.indexOf(line.replace(' read', ' sent'));
    return line.endsWith(' read') && first.indexOf(line) === position && position < sentAt;
  });
  expect(firstReads.length).toBeGreaterThan(0);
});

test('sends a customer message with name, user id and escaped text', async () => {
  await inbound({ from: '+44 7700 900201', name: 'Zoë', text: 'a/b ü' });
  await waitFor(() => receiver.received.length === 1);
  expect(receiver.received[0]?.raw.toString()).toContain(String.raw`a\/b \u00fc`);
  expect(receiver.received[0]?.at(`${change}.value`)).toMatchObject({
    metadata: { phone_number_id: number, display_phone_number: '447700900100' },
    contacts: [{ profile: { name: 'Zoë' }, wa_id: '447700900201', user_id: expect.stringMatching(/^GB\./) }],
    messages: [
      { from: '447700900201', type: 'text', text: { body: 'a/b ü' }, timestamp: expect.any(String) },
    ],
  });
  expect(receiver.received[0]?.at('entry.0')).not.toHaveProperty('time');
});

test('passes a whole message through and keeps its id', async () => {
  const message = { type: 'reaction', id: 'wamid.mine', reaction: { message_id: 'wamid.x', emoji: '👍' } };
  await inbound({ from: '+447700900201', message });
  await waitFor(() => receiver.received.length === 1);
  expect(receiver.received[0]?.at(`${change}.value.messages.0`)).toMatchObject(message);
});

test('leaves out or spoils the signature when set to', async () => {
  await started.control('POST', 'whatsapp/behaviour', { webhookSignature: 'missing' });
  await inbound({ from: '+447700900201', text: 'one' });
  await waitFor(() => receiver.received.length === 1);
  expect(receiver.received[0]?.signature).toBe('');
  await started.control('POST', 'whatsapp/behaviour', { webhookSignature: 'wrong' });
  await inbound({ from: '+447700900201', text: 'two' });
  await waitFor(() => receiver.received.length === 2);
  expect(receiver.received[1]?.signature).not.toBe(
    signWebhook('sandbox-app-secret', receiver.received[1]?.raw ?? Buffer.alloc(0)),
  );
});

test('subscribes an app only after the handshake, and honours its fields', async () => {
  const query = (token: string, fields: string) =>
    new URLSearchParams({
      object: 'whatsapp_business_account',
      callback_url: receiver.url,
      verify_token: token,
      fields,
    });
  const refused = await started.graph(
    'POST',
    `${app}/subscriptions?${query('wrong', 'messages').toString()}`,
  );
  expect(refused.status).toBe(400);
  const done = await started.graph(
    'POST',
    `${app}/subscriptions?${query('sandbox-verify-token', 'user_preferences').toString()}`,
  );
  expect(done.body).toEqual({ success: true });
  expect(receiver.handshakes.map((handshake) => handshake.get('hub.mode'))).toEqual([
    'subscribe',
    'subscribe',
  ]);
  expect((await started.graph('GET', `${app}/subscriptions`)).at('data.0.fields.0.name')).toBe(
    'user_preferences',
  );
  await inbound({ from: '+447700900201', text: 'not subscribed' });
  await started.control('POST', 'whatsapp/users/447700900201/preference', { value: 'stop' });
  await waitFor(() => receiver.received.length === 1);
  expect(receiver.received[0]?.at(`${change}.field`)).toBe('user_preferences');
});

test('an account or number override wins over the address of the app', async () => {
  const other = await startReceiver();
  const override = { override_callback_uri: other.url, verify_token: 'sandbox-verify-token' };
  await started.graph('POST', `${account}/subscribed_apps`, override);
  await inbound({ from: '+447700900201', text: 'to the account' });
  await waitFor(() => other.received.length === 1);
  await started.graph('POST', `${account}/subscribed_apps`);
  await started.graph('POST', number, { webhook_configuration: override });
  await inbound({ from: '+447700900201', text: 'to the number' });
  await waitFor(() => other.received.length === 2);
  await started.graph('DELETE', `${account}/subscribed_apps`);
  await inbound({ from: '+447700900201', text: 'to nobody' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([receiver.received.length, other.received.length]).toEqual([0, 2]);
  await other.close();
});

test('sends a logged webhook once more', async () => {
  await inbound({ from: '+447700900201', text: 'Hi' });
  await waitFor(() => receiver.received.length === 1);
  await started.control('POST', 'whatsapp/webhooks/1/replay');
  await waitFor(() => receiver.received.length === 2);
  expect(receiver.received[1]?.raw).toEqual(receiver.received[0]?.raw);
});

test('holds messages of a person without network until they are back', async () => {
  await started.control('POST', 'whatsapp/users/447700900201/online', { online: false });
  await send('+447700900201');
  await waitFor(() => receiver.statuses().length === 1);
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(receiver.statuses().map((status) => status['status'])).toEqual(['sent']);
  await started.control('POST', 'whatsapp/users/447700900201/online', { online: true });
  await waitFor(() => receiver.statuses().length === 3);
});

test('keeps no list but all counters with record off', async () => {
  await started.control('POST', 'whatsapp/behaviour', { record: false, statusDelayMs: 0 });
  await send('+447700900201');
  await waitFor(() => receiver.statuses().length === 3);
  expect((await started.control('GET', 'whatsapp/stats')).body).toMatchObject({
    accepted: 1,
    statusesSent: 3,
  });
});
