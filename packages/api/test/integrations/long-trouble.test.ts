import { holdRestoredIntegrations } from '@app/database/integrations/hold-restored-integrations';
import { createOutgoingCalls } from '@app/providers/calls/outgoing-calls';
import { hubspotConnector } from '@app/providers/hubspot/hubspot-connector';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { runSync } from '../../src/integrations/sync/run-sync.ts';
import { beginDueRuns } from '../../src/integrations/sync/sync-schedule.ts';
import { openVendor, type VendorScene } from './open-vendor.ts';

let scene: VendorScene;
beforeAll(async () => {
  scene = await openVendor('hubspot', { kind: hubspotConnector });
});
afterAll(() => scene.close());
beforeEach(async () => {
  for (const table of ['integrations', 'contacts', 'custom_fields'])
    await scene.fixture.db.systemPool.query(`DELETE FROM ${table}`);
  scene.sandbox.hubspot.reset();
  scene.sandbox.hubspot.contacts.clear();
});

type Contact = {
  id: string;
  name: string;
  email: string | null;
  version: number;
  customFields: Record<string, string>;
};
const contacts = async () =>
  (await (await scene.admin.get('/api/contacts?limit=200&sort=name')).json<{ items: Contact[] }>()).items;
const remote = (firstname: string, phone: string, more: Record<string, string> = {}) =>
  scene.sandbox.hubspot.create({ firstname, lastname: 'Diaz', phone, ...more });

async function startWithCompany(): Promise<void> {
  const made = await scene.admin.post(
    '/api/custom-fields',
    { label: 'Company', type: 'text', options: [] },
    crypto.randomUUID(),
  );
  expect([made.status, await made.clone().text()]).toEqual([200, expect.anything()]);
  const { key } = await made.json<{ key: string }>();
  await scene.connect();
  const { version, mapping, frequency } = await scene.untilStill();
  const put = await scene.admin.put('/api/integrations/hubspot', {
    ...{ version, frequency, createsThere: false, createsTag: null },
    mapping: [...mapping, { ours: `custom.${key}`, theirs: 'company', direction: 'both', wins: 'newest' }],
  });
  expect(put.status).toBe(200);
  // The preview counts anew with this mapping.
  await scene.untilStill();
  await scene.sync();
}

test('a field that disappears at the service empties nothing here, and the card names it until it is back', async () => {
  const ana = remote('Ana', '+34612345601', { company: 'Acme' });
  await startWithCompany();
  const company = async () => Object.values((await contacts())[0]?.customFields ?? {});
  expect(await company()).toEqual(['Acme']);
  const property = scene.sandbox.hubspot.properties.get('company')!;
  scene.sandbox.hubspot.properties.delete('company');
  delete ana.properties['company'];
  scene.sandbox.hubspot.update(ana, { firstname: 'Anita' });
  const shown = await scene.sync();
  expect(shown).toMatchObject({ status: 'connected', problem: 'field_missing', errors: 0 });
  expect(shown.problemDetail).toContain('company');
  expect((await contacts())[0]?.name).toBe('Anita Diaz');
  expect(await company()).toEqual(['Acme']);
  scene.sandbox.hubspot.properties.set('company', property);
  scene.sandbox.hubspot.update(ana, { company: 'Globex' });
  expect(await scene.sync()).toMatchObject({ status: 'connected', problem: null });
  expect(await company()).toEqual(['Globex']);
});

test('a custom field that is deleted here is no error of each record', async () => {
  const ana = remote('Ana', '+34612345601', { company: 'Acme' });
  await startWithCompany();
  await scene.fixture.db.systemPool.query('DELETE FROM custom_fields');
  scene.sandbox.hubspot.update(ana, { firstname: 'Anita' });
  expect(await scene.sync()).toMatchObject({ problem: 'field_missing', errors: 0 });
  expect((await contacts()).map(({ name }) => name)).toEqual(['Anita Diaz']);
  expect(ana.properties['company']).toBe('Acme');
});

test('a property that is deleted in the middle of a sync empties nothing here, and is named', async () => {
  remote('Ana', '+34612345601', { company: 'Acme' });
  await startWithCompany();
  const company = async () => (await contacts()).map(({ customFields }) => Object.values(customFields));
  const before = await company();
  expect(before).toEqual([['Acme']]);
  for (const one of scene.sandbox.hubspot.contacts.values())
    scene.sandbox.hubspot.update(one, { firstname: 'Anita' });
  await scene.act('sync');
  // The fields were listed, and no record was read yet.
  const calls: typeof scene.fixture.parts.calls = {
    ...scene.fixture.parts.calls,
    async call(request) {
      if (request.url.includes('/contacts/search')) scene.sandbox.hubspot.properties.delete('company');
      return scene.fixture.parts.calls.call(request);
    },
  };
  const { rows } = await scene.fixture.db.systemPool.query<{ id: string }>('SELECT id FROM integrations');
  await runSync(
    { ...scene.fixture.parts, calls },
    {
      ...{ workspaceId: scene.fixture.workspaceId, integrationId: rows[0]!.id }, // it is connected
      signal: new AbortController().signal,
    },
  );
  expect(await company()).toEqual(before);
  expect(new Set((await contacts()).map(({ name }) => name))).toEqual(new Set(['Anita Diaz']));
  expect(await scene.sync()).toMatchObject({ problem: 'field_missing', errors: 0 });
  expect(await company()).toEqual(before);
});

