import { hubspotConnector } from '@app/providers/hubspot/hubspot-connector';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { checkConnections } from '../../src/integrations/check-connections.ts';
import { disconnectIntegration } from '../../src/integrations/connect-integration.ts';
import { findIntegration } from '../../src/integrations/integration-rows.ts';
import { beginDueRuns } from '../../src/integrations/sync/sync-schedule.ts';
import { changeAsSystem } from '../../src/platform/system-work.ts';
import type { ApiCaller } from '../api-fixture.ts';
import { countLockWaits } from '../lock-waits.ts';
import { openVendor, type VendorScene } from './open-vendor.ts';

let scene: VendorScene;
const callers: Partial<Record<'manager' | 'agent' | 'viewer', ApiCaller>> = {};
beforeAll(async () => {
  scene = await openVendor('hubspot', { kind: hubspotConnector });
  for (const role of ['manager', 'agent', 'viewer'] as const) callers[role] = await scene.fixture.as(role);
});
afterAll(() => scene.close());
beforeEach(async () => {
  for (const table of ['integrations', 'contacts', 'notifications'])
    await scene.fixture.db.systemPool.query(`DELETE FROM ${table}`);
  scene.sandbox.hubspot.reset();
  scene.sandbox.hubspot.contacts.clear();
});

type Here = { id: string; name: string; email: string | null; version: number };
const heard = async (caller = scene.admin) => {
  await scene.fixture.facts.catchUp();
  const { items } = await (
    await caller.get('/api/notifications')
  ).json<{ items: { kind: string; values: Record<string, string> }[] }>();
  return items.map(({ kind, values }) => [kind, values['name'], values['problem']]);
};
const FAILED = ['integration_failed', 'HubSpot', 'credentials_wrong'];
const RECOVERED = ['integration_recovered', 'HubSpot', undefined];
const laterRun = async () => {
  scene.fixture.advance(2 * 3_600_000);
  await beginDueRuns(scene.fixture.parts);
  return scene.untilStill();
};

test('a failure is announced once to those who manage the settings, and so is the repair', async () => {
  await scene.connect();
  await scene.untilStill();
  await scene.sync();
  scene.sandbox.hubspot.behaviour.isRevoked = true;
  await scene.sync();
  for (let hour = 0; hour < 3; hour += 1) await laterRun();
  expect(await heard()).toEqual([FAILED]);
  for (const role of ['agent', 'viewer'] as const) expect(await heard(callers[role])).toEqual([]);
  // The credentials work again, but no sync did yet: a check starts one, and nothing is announced in between.
  scene.sandbox.hubspot.behaviour.isRevoked = false;
  expect(await scene.act('check')).toMatchObject({ status: 'syncing' });
  expect(await heard()).toEqual([FAILED]);
  expect(await scene.untilStill()).toMatchObject({ status: 'connected', problem: null });
  expect(await heard()).toEqual([RECOVERED, FAILED]);
  await laterRun();
  expect(await heard()).toHaveLength(2);
});

test('the status that is shown is of one moment, also while a sync ends', async () => {
  await scene.connect();
  await scene.untilStill();
  await scene.sync();
  scene.sandbox.hubspot.behaviour.isRevoked = true;
  await scene.sync();
  scene.sandbox.hubspot.behaviour.isRevoked = false;
  expect(await scene.act('check')).toMatchObject({ status: 'syncing' });
  const { systemPool } = scene.fixture.db;
  const client = await systemPool.connect();
  try {
    // A page reads the connection, and its run when the sync has ended in between.
    await client.query('BEGIN');
    await client.query('LOCK TABLE integration_runs IN ACCESS EXCLUSIVE MODE');
    const reading = scene.read();
    await expect.poll(() => countLockWaits(systemPool, 'integration_runs')).toBe(1);
    await client.query(
      `UPDATE integration_runs SET status = 'done', ended_at = now() WHERE ended_at IS NULL`,
    );
    await client.query(`UPDATE integrations SET status = 'connected', problem = NULL, problem_detail = NULL`);
    await client.query('COMMIT');
    expect(await reading).toMatchObject({ status: 'connected', problem: null });
  } finally {
    client.release();
  }
});

