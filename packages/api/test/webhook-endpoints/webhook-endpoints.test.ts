import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { newId } from '@app/database/new-id';
import type { WebhookDelivery } from '../../src/webhook-endpoints/webhook-deliveries-queries.ts';
import type { WebhookEndpoint } from '../../src/webhook-endpoints/webhook-endpoints-queries.ts';
import { holdRestoredWebhooks } from '@app/database/webhook-endpoints/hold-restored-webhooks';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { openReceiver } from './receiver.ts';

let fixture: ApiFixture;
let admin: ApiCaller;
let receiver: Awaited<ReturnType<typeof openReceiver>>;
beforeAll(async () => {
  fixture = await openApiFixture();
  admin = await fixture.as('admin');
});
afterAll(async () => {
  await fixture.close();
});
beforeEach(async () => {
  await fixture.db.systemPool.query('DELETE FROM webhook_endpoints');
  receiver = await openReceiver();
  return () => receiver.close();
});

const key = () => crypto.randomUUID();
async function addEndpoint(parts: object = {}): Promise<WebhookEndpoint> {
  const answer = await admin.post('/api/webhook-endpoints', { url: receiver.url, ...parts }, key());
  expect([answer.status, await answer.clone().text()]).toEqual([200, expect.anything()]);
  return answer.json();
}
let numbers = 0;
async function addContact(name: string) {
  const phone = `+4477009${String((numbers += 1)).padStart(5, '0')}`;
  const answer = await admin.post('/api/contacts', { name, phone, tags: [] }, key());
  expect(answer.status).toBe(200);
  return answer.json<{ id: string }>();
}
const read = async <Body>(path: string) => (await admin.get(path)).json<Body>();
const listDeliveries = async (query = '') =>
  (await read<{ items: WebhookDelivery[] }>(`/api/webhook-deliveries${query}`)).items;
const until = <Result>(check: () => Result | Promise<Result>) =>
  vi.waitFor(check, { timeout: 300_000, interval: 50 });
const untilReceived = (count: number) =>
  until(() => expect(receiver.received.length).toBeGreaterThanOrEqual(count));

describe('an event', () => {
  test('arrives with its headers, its time and the values of its fact, and is stored with request and response', async () => {
    await addEndpoint({ eventTypes: ['contact.created'] });
    receiver.answer(200, 'thank you');
    const { id } = await addContact('Ada');
    await untilReceived(1);
    const [got] = receiver.received;
    expect(got?.event).toMatchObject({ type: 'contact.created', data: { contactId: id, name: 'Ada' } });
    const [delivery] = await until(async () => {
      const found = await listDeliveries('?status=delivered');
      expect(found).toHaveLength(1);
      return found;
    });
    expect(got?.headers['webhook-id']).toBe(delivery!.id);
    const whole = await read<{ body: string; log: object[] }>(`/api/webhook-deliveries/${delivery!.id}`);
    expect(whole.body).toBe(got?.body);
    expect(whole.log).toMatchObject([
      { number: 1, outcome: 'ok', responseStatus: 200, responseBody: 'thank you', isResponseCut: false },
    ]);
  });

  test('goes to the endpoints that asked for it, and to no other', async () => {
    await addEndpoint({ eventTypes: ['campaign.created'] });
    const wanting = await addEndpoint();
    await addContact('Bea');
    await untilReceived(1);
    expect(await listDeliveries()).toMatchObject([{ endpointId: wanting.id }]);
  });

  longTest('comes in the order in which it happened', async () => {
    await addEndpoint({ eventTypes: ['contact.created'], perSecond: 100 });
    const names = Array.from({ length: 12 }, (_, place) => `In order ${place}`);
    for (const name of names) await addContact(name);
    await untilReceived(12);
    expect(receiver.received.map(({ event }) => event.data['name'])).toEqual(names);
    expect(new Set(receiver.ids()).size).toBe(12);
  });
});

