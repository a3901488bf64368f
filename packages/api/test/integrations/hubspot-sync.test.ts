import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { beginDueRuns } from '../../src/integrations/sync/sync-schedule.ts';
import { hubspotConnector } from '@app/providers/hubspot/hubspot-connector';
import { openVendor, type VendorScene } from './open-vendor.ts';

let scene: VendorScene;
beforeAll(async () => {
  scene = await openVendor('hubspot', { kind: hubspotConnector });
});
afterAll(() => scene.close());
beforeEach(async () => {
  const { fixture, sandbox } = scene;
  for (const table of ['integrations', 'contacts', 'deleted_contacts', 'suppression_list', 'erased_people'])
    await fixture.db.systemPool.query(`DELETE FROM ${table}`);
  sandbox.hubspot.reset();
  sandbox.hubspot.contacts.clear();
});

const remote = (firstname: string, phone: string, more: Record<string, string> = {}) =>
  scene.sandbox.hubspot.create({ firstname, lastname: 'Diaz', phone, ...more });
type Contact = {
  id: string;
  name: string;
  phone: string;
  email: string | null;
  optedOutAt: string | null;
  version: number;
};
const contacts = async () =>
  (await (await scene.admin.get('/api/contacts?limit=200&sort=name')).json<{ items: Contact[] }>()).items;
const errors = async () =>
  (
    await (
      await scene.admin.get('/api/integrations/hubspot/errors')
    ).json<{ items: { error: string; externalId: string; name: string; detail: string | null }[] }>()
  ).items;
const runs = async () =>
  (
    await (
      await scene.admin.get('/api/integrations/hubspot/runs')
    ).json<{ items: { status: string; counts: Record<string, number>; problem: string | null }[] }>()
  ).items;

async function addContact(name: string, phone: string, more: object = {}): Promise<Contact> {
  const answer = await scene.admin.post(
    '/api/contacts',
    { name, phone, tags: [], ...more },
    crypto.randomUUID(),
  );
  expect(answer.status).toBe(200);
  return answer.json<Contact>();
}

async function start(): Promise<void> {
  await scene.connect();
  await scene.untilStill();
  await scene.sync();
}

describe('connecting', () => {
  test('a wrong token is refused with the words of the service, and nothing is stored', async () => {
    const answer = await scene.admin.post(
      '/api/integrations/hubspot/connect',
      { values: { accessToken: 'pat-na1-wrong' } },
      crypto.randomUUID(),
    );
    expect(answer.status).toBe(422);
    expect((await answer.json<{ error: { code: string } }>()).error.code).toBe('integration_refused');
    expect((await scene.read()).status).toBe('disconnected');
  });

  longTest('begins with a preview that changes nothing, and no secret is shown', async () => {
    remote('Ana', '+34612345601');
    remote('Nobody', '');
    await addContact('Ben', '+34612345602');
    const connected = await scene.connect();
    expect(JSON.stringify({ ...connected, sandbox: null })).not.toContain('sandbox-hubspot-secret');
    expect(connected).toMatchObject({ status: 'syncing', keyHint: '••••oken', isStarted: false });
    const { run, status } = await scene.untilStill();
    expect(status).toBe('connected');
    expect(run).toMatchObject({
      trigger: 'preview',
      status: 'done',
      counts: { read: 2, created: 1, failed: 1 },
    });
    // Records of one page come in no order.
    expect(run?.sample.toSorted((one, other) => one.name.localeCompare(other.name))).toMatchObject([
      { action: 'created', name: 'Ana Diaz' },
      { action: 'failed', error: 'phone_missing' },
    ]);
    expect(await contacts()).toHaveLength(1);
  });

  test('a sync without its preview is refused', async () => {
    await scene.connect();
    const answer = await scene.admin.post('/api/integrations/hubspot/sync', {}, crypto.randomUUID());
    expect(answer.status).toBe(409);
  });
});

