import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openProcesses, type Processes } from '../operations/processes.ts';
import { openReceiver } from './receiver.ts';

// 300 events and more kills: `npm run faults -- kill-webhook-sender`.
const EVENTS = 30;
let processes: Processes;
beforeAll(async () => {
  processes = await openProcesses();
});
afterAll(() => processes.api.close());
afterEach(() => processes.killAll());

test('events whose sender is killed are delivered by another one; what arrives twice has the same id', async () => {
  const { admin, api } = processes;
  const receiver = await openReceiver();
  const key = () => crypto.randomUUID();
  const made = await admin.post(
    ...([
      '/api/webhook-endpoints',
      { url: receiver.url, eventTypes: ['contact.created'], perSecond: 100 },
    ] as const),
    key(),
  );
  expect(made.status).toBe(200);
  const accepted: string[] = [];
  for (let n = 0; n < EVENTS; n += 1) {
    const answer = await admin.post(
      '/api/contacts',
      { name: `P ${n}`, phone: `+1415300${1000 + n}`, tags: [] },
      key(),
    );
    accepted.push((await answer.json<{ id: string }>()).id);
  }
  const first = await processes.start();
  await expect.poll(() => receiver.received.length).toBeGreaterThan(EVENTS / 4);
  await processes.kill(first);
  // The time passes after which the process is missed.
  await api.db.systemPool.query(
    'UPDATE webhook_endpoints SET lease_until = now() WHERE lease_until IS NOT NULL',
  );
  await processes.start();
  const idsOf = (contactId: string) =>
    new Set(
      receiver.received
        .filter(({ event }) => event.data['contactId'] === contactId)
        .map(({ headers }) => headers['webhook-id']),
    );
  await expect.poll(() => accepted.filter((id) => idsOf(id).size > 0).length).toBe(EVENTS);
  expect(accepted.map((id) => idsOf(id).size)).toEqual(accepted.map(() => 1));
  await expect
    .poll(
      async () =>
        (
          await api.db.systemPool.query(
            `SELECT count(*)::int AS n FROM webhook_deliveries WHERE status = 'delivered'`,
          )
        ).rows[0].n,
    )
    .toBe(EVENTS);
  await receiver.close();
});