describe('a receiver that fails', () => {
  test('is asked again under the same id, and later events wait their turn', async () => {
    const { id } = await addEndpoint({ eventTypes: ['contact.created'] });
    receiver.answer(500, 'broken');
    await addContact('First');
    await untilReceived(1);
    await addContact('Second');
    await until(async () => expect(await read(`/api/webhook-endpoints/${id}`)).toMatchObject({ waiting: 2 }));
    receiver.answer(200);
    fixture.advance(6_000);
    await until(() => expect(receiver.received.at(-1)?.event.data['name']).toBe('Second'));
    const names = receiver.received.map(({ event }) => event.data['name']);
    expect(names.length).toBeGreaterThan(2);
    expect(new Set(names.slice(0, -1))).toEqual(new Set(['First']));
    expect(new Set(receiver.ids()).size).toBe(2);
    await until(async () =>
      expect(await read(`/api/webhook-endpoints/${id}`)).toMatchObject({ waiting: 0, failingSince: null }),
    );
  });

  test('is paused after three days, with a notification to those who may manage the settings', async () => {
    const { id } = await addEndpoint({ eventTypes: ['contact.created'] });
    receiver.answer(503);
    await addContact('Never');
    await untilReceived(1);
    await settled(id);
    // As if it had failed for so long; the pauses between are the rule's, and tested there.
    await fixture.db.systemPool.query(
      `UPDATE webhook_endpoints SET failing_since = failing_since - interval '73 hours' WHERE id = $1`,
      [id],
    );
    fixture.advance(6_000);
    await until(async () =>
      expect(await read(`/api/webhook-endpoints/${id}`)).toMatchObject({ status: 'paused' }),
    );
    expect(await read(`/api/webhook-endpoints/${id}`)).toMatchObject({
      status: 'paused',
      pauseReason: 'failing',
    });
    await until(async () => {
      const { items } = await read<{ items: { kind: string; subject: string }[] }>('/api/notifications');
      expect(items).toContainEqual(expect.objectContaining({ kind: 'webhook_paused', subject: id }));
    });
    // Resumed, what waits is sent.
    receiver.answer(200);
    const resumed = await admin.put(`/api/webhook-endpoints/${id}/paused`, { isPaused: false });
    expect(await resumed.json()).toMatchObject({ status: 'active' });
  });

  test('that is gone for good is paused at once', async () => {
    const { id } = await addEndpoint();
    receiver.answer(410);
    await addContact('Gone');
    await until(async () =>
      expect(await read(`/api/webhook-endpoints/${id}`)).toMatchObject({ pauseReason: 'gone' }),
    );
  });

  test('and never answers holds up no other endpoint', async () => {
    const slow = await openReceiver();
    slow.answer('never');
    await addEndpoint({ url: slow.url });
    await addEndpoint({ eventTypes: ['contact.created'] });
    await addContact('Quick');
    await untilReceived(1);
    expect(slow.received.length).toBeLessThanOrEqual(1);
    await slow.close();
  });
});

/** Waits until the sender has nothing under way for the endpoint. */
async function settled(id: string): Promise<WebhookEndpoint> {
  await until(async () => {
    const { rows } = await fixture.db.systemPool.query(
      `SELECT FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id WHERE d.endpoint_id = $1 AND a.outcome = 'begun'`,
      [id],
    );
    expect(rows).toHaveLength(0);
  });
  return read(`/api/webhook-endpoints/${id}`);
}

