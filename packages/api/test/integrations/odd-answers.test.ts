import { indexConnectorKinds } from '@app/domain/integrations/connector-kind';
import type { ContactConnector } from '@app/domain/integrations/contact-connector';
import type { EventOutcome } from '@app/domain/integrations/event-connector';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Integration } from '../../src/integrations/integrations-queries.ts';
import { runSync } from '../../src/integrations/sync/run-sync.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { quietConnector } from './quiet-connector.ts';

// PostgreSQL takes neither NUL nor half a character: what a service says with them must hold up no event.
let fixture: ApiFixture;
let admin: ApiCaller;
let answers: EventOutcome[] = [];
let asked: string[] = [];
let isBroken = false;
let pull: ContactConnector['pull'] | undefined;
const key = () => crypto.randomUUID();
beforeAll(async () => {
  const kind = {
    ...quietConnector,
    events: { topics: [{ name: 'newContacts' as const }], perSecond: 10, withoutAnswer: 'again' as const },
    open: (...given: Parameters<typeof quietConnector.open>) => ({
      ...quietConnector.open(...given),
      contacts: {
        ...quietConnector.open(...given).contacts!, // it has them
        pull: (...at: Parameters<ContactConnector['pull']>) =>
          (pull ?? quietConnector.open(...given).contacts!.pull)(...at), // it has them
      },
      events: {
        async send({ id, type }: { id: string; type: string }): Promise<EventOutcome> {
          if (type === 'webhook.test') return { outcome: 'sent' };
          asked.push(id);
          if (isBroken) throw new TypeError('a connector that cannot read its service');
          return answers.shift() ?? { outcome: 'sent' };
        },
      },
    }),
  };
  fixture = await openApiFixture({ connectorKinds: indexConnectorKinds([kind]) });
  admin = await fixture.as('admin');
});
afterAll(() => fixture.close());
beforeEach(async () => {
  await fixture.db.systemPool.query('DELETE FROM integrations');
  asked = [];
  isBroken = false;
  pull = undefined;
  const answer = await admin.post('/api/integrations/quiet/connect', { values: { quietKey: 'key' } }, key());
  if (answer.status !== 200) throw new Error(await answer.text());
});

let numbers = 0;
async function addContact(name: string) {
  const phone = `+4477009${String((numbers += 1)).padStart(5, '0')}`;
  expect((await admin.post('/api/contacts', { name, phone, tags: [] }, key())).status).toBe(200);
}
const read = async () => (await admin.get('/api/integrations/quiet')).json<Integration>();
const statuses = async () =>
  (
    await fixture.db.systemPool.query<{ status: string }>(
      `SELECT status FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id WHERE e.integration_id IS NOT NULL ORDER BY line_no`,
    )
  ).rows.map(({ status }) => status);

test('a refusal whose words hold NUL is of its event alone, and is sent once', async () => {
  answers = [{ outcome: 'refused', detail: 'no\0good' }];
  await addContact('Ada');
  await addContact('Bea');
  await expect.poll(statuses).toEqual(['failed', 'delivered']);
  expect(asked).toHaveLength(2);
});

test('a failure whose words are cut within a character pauses the line and is told', async () => {
  const detail = `${'x'.repeat(299)}😀 and more`;
  answers = [
    { outcome: 'failed', problem: 'credentials_wrong', detail, retryAfterMs: null, isUnknown: false },
  ];
  await addContact('Cem');
  await expect.poll(read).toMatchObject({ status: 'error', problem: 'credentials_wrong' });
  expect(asked).toHaveLength(1);
});

test('an event at which the connector throws is shown as failed, and is tried again after a pause', async () => {
  isBroken = true;
  await addContact('Dan');
  const [failure] = await expectRows(
    `SELECT d.failure_reason AS reason, d.next_attempt_at > now() AS waits, e.failures FROM webhook_deliveries d
       JOIN webhook_endpoints e ON e.id = d.endpoint_id WHERE e.integration_id IS NOT NULL AND d.failure_reason IS NOT NULL`,
  );
  expect(failure).toEqual({ reason: 'response_unreadable', waits: true, failures: 1 });
});

