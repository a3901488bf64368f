import { runSync } from '../../src/integrations/sync/run-sync.ts';
import { beginDueRuns } from '../../src/integrations/sync/sync-schedule.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { contractVendors } from './contract-vendors.ts';
import { goOn, openVendors } from './open-vendor.ts';

const { hubspot, mailchimp, shopify } = contractVendors;
const vendors = { hubspot, mailchimp, shopify };
type Name = keyof typeof vendors;
let opened: Awaited<ReturnType<typeof openVendors>>;
let scene: ReturnType<typeof opened.sceneOf>;
beforeAll(async () => {
  opened = await openVendors(vendors);
  scene = opened.sceneOf('hubspot');
});
afterAll(() => opened.close());
beforeEach(async () => {
  for (const table of ['integrations', 'contacts']) await query(`DELETE FROM ${table}`);
  await query(`UPDATE workspaces SET plan = 'enterprise'`);
  for (const vendor of Object.values(vendors)) vendor.clear(scene.sandbox);
});

const query = async <Row extends object>(sql: string, values: unknown[] = []) =>
  (await scene.fixture.db.systemPool.query<Row>(sql, values)).rows;
const numberOf = (n: number) => `+34612${String(340_000 + n)}`;
const add = (name: Name, n: number) =>
  vendors[name].add(scene.sandbox, {
    ...{ name: `Person N${n}`, phone: numberOf(n), email: `p${n}@shop.example` },
  });
const idOf = async (name: Name) =>
  (await query<{ id: string }>('SELECT id FROM integrations WHERE kind = $1', [name]))[0]!.id; // connected
const run = async (name: Name, sliceMs: number) =>
  runSync(scene.fixture.parts, {
    ...{ workspaceId: scene.fixture.workspaceId, integrationId: await idOf(name) },
    ...{ signal: new AbortController().signal, wait: goOn, sliceMs },
  });
/** Does one step of the open run after the other, until the next one is of this phase. */
async function goTo(name: Name, phase: string): Promise<void> {
  const next = `SELECT phase FROM integration_runs WHERE ended_at IS NULL AND integration_id = $1`;
  const id = await idOf(name);
  while ((await query<{ phase: string }>(next, [id]))[0]!.phase !== phase)
    expect(await run(name, 0)).toEqual({ steps: 1, isUnfinished: true });
}
const countContacts = async () =>
  (await query<{ n: number }>('SELECT count(*)::int AS n FROM contacts'))[0]!.n;

test('an opt-out that a webhook names comes in while a long run of the same service is at other records', async () => {
  const ana = add('hubspot', 0);
  await scene.connect();
  await scene.untilStill();
  await scene.sync();
  for (let n = 1; n <= 150; n += 1) add('hubspot', n);
  await scene.act('sync');
  await goTo('hubspot', 'apply');
  hubspot.optOut!(scene.sandbox, ana); // it has one
  const url = 'http://localhost:3000/webhooks/hubspot/acme';
  const said = await scene.fixture.app.request(url, hubspot.webhook!(ana, url, Date.now())); // it has webhooks
  expect(said.status).toBe(204);
  expect(await run('hubspot', 0)).toEqual({ steps: 1, isUnfinished: true });
  expect(await query('SELECT phone FROM contacts WHERE opted_out_at IS NOT NULL')).toEqual([
    { phone: numberOf(0) },
  ]);
  expect(await countContacts()).toBe(1);
  expect(await scene.untilStill()).toMatchObject({ status: 'connected', errors: 0 });
  expect(await countContacts()).toBe(151);
});

test('what is asked for while a run is under way is the next run, and the schedule does not forget it', async () => {
  add('hubspot', 0);
  await scene.connect();
  await scene.untilStill();
  await scene.sync();
  await scene.act('sync');
  await goTo('hubspot', 'push');
  const { version, mapping, frequency } = await scene.read();
  const inwards = mapping.map((one) => (one.ours === 'email' ? { ...one, direction: 'in' as const } : one));
  const body = { version, mapping: inwards, frequency, createsThere: false, createsTag: null };
  expect((await scene.admin.put('/api/integrations/hubspot', body)).status).toBe(200);
  await beginDueRuns(scene.fixture.parts);
  await scene.untilStill();
  await beginDueRuns(scene.fixture.parts);
  expect(await scene.read()).toMatchObject({ status: 'syncing', run: { trigger: 'schedule' } });
});

test('a webhook that names nobody, and comes twice during a run that has passed the record, begins one further run', async () => {
  const audience = opened.sceneOf('mailchimp');
  const ana = add('mailchimp', 0);
  await audience.connect();
  await audience.untilStill();
  await audience.sync();
  await audience.act('sync');
  await goTo('mailchimp', 'push');
  mailchimp.change(scene.sandbox, ana, { name: 'Anita Diaz' });
  const url = 'http://localhost:3000/webhooks/mailchimp/acme';
  const say = async (address: string) =>
    (await scene.fixture.app.request(address, mailchimp.webhook!(ana, url, Date.now()))).status; // it has webhooks
  const address = mailchimp.address!(url); // it calls an address with a key
  expect([await say(url), await say(address), await say(address)]).toEqual([401, 204, 204]);
  await audience.untilStill();
  expect(await query('SELECT name FROM contacts')).toEqual([{ name: 'Person N0' }]);
  await beginDueRuns(scene.fixture.parts);
  expect(await audience.untilStill()).toMatchObject({ status: 'connected', errors: 0 });
  expect(await query('SELECT name FROM contacts')).toEqual([{ name: 'Anita Diaz' }]);
  await beginDueRuns(scene.fixture.parts);
  expect(await audience.read()).toMatchObject({ status: 'connected' });
});

test('two services that sync at the same moment keep to the room of the plan together', async () => {
  await query(`UPDATE workspaces SET plan = 'starter'`);
  await query(
    `INSERT INTO contacts (id, workspace_id, name, phone, created_at, updated_at)
     SELECT gen_random_uuid(), $1, 'Filler', '+4477009' || (10000 + n), now(), now() FROM generate_series(1, 498) AS n`,
    [scene.fixture.workspaceId],
  );
  const names = ['hubspot', 'shopify'] as const;
  for (const [place, name] of names.entries()) {
    for (let n = 0; n < 5; n += 1) add(name, place * 10 + n);
    await opened.sceneOf(name).connect();
  }
  await scene.untilStill();
  for (const name of names) {
    await opened.sceneOf(name).act('sync');
    await goTo(name, 'apply');
  }
  await Promise.all(names.map((name) => run(name, Infinity)));
  expect(await countContacts()).toBe(500);
  const held = await query('SELECT FROM integration_records WHERE is_held');
  expect(held).toHaveLength(8);
});
