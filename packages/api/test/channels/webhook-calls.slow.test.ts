import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteWebhookCalls } from '../../src/webhooks/calls/call-log.ts';
import { openConnectionFixture, type ConnectionFixture } from './connection-fixture.ts';

type Call = {
  state: string;
  status: number;
  milliseconds: number;
  bytes: number;
  outline: string | null;
  answer: string | null;
  channelIds: string[];
  about: { topic: string; n: number }[];
  problems: { code: string; title: string }[];
};
type Calls = { items: Call[]; lastReceivedAt: string | null; isSilent: boolean };

let api: ConnectionFixture;
let channelId: string;
beforeAll(async () => {
  api = await openConnectionFixture();
  const made = await api.admin.post('/api/channels/connections', api.written());
  channelId = (await made.json<{ id: string }>()).id;
});
afterAll(() => api.close());

const readCalls = async () => (await api.admin.get('/api/webhook-calls')).json<Calls>();

/** Until so many calls are shown: they are written a moment behind their answers. */
async function waitForCalls(count: number): Promise<Calls> {
  for (;;) {
    const calls = await readCalls();
    if (calls.items.length >= count) return calls;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function deliver(body: string, secret: string | null): Promise<number> {
  const signature = `sha256=${createHmac('sha256', secret ?? '')
    .update(body)
    .digest('hex')}`;
  const headers = secret === null ? new Headers() : new Headers({ 'x-hub-signature-256': signature });
  const answer = await fetch(`${api.origin}/webhooks/whatsapp/acme`, { method: 'POST', body, headers });
  return answer.status;
}

const message = (text: string, numberId = '200000000000001') =>
  JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '100000000000001',
        changes: [
          {
            field: 'messages',
            value: {
              messaging_product: 'whatsapp',
              metadata: { display_phone_number: '447700900100', phone_number_id: numberId },
              contacts: [{ profile: { name: 'Ann Secret' }, wa_id: '447700900201' }],
              messages: [
                {
                  ...{ from: '447700900201', id: 'wamid.HBgMNDQ3NzAwOTAwMjAx', timestamp: '1790000000' },
                  ...{ type: 'text', text: { body: text } },
                },
              ],
            },
          },
        ],
      },
    ],
  });

test('each call is shown with its state, its answer and its form, and nothing of people', async () => {
  expect(await readCalls()).toEqual({ items: [], lastReceivedAt: null, isSilent: false });
  await api.admin.post(`/api/channels/connections/${channelId}/subscription`);
  expect(await deliver(message('My password is 1234'), 'sandbox-app-secret')).toBe(200);
  expect(await deliver(message('Forged'), 'guessed')).toBe(401);
  expect(await deliver(message('Bare'), null)).toBe(401);
  await fetch(
    `${api.origin}/webhooks/whatsapp/acme?hub.mode=subscribe&hub.challenge=1&hub.verify_token=guess`,
  );
  const { items, lastReceivedAt } = await waitForCalls(6);
  expect(items.map(({ state, status }) => [state, status])).toEqual([
    ...[
      ['token_wrong', 403],
      ['signature_missing', 401],
      ['signature_wrong', 401],
      ['received', 200],
    ],
    // The app's address and the account's were both asked.
    ...[
      ['handshake', 200],
      ['handshake', 200],
    ],
  ]);
  const refusal = (code: string) => expect.stringContaining(`{"error":{"code":"${code}"`);
  expect(items.map(({ answer, channelIds }) => [answer, channelIds])).toEqual([
    [refusal('webhook_token_wrong'), []],
    [refusal('webhook_unsigned'), []],
    [refusal('webhook_unsigned'), []],
    ['OK', [channelId]],
    [expect.stringMatching(/^\d+$/), [channelId]],
    [expect.stringMatching(/^\d+$/), [channelId]],
  ]);
  expect(lastReceivedAt).toEqual(expect.any(String));
  const received = items[3]!;
  expect(received).toMatchObject({ bytes: expect.any(Number), milliseconds: expect.any(Number) });
  expect([received.about, received.problems]).toEqual([[{ topic: 'message', n: 1 }], []]);
  expect(received.outline).toContain('"field": "messages"');
  expect(received.outline).toContain('200000000000001');
  for (const personal of ['Ann', '447700900201', '1234', 'wamid'])
    expect(received.outline).not.toContain(personal);
  expect(items.filter(({ state }) => state !== 'received').every(({ outline }) => outline === null)).toBe(
    true,
  );
});

test('many at once are told by some of them, and old ones go', async () => {
  const before = (await readCalls()).items.length;
  expect(await Promise.all(Array.from({ length: 60 }, () => deliver(message('Hi'), 'guessed')))).toEqual(
    Array.from({ length: 60 }, () => 401),
  );
  await waitForCalls(before + 1);
  await api.db.systemPool.query(
    `INSERT INTO webhook_calls (id, workspace_id, kind, at, state, status, milliseconds, bytes)
     SELECT gen_random_uuid(), $1, 'whatsapp', now(), 'signature_wrong', 401, 1, 1 FROM generate_series(1, 300)`,
    [api.workspaceId],
  );
  await deleteWebhookCalls(api.parts);
  const { rows } = await api.db.systemPool.query(
    `SELECT status = 200 AS taken, count(*)::int AS count FROM webhook_calls GROUP BY 1 ORDER BY 1`,
  );
  expect(rows).toEqual([
    { taken: false, count: 100 },
    { taken: true, count: 3 },
  ]);
  // Neither hides the other.
  const { items } = await readCalls();
  expect(items.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(items.filter(({ status }) => status !== 200)).toHaveLength(100);
});

test('a call about a number that is not ours is of none', async () => {
  expect(await deliver(message('To the other shop', '200000000000777'), 'sandbox-app-secret')).toBe(200);
  const stranger = async () =>
    (await readCalls()).items.find(({ outline }) => outline?.includes('200000000000777'));
  await expect.poll(stranger).toMatchObject({ state: 'received', channelIds: [] });
});

test('a number that hears nothing for a day is told', async () => {
  expect((await readCalls()).isSilent).toBe(false);
  await api.db.systemPool.query(`UPDATE webhook_calls SET at = at - interval '25 hours'`);
  expect((await readCalls()).isSilent).toBe(true);
});