describe('a sync', () => {
  test('creates, links by number and by address, and names what is not clear; neighbours go on', async () => {
    await addContact('Known by number', '+34612345601');
    await addContact('Known by address', '+34612345699', { email: 'bea@shop.example' });
    remote('Ana', '+34 612 34 56 01', { email: 'ana@shop.example' });
    remote('Bea', '', { email: 'bea@shop.example' });
    remote('Without', '');
    remote('Twin', '+34612345611');
    remote('Double', '0034 612 345 611');
    remote('Other', '+34612345605', { email: 'bea2@shop.example' });
    remote('Odd', 'ask the office');
    await start();
    expect((await contacts()).map(({ name, phone }) => [name, phone])).toEqual([
      ['Ana Diaz', '+34612345601'],
      ['Bea Diaz', '+34612345699'],
      ['Other Diaz', '+34612345605'],
    ]);
    expect((await errors()).map(({ error, name }) => [error, name]).toSorted()).toEqual([
      ['phone_invalid', 'Odd Diaz'],
      ['phone_missing', 'Without Diaz'],
      ['phone_shared', 'Double Diaz'],
      ['phone_shared', 'Twin Diaz'],
    ]);
    expect(await scene.read()).toMatchObject({
      status: 'connected',
      errors: 4,
      recordsSynced: 4,
      recordsLinked: 3,
    });
  });

  test('an error goes when it is mended, by a retry', async () => {
    const twin = remote('Twin', '+34612345611');
    remote('Double', '+34612345611');
    await start();
    expect(await errors()).toHaveLength(2);
    scene.sandbox.hubspot.update(twin, { phone: '+34612345612' });
    await scene.act('errors/retry');
    await scene.untilStill();
    expect(await errors()).toEqual([]);
    expect(await contacts()).toHaveLength(2);
  });

  test('carries edits both ways, the newer one where both changed', async () => {
    const ana = remote('Ana', '+34612345601', { email: 'ana@shop.example' });
    await start();
    const [here] = await contacts();
    scene.sandbox.hubspot.update(ana, { email: 'new@shop.example' });
    const put = await scene.admin.patch(`/api/contacts/${here!.id}`, {
      name: 'Anna María Diaz',
      version: here!.version,
    });
    expect(put.status).toBe(200);
    await scene.sync();
    expect(await contacts()).toMatchObject([{ name: 'Anna María Diaz', email: 'new@shop.example' }]);
    expect(ana.properties).toMatchObject({
      firstname: 'Anna María',
      lastname: 'Diaz',
      email: 'new@shop.example',
    });
    await scene.sync();
    expect((await runs())[0]?.counts).toMatchObject({ updated: 0, sent: 0, failed: 0 });
  });

  test('an opt-out of either side holds on both, and no sync takes it back', async () => {
    const ana = remote('Ana', '+34612345601');
    remote('Ben', '+34612345602', {});
    await start();
    scene.sandbox.hubspot.properties.set('messaging_opt_out', {
      ...{ name: 'messaging_opt_out', label: 'x', type: 'string', isReadOnly: false, hasUniqueValue: false },
    });
    scene.sandbox.hubspot.update(ana, { messaging_opt_out: 'true' });
    const ben = (await contacts()).find(({ name }) => name === 'Ben Diaz')!;
    const said = await scene.admin.post(
      `/api/contacts/${ben.id}/consents`,
      { kind: 'opt_out', text: 'by phone' },
      crypto.randomUUID(),
    );
    expect(said.status).toBe(200);
    await scene.sync();
    expect((await contacts()).map(({ optedOutAt }) => optedOutAt !== null)).toEqual([true, true]);
    const records = [...scene.sandbox.hubspot.contacts.values()];
    expect(records.map(({ properties }) => properties['messaging_opt_out'])).toEqual(['true', 'true']);
    // Somebody takes the mark away there: here nobody opted in.
    scene.sandbox.hubspot.update(ana, { messaging_opt_out: '' });
    await scene.sync();
    expect((await contacts()).every(({ optedOutAt }) => optedOutAt !== null)).toBe(true);
    expect(ana.properties['messaging_opt_out']).toBe('true');
  });

  test('creates contacts there where it is asked to, each once, also when a write is answered by nobody', async () => {
    await addContact('Here Only', '+34612345621', { tags: ['vip'] });
    await addContact('Not Chosen', '+34612345622');
    await scene.connect();
    const { version, mapping } = await scene.untilStill();
    const put = await scene.admin.put('/api/integrations/hubspot', {
      ...{ version, mapping, frequency: 'hourly', createsThere: true, createsTag: 'vip' },
    });
    expect(put.status).toBe(200);
    await scene.sync();
    const there = () => [...scene.sandbox.hubspot.contacts.values()].map(({ properties }) => properties);
    expect(there()).toMatchObject([{ firstname: 'Here', lastname: 'Only', phone: '+34612345621' }]);
    await scene.sync();
    expect(there()).toHaveLength(1);
  });

  test('a record that is deleted there leaves the contact; one that is deleted here does not come back', async () => {
    const ana = remote('Ana', '+34612345601');
    const ben = remote('Ben', '+34612345602');
    await start();
    scene.sandbox.hubspot.archive(ana);
    const here = (await contacts()).find(({ name }) => name === 'Ben Diaz')!;
    expect((await scene.admin.delete(`/api/contacts/${here.id}`)).status).toBe(200);
    scene.sandbox.hubspot.update(ben, { firstname: 'Benno' });
    scene.sandbox.hubspot.behaviour.clockAheadMs = 25 * 3_600_000;
    await scene.sync();
    expect((await contacts()).map(({ name }) => name)).toEqual(['Ana Diaz']);
    scene.sandbox.hubspot.behaviour.clockAheadMs = 0;
  });

  test('waits for a limit, goes on after a page of HTML, and stops where the token is revoked', async () => {
    remote('Ana', '+34612345601');
    await scene.connect();
    await scene.untilStill();
    Object.assign(scene.sandbox.hubspot.behaviour, { rejectNext: 2, retryAfterSeconds: 0 });
    expect((await scene.sync()).status).toBe('connected');
    expect(await contacts()).toHaveLength(1);
    scene.sandbox.hubspot.behaviour.isRevoked = true;
    const broken = await scene.sync();
    expect(broken).toMatchObject({ status: 'error', problem: 'credentials_wrong' });
    expect((await runs())[0]).toMatchObject({ status: 'failed', problem: 'credentials_wrong' });
    scene.sandbox.hubspot.behaviour.isRevoked = false;
    await scene.connect();
    expect((await scene.untilStill()).status).toBe('connected');
  });
});