longTest(
  'a service that is away for a day is announced once, stands on the card, and the sync goes on by itself without a loss',
  async () => {
    const { hubspot } = scene.sandbox;
    const person = (firstname: string, phone: string) =>
      hubspot.create({ firstname, lastname: 'Diaz', phone });
    const ana = person('Ana', '+34612345601');
    await scene.connect();
    await scene.untilStill();
    await scene.sync();
    hubspot.behaviour.failNext = 1_000_000;
    person('Ben', '+34612345602');
    const shown = [];
    for (let hour = 0; hour < 24; hour += 2) shown.push(await laterRun());
    // The first hour it waits, as for a short pause.
    expect(shown[0]).toMatchObject({ status: 'syncing', problem: 'service_away' });
    for (const one of shown.slice(1)) expect(one).toMatchObject({ status: 'error', problem: 'service_away' });
    const away = ['integration_failed', 'HubSpot', 'service_away'];
    expect(await heard()).toEqual([away]);

    // Both sides were edited meanwhile.
    hubspot.update(ana, { email: 'ana@there.example' });
    const list = async () =>
      (await (await scene.admin.get('/api/contacts?sort=name')).json<{ items: Here[] }>()).items;
    const [{ id, version }] = (await list()) as [Here];
    expect((await scene.admin.patch(`/api/contacts/${id}`, { name: 'Anita Diaz', version })).status).toBe(
      200,
    );
    hubspot.behaviour.failNext = 0;
    expect(await laterRun()).toMatchObject({ status: 'connected', problem: null, errors: 0 });
    expect((await list()).map(({ name, email }) => [name, email])).toEqual([
      ['Anita Diaz', 'ana@there.example'],
      ['Ben Diaz', null],
    ]);
    expect(ana.properties['firstname']).toBe('Anita');
    expect(await heard()).toEqual([RECOVERED, away]);
  },
);

test('who connects it anew is not told that it works', async () => {
  await scene.connect();
  await scene.untilStill();
  await scene.sync();
  scene.sandbox.hubspot.behaviour.isRevoked = true;
  await scene.sync();
  scene.sandbox.hubspot.behaviour.isRevoked = false;
  await scene.connect();
  await scene.untilStill();
  expect(await heard()).toEqual([FAILED]);
});

const endings: readonly [string, (scene: VendorScene) => void][] = [
  ['fails', ({ sandbox }) => (sandbox.hubspot.behaviour.isRevoked = true)],
  ['waits for a service that is away', ({ sandbox }) => (sandbox.hubspot.behaviour.failNext = 1_000_000)],
  ['goes on', () => {}],
];

longTest.each(endings)(
  'a connection that is disconnected while its sync %s stays disconnected, and neither waits for the other in vain',
  async (_, prepare) => {
    await scene.connect();
    await scene.untilStill();
    await scene.act('sync');
    prepare(scene);
    const { parts, workspaceId, db } = scene.fixture;
    const waiting: Promise<unknown>[] = [];
    // Disconnect has its first lock when the sync comes to the end of a step.
    await changeAsSystem(parts, 'upkeep', workspaceId, async (scope) => {
      const row = (await findIntegration(scope, 'hubspot', 'FOR NO KEY UPDATE'))!; // connected above
      waiting.push(scene.untilStill());
      await expect.poll(() => countLockWaits(db.systemPool)).toBe(1);
      await disconnectIntegration(scope, row);
    });
    await Promise.all(waiting);
    expect(await scene.read()).toMatchObject({ status: 'disconnected', problem: null });
    scene.fixture.advance(2 * 3_600_000);
    await checkConnections(parts);
    expect(await scene.read()).toMatchObject({ status: 'disconnected', problem: null });
  },
);