describe('a resend', () => {
  test('of one delivery has the same id and body, also while the endpoint is paused; twice with one key it goes once', async () => {
    const { id } = await addEndpoint();
    await addContact('Again');
    await untilReceived(1);
    await settled(id);
    await admin.put(`/api/webhook-endpoints/${id}/paused`, { isPaused: true });
    const [delivery] = await listDeliveries();
    const once = key();
    for (const _ of [1, 2]) {
      const answer = await admin.post(`/api/webhook-deliveries/${delivery!.id}/resend`, {}, once);
      expect(answer.status).toBe(200);
    }
    await untilReceived(2);
    await settled(id);
    expect(new Set(receiver.ids()).size).toBe(1);
    expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body);
    expect(receiver.received).toHaveLength(2);
  });

  test('of all that failed is an operation, and sends each of them', async () => {
    const { id } = await addEndpoint();
    receiver.answer(400);
    await addContact('Poison');
    await untilReceived(1);
    await settled(id);
    await fixture.db.systemPool.query(
      `UPDATE webhook_deliveries SET status = 'failed', settled_at = now() WHERE endpoint_id = $1`,
      [id],
    );
    await fixture.db.systemPool.query('UPDATE webhook_endpoints SET hold_until = NULL, failures = 0');
    receiver.answer(200);
    expect(await read(`/api/webhook-endpoints/${id}/resend?which=failed`)).toEqual({ count: 1 });
    const answer = await admin.post(`/api/webhook-endpoints/${id}/resend`, { which: 'failed' }, key());
    expect(await answer.json()).toMatchObject({ kind: 'webhook-resend', total: 1 });
    await untilReceived(2);
    await until(async () => expect(await listDeliveries('?status=delivered')).toHaveLength(1));
  });

  test('of the same deliveries joins the one that is under way', async () => {
    const { id } = await addEndpoint();
    const from = '2026-01-01T00:00:00.000Z';
    const open = newId();
    await fixture.db.systemPool.query(
      `INSERT INTO operations (id, workspace_id, kind, name, state, wish, user_name, created_at, heartbeat_at, phase_at)
       VALUES ($1, $2, 'webhook-resend', '', 'queued', $3, '', now(), now(), now())`,
      [
        ...[open, fixture.workspaceId],
        JSON.stringify({
          endpointId: id,
          which: 'all',
          from,
          to: '2026-01-02T00:00:00.000Z',
          isUntilNow: true,
        }),
      ],
    );
    const ask = async (wish: object) =>
      (await admin.post(`/api/webhook-endpoints/${id}/resend`, wish, key())).json<{ id: string }>();
    expect(await ask({ which: 'all', from })).toMatchObject({ id: open, state: 'queued' });
    const others = [
      await ask({ which: 'failed' }),
      await ask({ which: 'all', from: '2026-01-01T01:00:00.000Z' }),
      await ask({ which: 'all', from, to: '2026-01-02T00:00:00.000Z' }),
    ];
    expect(new Set([open, ...others.map((other) => other.id)]).size).toBe(4);
    await fixture.db.systemPool.query('DELETE FROM operations WHERE id = $1', [open]);
  });

  test('of everything needs a period', async () => {
    const { id } = await addEndpoint();
    for (const answer of [
      await admin.post(`/api/webhook-endpoints/${id}/resend`, { which: 'all' }, key()),
      await admin.get(`/api/webhook-endpoints/${id}/resend?which=all`),
    ])
      expect(await answer.json()).toMatchObject({ error: { code: 'webhook_period_missing' } });
    await addContact('Counted');
    await untilReceived(1);
    await settled(id);
    const count = (from: string) =>
      read(`/api/webhook-endpoints/${id}/resend?which=all&from=${encodeURIComponent(from)}`);
    expect(await count('2000-01-01T00:00:00.000Z')).toEqual({ count: 1 });
    expect(await count('2999-01-01T00:00:00.000Z')).toEqual({ count: 0 });
  });
});

test('a test event arrives whichever events the endpoint has, and one cancels what waits when it resumes', async () => {
  const { id } = await addEndpoint({ eventTypes: ['campaign.created'] });
  const sent = await (
    await admin.post(`/api/webhook-endpoints/${id}/test`, {}, key())
  ).json<WebhookDelivery>();
  await untilReceived(1);
  expect(receiver.ids()).toEqual([sent.id]);
  await admin.put(`/api/webhook-endpoints/${id}/paused`, { isPaused: true });
  const paused = await read<WebhookEndpoint>(`/api/webhook-endpoints/${id}`);
  await admin.put(`/api/webhook-endpoints/${id}`, {
    ...{ url: receiver.url, eventTypes: [], version: paused.version },
  });
  await addContact('Meanwhile');
  await until(async () => expect(await read(`/api/webhook-endpoints/${id}`)).toMatchObject({ waiting: 1 }));
  await admin.put(`/api/webhook-endpoints/${id}/paused`, { isPaused: false, waiting: 'cancel' });
  expect(await listDeliveries('?status=cancelled')).toHaveLength(1);
  expect(receiver.received).toHaveLength(1);
});