longTest(
  'a field that only comes in stays as it was edited here, until it changes there; always theirs is a mirror',
  async () => {
    remote('Ana', '+34612345601', { email: 'ana@there.example' });
    await scene.connect();
    const { version, mapping, frequency } = await scene.untilStill();
    const put = async (wins: 'newest' | 'theirs', at: number) => {
      const inwards = mapping.map((one) =>
        one.ours === 'email' ? { ...one, direction: 'in' as const, wins } : one,
      );
      const body = { version: at, mapping: inwards, frequency, createsThere: false, createsTag: null };
      const answer = await scene.admin.put('/api/integrations/hubspot', body);
      expect(answer.status).toBe(200);
      await scene.untilStill();
      return answer.json<{ version: number }>();
    };
    const next = await put('newest', version);
    await scene.sync();
    const email = async () => (await contacts()).map((one) => one.email);
    const record = [...scene.sandbox.hubspot.contacts.values()][0]!; // added above
    const editHere = async (to: string) => {
      const { id, version: known } = (await contacts())[0]!; // brought by the sync
      expect((await scene.admin.patch(`/api/contacts/${id}`, { email: to, version: known })).status).toBe(
        200,
      );
    };
    await editHere('ana@here.example');
    await scene.sync();
    // Another field changes there: the record is read again.
    scene.sandbox.hubspot.update(record, { firstname: 'Anita' });
    await scene.sync();
    expect(await email()).toEqual(['ana@here.example']);
    expect(record.properties['email']).toBe('ana@there.example');
    scene.sandbox.hubspot.update(record, { email: 'anita@there.example' });
    await scene.sync();
    expect(await email()).toEqual(['anita@there.example']);
    await put('theirs', next.version);
    await editHere('ana@here.example');
    await scene.sync();
    expect(await email()).toEqual(['anita@there.example']);
  },
);

test('after a restore nothing is synced, by nobody, until it is connected with its key again', async () => {
  remote('Ana', '+34612345601');
  await scene.connect();
  await scene.untilStill();
  await scene.sync();
  await holdRestoredIntegrations(scene.fixture.db.systemPool);
  for (const path of ['sync', 'preview', 'errors/retry']) {
    const answer = await scene.admin.post(`/api/integrations/hubspot/${path}`, {}, crypto.randomUUID());
    expect([path, answer.status]).toEqual([path, 409]);
  }
  scene.fixture.advance(2 * 3_600_000);
  await beginDueRuns(scene.fixture.parts);
  remote('Ben', '+34612345602');
  expect(await scene.untilStill()).toMatchObject({ status: 'error', problem: 'restored', keyHint: null });
  expect(await contacts()).toHaveLength(1);
  await scene.connect();
  await scene.untilStill();
  await scene.sync();
  expect((await contacts()).map(({ name }) => name)).toEqual(['Ana Diaz', 'Ben Diaz']);
});

test('a service that refuses for a day loses nothing: the sync waits, ends, and goes on where it was', async () => {
  remote('Ana', '+34612345601');
  await scene.connect();
  await scene.untilStill();
  await scene.sync();
  remote('Ben', '+34612345602');
  Object.assign(scene.sandbox.hubspot.behaviour, { rejectNext: 1_000, retryAfterSeconds: 16 });
  await scene.act('sync');
  const waiting = await scene.untilStill();
  expect(waiting).toMatchObject({ status: 'syncing', problem: 'service_busy' });
  expect(waiting.run).toMatchObject({ status: 'waiting', resumesAt: expect.any(String) });
  // As if it had begun a day ago.
  await scene.fixture.db.systemPool.query(
    `UPDATE integration_runs SET troubled_at = troubled_at - interval '25 hours', resume_at = resume_at - interval '1 hour' WHERE ended_at IS NULL`,
  );
  expect(await scene.untilStill()).toMatchObject({ status: 'error', problem: 'service_busy', run: null });
  scene.sandbox.hubspot.behaviour.rejectNext = 0;
  // Another process goes on: this one still waits as long as the service asked.
  const calls = createOutgoingCalls({ namedHosts: ['127.0.0.1'] });
  Object.assign(scene.fixture.parts, { calls });
  scene.fixture.advance(3_600_000);
  await beginDueRuns(scene.fixture.parts);
  expect(await scene.untilStill()).toMatchObject({ status: 'connected', problem: null });
  expect((await contacts()).map(({ name }) => name)).toEqual(['Ana Diaz', 'Ben Diaz']);
  await calls.close();
});
