import { holdRestoredIntegrations } from '@app/database/integrations/hold-restored-integrations';
import { hubspotConnector } from '@app/providers/hubspot/hubspot-connector';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
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

type Contact = { id: string; name: string; version: number; customFields: Record<string, string> };
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
    `UPDATE integration_runs SET started_at = started_at - interval '25 hours', resume_at = resume_at - interval '1 hour' WHERE ended_at IS NULL`,
  );
  expect(await scene.untilStill()).toMatchObject({ status: 'connected', problem: 'service_busy', run: null });
  scene.sandbox.hubspot.behaviour.rejectNext = 0;
  // What the service asked to wait is waited for in real time.
  const later = async () => {
    scene.fixture.advance(3_600_000);
    await beginDueRuns(scene.fixture.parts);
    return scene.untilStill();
  };
  await expect.poll(later).toMatchObject({ status: 'connected', problem: null });
  expect((await contacts()).map(({ name }) => name)).toEqual(['Ana Diaz', 'Ben Diaz']);
});