test('after a restore an endpoint is paused, and what waits is not sent until a person resumes it', async () => {
  const { id } = await addEndpoint();
  await fixture.db.inSystem((_, client) => holdRestoredWebhooks(client));
  expect(await read(`/api/webhook-endpoints/${id}`)).toMatchObject({
    status: 'paused',
    pauseReason: 'restored',
  });
  await addContact('Restored');
  await until(async () => expect(await read(`/api/webhook-endpoints/${id}`)).toMatchObject({ waiting: 1 }));
  expect(receiver.received).toEqual([]);
  await admin.put(`/api/webhook-endpoints/${id}/paused`, { isPaused: false });
  await untilReceived(1);
});

test('during a rotation both secrets sign, and afterwards the new one alone', async () => {
  const { id } = await addEndpoint();
  const before = await read<{ secret: string }>(`/api/webhook-endpoints/${id}/secret`);
  await admin.post(`/api/webhook-endpoints/${id}/secret`, { overlapHours: 1 }, key());
  const after = await read<{ secret: string; previousSecret: string | null }>(
    `/api/webhook-endpoints/${id}/secret`,
  );
  expect(after.previousSecret).toBe(before.secret);
  expect(after.secret).not.toBe(before.secret);
  await admin.post(`/api/webhook-endpoints/${id}/test`, {}, key());
  await untilReceived(1);
  expect(receiver.received[0]?.headers['webhook-signature']?.split(' ')).toHaveLength(2);
  fixture.advance(3_601_000);
  expect(await read(`/api/webhook-endpoints/${id}/secret`)).toMatchObject({ previousSecret: null });
  await admin.post(`/api/webhook-endpoints/${id}/test`, {}, key());
  await untilReceived(2);
  expect(receiver.received[1]?.headers['webhook-signature']?.split(' ')).toHaveLength(1);
});

describe('an address', () => {
  test.each([
    ['http://10.0.0.1/hook', 'webhook_url_refused'],
    ['https://169.254.169.254/latest', 'webhook_url_refused'],
    ['https://localhost/hook', 'webhook_url_refused'],
    ['http://example.com/hook', 'webhook_url_insecure'],
    ['https://user:secret@example.com', 'webhook_url_invalid'],
    ['ftp://example.com', 'webhook_url_invalid'],
    ['somewhere', 'webhook_url_invalid'],
  ])('%s is refused with %s', async (url, code) => {
    const answer = await admin.post('/api/webhook-endpoints', { url }, key());
    expect(await answer.json()).toMatchObject({ error: { code, details: { field: 'url' } } });
  });

  test('an event that does not exist is refused', async () => {
    const answer = await admin.post(
      ...(['/api/webhook-endpoints', { url: receiver.url, eventTypes: ['contact.flown'] }, key()] as const),
    );
    expect(await answer.json()).toMatchObject({ error: { code: 'webhook_event_unknown' } });
  });
});

test('an erased person is in no stored delivery, and what waited for them is not sent', async () => {
  const { id } = await addEndpoint();
  await admin.put(`/api/webhook-endpoints/${id}/paused`, { isPaused: true });
  const contact = await addContact('Wilhelmina Erasable');
  await until(async () => expect(await listDeliveries()).toHaveLength(1));
  const found = await listDeliveries(`?search=${contact.id}`);
  expect(found).toHaveLength(1);
  expect(await listDeliveries('?search=erasable')).toHaveLength(1);
  await admin.post(`/api/contacts/${contact.id}/erase`, {}, key());
  const [delivery] = await listDeliveries('?type=contact.created');
  expect(delivery).toMatchObject({ status: 'cancelled' });
  expect(await read(`/api/webhook-deliveries/${delivery!.id}`)).toMatchObject({ body: null });
  const answer = await admin.post(`/api/webhook-deliveries/${delivery!.id}/resend`, {}, key());
  expect(await answer.json()).toMatchObject({ error: { code: 'webhook_body_gone' } });
});
