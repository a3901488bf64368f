import { hubspotConnector } from '@app/providers/hubspot/hubspot-connector';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { checkConnections } from '../../src/integrations/check-connections.ts';
import { beginDueRuns } from '../../src/integrations/sync/sync-schedule.ts';
import type { ApiCaller } from '../api-fixture.ts';
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

test('a connection that is disconnected in the middle of a failing sync stays disconnected', async () => {
  await scene.connect();
  await scene.untilStill();
  await scene.act('sync');
  scene.sandbox.hubspot.behaviour.isRevoked = true;
  await Promise.all([scene.untilStill(), scene.act('disconnect')]);
  expect(await scene.read()).toMatchObject({ status: 'disconnected', problem: null });
  scene.fixture.advance(2 * 3_600_000);
  await checkConnections(scene.fixture.parts);
  expect(await scene.read()).toMatchObject({ status: 'disconnected', problem: null });
});
