import { indexConnectorKinds } from '@app/domain/integrations/connector-kind';
import { zapierConnector } from '@app/providers/zapier/zapier-connector';
import { createSandbox, type Sandbox } from '@app/sandbox/sandbox';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { longDescribe, longTest } from '@app/database/testing/long-test';
import type { Integration } from '../../src/integrations/integrations-queries.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { openProcesses, type Processes } from '../operations/processes.ts';

let sandbox: Sandbox;
let sandboxUrl: string;
let fixture: ApiFixture;
let admin: ApiCaller;
const key = () => crypto.randomUUID();
beforeAll(async () => {
  sandbox = createSandbox();
  ({ url: sandboxUrl } = await sandbox.start({ port: 0 }));
  const kind = { ...zapierConnector({ sandboxUrl }), limit: {} };
  fixture = await openApiFixture({ connectorKinds: indexConnectorKinds([kind]) });
  admin = await fixture.as('admin');
});
afterAll(async () => {
  await fixture.close();
  await sandbox.close();
});
beforeEach(async () => {
  sandbox.zapier.reset();
  await fixture.db.systemPool.query('DELETE FROM integrations');
});

type Caught = Record<string, unknown>;
const caught = (hook = '4242/sandbox'): Caught[] =>
  [...sandbox.zapier.caught.newestFirst()]
    .filter((one) => one.hook === hook)
    .map(({ body }) => body as Caught) // objects, as the stand-in takes no others
    .toReversed();
const events = (hook?: string) => caught(hook).filter(({ event }) => event !== 'webhook.test');
const read = async () => (await admin.get('/api/integrations/zapier')).json<Integration>();
const post = async (path: string, body: object = {}) =>
  admin.post(`/api/integrations/zapier/${path}`, body, key());
async function connect(values: object = { webhookUrl: `${sandboxUrl}/zapier/hooks/catch/4242/sandbox/` }) {
  const answer = await post('connect', { values });
  expect([answer.status, await answer.clone().text()]).toEqual([200, expect.anything()]);
}
let numbers = 0;
async function addContact(name: string, as = admin) {
  const phone = `+4477009${String((numbers += 1)).padStart(5, '0')}`;
  const answer = await as.post('/api/contacts', { name, phone, tags: [] }, key());
  expect(answer.status).toBe(200);
  return answer.json<{ id: string; phone: string }>();
}

describe('a connection that hears of events', () => {
  test('gets each once, in order, with the person as it is now', async () => {
    await connect();
    expect(caught()).toMatchObject([{ event: 'webhook.test' }]);
    const names = ['Ada', 'Bea', 'Cem', 'Dov'];
    for (const name of names) await addContact(name);
    await expect.poll(() => events().map((one) => one['contact_name'])).toEqual(names);
    expect(events()[0]).toMatchObject({ event: 'contact.created', contact_tags: '', name: 'Ada' });
    expect(new Set(events().map(({ id }) => id)).size).toBe(4);
    await expect.poll(read).toMatchObject({ status: 'connected', recordsSynced: 4, errors: 0 });
  });

  longTest('waits through 429 and 503 and loses nothing; a refused event holds up no other', async () => {
    await connect();
    Object.assign(sandbox.zapier.behaviour, { rejectNext: 1, failNext: 1, retryAfterSeconds: 1 });
    for (const name of ['Eva', 'Fay']) await addContact(name);
    await expect.poll(() => events().map((one) => one['contact_name'])).toEqual(['Eva', 'Fay']);
  });

  test('that was revoked shows an error once, keeps what happens, and sends it when it is mended', async () => {
    await connect();
    sandbox.zapier.behaviour.isRevoked = true;
    await addContact('Gil');
    // It has no syncs, so an error plans none.
    await expect.poll(read).toMatchObject({ status: 'error', problem: 'account_unknown', nextSyncAt: null });
    await addContact('Hal');
    const { rows } = await fixture.db.systemPool.query(
      `SELECT count(*)::int AS n FROM events WHERE type = 'integration.failed'`,
    );
    expect(rows[0]).toEqual({ n: 1 });
    sandbox.zapier.behaviour.isRevoked = false;
    await connect();
    await expect.poll(() => events().map((one) => one['contact_name'])).toEqual(['Gil', 'Hal']);
    expect(await read()).toMatchObject({ status: 'connected', problem: null });
  });

  longTest(
    'that failed and works again is said to work once an event was delivered, and not before',
    async () => {
      await connect();
      sandbox.zapier.behaviour.isRevoked = true;
      await addContact('Lea');
      await expect.poll(read).toMatchObject({ status: 'error' });
      const failures = async () => {
        const { rows } = await fixture.db.systemPool.query(
          `SELECT count(*)::int AS n FROM events WHERE type IN ('integration.failed', 'integration.recovered')
          AND subject_id = (SELECT id FROM integrations)`,
        );
        return rows[0].n;
      };
      // Its account can be reached, and the event is still refused.
      await post('check');
      await expect.poll(() => [...sandbox.zapier.calls.newestFirst()].length).toBeGreaterThan(2);
      expect(await read()).toMatchObject({ status: 'error' });
      expect(await failures()).toBe(1);
      sandbox.zapier.behaviour.isRevoked = false;
      await post('check');
      await expect.poll(read).toMatchObject({ status: 'connected', problem: null });
      expect(events().map((one) => one['contact_name'])).toEqual(['Lea']);
      expect(await failures()).toBe(2);
    },
  );

  test('hears only of what is chosen, and of nothing once it is disconnected', async () => {
    await connect();
    const before = await (await admin.get('/api/integrations/zapier/events')).json<{ version: number }>();
    const changed = await admin.put('/api/integrations/zapier/events', {
      topics: ['campaigns'],
      target: null,
      version: before.version,
    });
    expect(await changed.json()).toMatchObject({
      topics: expect.arrayContaining([{ name: 'newContacts', isOn: false }]),
    });
    await addContact('Ida');
    await post('events/test');
    await expect.poll(() => caught()).toHaveLength(2);
    expect(events()).toEqual([]);
    expect((await post('disconnect')).status).toBe(200);
    expect((await post('events/test')).status).toBe(409);
  });

  test('of an address that is not of the service is refused', async () => {
    const answer = await post('connect', { values: { webhookUrl: 'https://example.com/hooks/catch/1/2/' } });
    expect(answer.status).toBe(422);
  });
});