test('a connection whose credentials cannot be opened shows an error, from its sync as from its events', async () => {
  await fixture.db.systemPool.query(
    `UPDATE integrations SET credentials = jsonb_set(credentials, '{secrets,quietKey}', '"no sealed text"')`,
  );
  await addContact('Eva');
  await expect
    .poll(read, { timeout: 20_000 })
    .toMatchObject({ status: 'error', problem: 'credentials_wrong' });
});

test('an event that cannot be composed fails alone', async () => {
  isBroken = false;
  await fixture.db.systemPool.query(
    `UPDATE webhook_endpoints SET paused_at = now() WHERE integration_id IS NOT NULL`,
  );
  await addContact('Fay');
  await expect.poll(statuses).toEqual(['waiting']);
  await fixture.db.systemPool.query(`UPDATE webhook_deliveries SET body = 'no JSON'`);
  await fixture.db.systemPool.query(`UPDATE webhook_endpoints SET paused_at = NULL, next_due_at = now()`);
  await addContact('Gil');
  await expect.poll(statuses, { timeout: 20_000 }).toEqual(['failed', 'delivered']);
});

test('a webhook that cannot be signed is shown as failed, and is tried again after a pause', async () => {
  const endpoint = { url: 'https://hooks.example/', eventTypes: ['contact.created'] };
  expect((await admin.post('/api/webhook-endpoints', endpoint, key())).status).toBe(200);
  await fixture.db.systemPool.query(`UPDATE webhook_endpoints SET secret = 'no sealed text' WHERE url <> ''`);
  await addContact('Hal');
  const [failure] = await expectRows(
    `SELECT d.failure_reason AS reason, d.next_attempt_at > now() AS waits FROM webhook_deliveries d
       JOIN webhook_endpoints e ON e.id = d.endpoint_id WHERE e.url <> '' AND d.failure_reason IS NOT NULL`,
  );
  expect(failure).toEqual({ reason: 'invalid_request', waits: true });
});

async function expectRows(sql: string) {
  const rows = async () => (await fixture.db.systemPool.query(sql)).rows;
  await expect.poll(rows, { timeout: 20_000 }).toHaveLength(1);
  return rows();
}

async function syncOnce(answer: ContactConnector['pull']): Promise<void> {
  const run = () =>
    runSync(fixture.parts, {
      workspaceId: fixture.workspaceId,
      integrationId: integration.id,
      signal: new AbortController().signal,
      wait: async () => {},
    });
  const [integration] = (await fixture.db.systemPool.query('SELECT id FROM integrations')).rows;
  // The preview of a new connection.
  const open = async () =>
    (await fixture.db.systemPool.query('SELECT FROM integration_runs WHERE ended_at IS NULL')).rowCount;
  await expect.poll(open, { timeout: 20_000 }).toBe(0);
  pull = answer;
  await fixture.db.systemPool.query(
    `INSERT INTO integration_runs (id, workspace_id, integration_id, trigger, phase, status, counts, started_at, touched_at)
     SELECT gen_random_uuid(), workspace_id, id, 'schedule', 'pull', 'running', '{}', now(), now() FROM integrations`,
  );
  await run();
}
const lastRun = async () =>
  (
    await fixture.db.systemPool.query(
      'SELECT status, problem, problem_detail AS detail FROM integration_runs ORDER BY started_at DESC LIMIT 1',
    )
  ).rows[0];

test('a sync whose service says no with NUL in its words has failed, and says so', async () => {
  await syncOnce(async () => ({
    ...{ ok: false, problem: 'service_rejected', detail: 'no\0good', retryAfterMs: null },
  }));
  expect(await lastRun()).toEqual({ status: 'failed', problem: 'service_rejected', detail: 'no\ufffdgood' });
});

test('a sync whose step fails by itself waits and says so', async () => {
  await syncOnce(async () => {
    throw new TypeError('a connector that cannot read its service');
  });
  expect(await lastRun()).toMatchObject({ status: 'waiting', problem: 'response_unreadable' });
});