describe('connecting again', () => {
  test('asks for its own preview: one of before the disconnect, or one that was stopped, starts no sync', async () => {
    remote('Ana', '+34612345601');
    await start();
    await scene.act('disconnect');
    await scene.connect();
    const sync = async () => {
      const answer = await scene.admin.post('/api/integrations/hubspot/sync', {}, crypto.randomUUID());
      return (await answer.json<{ error?: { code: string } }>()).error?.code;
    };
    expect(await sync()).toBe('integration_syncing');
    await scene.act('cancel');
    expect(await sync()).toBe('integration_preview_missing');
    await scene.act('preview');
    await scene.untilStill();
    expect(await sync()).toBeUndefined();
    await scene.untilStill();
    expect(await contacts()).toHaveLength(1);
  });
});

describe('a webhook of the service', () => {
  const url = 'http://localhost:3000/webhooks/hubspot/acme';
  const call = (body: string, at: number, secret = 'sandbox-hubspot-secret') =>
    scene.fixture.app.request(url, {
      method: 'POST',
      body,
      headers: {
        'x-hubspot-signature-v3': createHmac('sha256', secret)
          .update(`POST${url}${body}${at}`)
          .digest('base64'),
        'x-hubspot-request-timestamp': String(at),
      },
    });

  test('brings a change at once; one that is not signed, or old, changes nothing', async () => {
    const ana = remote('Ana', '+34612345601');
    await start();
    scene.sandbox.hubspot.update(ana, { firstname: 'Anita' });
    const body = JSON.stringify([
      { eventId: 1, subscriptionType: 'contact.propertyChange', objectId: Number(ana.id) },
    ]);
    const now = Date.now();
    expect((await call(body, now, 'another secret')).status).toBe(401);
    expect((await call(body, now - 400_000)).status).toBe(401);
    expect((await call(body, now)).status).toBe(204);
    expect((await call(body, now)).status).toBe(204);
    await scene.untilStill();
    expect((await contacts())[0]?.name).toBe('Anita Diaz');
  });
});

test('a run that is due begins by itself, once', async () => {
  remote('Ana', '+34612345601');
  await start();
  remote('Ben', '+34612345602');
  scene.fixture.advance(2 * 3_600_000);
  await Promise.all([beginDueRuns(scene.fixture.parts), beginDueRuns(scene.fixture.parts)]);
  await scene.untilStill();
  expect(await contacts()).toHaveLength(2);
  expect((await runs()).filter(({ status }) => status === 'done')).toHaveLength(3);
});