describe('an address that the service subscribed', () => {
  const hook = () => `${sandboxUrl}/zapier/hooks/standard/9/one/`;

  test('gets its type of event, with samples before, until it answers 410', async () => {
    await connect({});
    const samples = await admin.get('/api/integrations/zapier/samples/contact.created');
    expect(await samples.json()).toMatchObject([{ event: 'contact.created', contact_name: 'Ana Diaz' }]);
    const first = await post('hooks', { url: hook(), eventType: 'contact.created' });
    const { id } = await first.json<{ id: string }>();
    // A second request of the same address is the same subscription.
    const second = await post('hooks', { url: hook(), eventType: 'contact.created' });
    expect(await second.json()).toEqual({ id });
    await addContact('Jo');
    await expect.poll(() => events('9/one')).toMatchObject([{ contact_name: 'Jo' }]);
    const real = await admin.get('/api/integrations/zapier/samples/contact.created');
    expect(await real.json()).toMatchObject([{ contact_name: 'Jo' }]);
    sandbox.zapier.behaviour.isUnsubscribed = true;
    await addContact('Kim');
    const hooks = async () =>
      (await (await admin.get('/api/integrations/zapier/events')).json<{ hooks: number }>()).hooks;
    await expect.poll(hooks).toBe(0);
    // A Zap that unsubscribes what is gone gets no error.
    const gone = await admin.delete(`/api/integrations/zapier/hooks/${id}`);
    expect(gone.status).toBe(200);
    expect(await read()).toMatchObject({ status: 'connected' });
  });

  test('has to be one that may be called', async () => {
    await connect({});
    const answer = await post('hooks', { url: 'http://10.0.0.1/x', eventType: 'contact.created' });
    expect(answer.status).toBe(422);
    const unknown = await post('hooks', { url: hook(), eventType: 'no.such' });
    expect(unknown.status).toBe(422);
  });
});

longDescribe('a sender that is killed', () => {
  let processes: Processes;
  afterEach(async () => {
    processes.killAll();
    await processes.api.close();
  });

  test('loses no event; what arrives twice has the same id', async () => {
    const kind = { ...zapierConnector({ sandboxUrl }), limit: {} };
    // As the processes have them.
    const secrets = {
      seal: async (text: string) => text,
      open: async (text: string) => text,
      fingerprint: String,
    };
    const connectorKinds = indexConnectorKinds([kind]);
    processes = await openProcesses({ connectorKinds, secrets }, { sandboxUrl });
    const { admin: other, api } = processes;
    await other.post(
      '/api/integrations/zapier/connect',
      { values: { webhookUrl: `${sandboxUrl}/zapier/hooks/catch/4242/sandbox/` } },
      key(),
    );
    const ids: string[] = [];
    for (let n = 0; n < 20; n += 1) ids.push((await addContact(`P ${n}`, other)).id);
    const first = await processes.start();
    await expect.poll(() => events().length).toBeGreaterThan(4);
    await processes.kill(first);
    await api.db.systemPool.query(
      'UPDATE webhook_endpoints SET lease_until = now() WHERE lease_until IS NOT NULL',
    );
    await processes.start();
    const keysOf = (id: string) =>
      new Set(events().flatMap((one) => (one['contact_id'] === id ? [one['id']] : [])));
    await expect.poll(() => ids.map((id) => keysOf(id).size)).toEqual(ids.map(() => 1));
  });
});
