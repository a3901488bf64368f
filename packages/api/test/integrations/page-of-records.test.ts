import { hubspotConnector } from '@app/providers/hubspot/hubspot-connector';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { newId } from '@app/database/new-id';
import { runSync } from '../../src/integrations/sync/run-sync.ts';
import { openVendor, type VendorScene } from './open-vendor.ts';

let scene: VendorScene;
beforeAll(async () => {
  scene = await openVendor('hubspot', { kind: hubspotConnector });
});
afterAll(() => scene.close());
beforeEach(async () => {
  const { systemPool } = scene.fixture.db;
  for (const table of ['integrations', 'contacts', 'deleted_contacts', 'suppression_list', 'erased_people'])
    await systemPool.query(`DELETE FROM ${table}`);
  await systemPool.query(`UPDATE workspaces SET plan = 'enterprise'`);
  scene.sandbox.hubspot.reset();
  scene.sandbox.hubspot.contacts.clear();
});

const remote = (firstname: string, phone: string, email = '') =>
  scene.sandbox.hubspot.create({ firstname, lastname: 'Diaz', phone, email });
const numberOf = (n: number) => `+346123456${String(n).padStart(2, '0')}`;
const query = async <Row>(sql: string, values: unknown[] = []) =>
  (await scene.fixture.db.systemPool.query(sql, values)).rows as Row[];
const namesHere = async () =>
  (await query<{ name: string }>('SELECT name FROM contacts ORDER BY name')).map(({ name }) => name);
const errors = async () =>
  (
    await query<{ error: string }>(
      'SELECT error FROM integration_records WHERE error IS NOT NULL ORDER BY error',
    )
  ).map(({ error }) => error);
const lastRun = async () =>
  (
    await (
      await scene.admin.get('/api/integrations/hubspot/runs')
    ).json<{ items: { status: string; counts: Record<string, number> }[] }>()
  ).items[0];
const listHeld = async (search = '') =>
  (await scene.admin.get(`/api/integrations/hubspot/held${search}`)).json<{
    items: { externalId: string; name: string; phone: string | null; email: string | null }[];
    nextCursor: string | null;
  }>();
async function start() {
  await scene.connect();
  await scene.untilStill();
  return scene.sync();
}

test('a page of records with every kind of trouble in it: the others are added, each once', async () => {
  for (const [name, n, email] of [
    ['Known', 90, null],
    ['Parents', 91, 'family@mail.example'],
  ] as const) {
    const body = { name, phone: numberOf(n), email, tags: [] };
    expect((await scene.admin.post('/api/contacts', body, crypto.randomUUID())).status).toBe(200);
  }
  for (let n = 10; n < 50; n += 1) remote(`Person ${n}`, numberOf(n), `p${n}@mail.example`);
  remote('Nobody', '');
  remote('Wrong', '12');
  remote('Twin', numberOf(60));
  remote('Other Twin', numberOf(60));
  remote('Family', numberOf(61), 'family@mail.example');
  remote('Renamed', numberOf(90));
  remote('Odd\u0000 Sign', numberOf(63));
  await start();
  const names = await namesHere();
  expect(names).toHaveLength(43);
  expect(names).toEqual(expect.arrayContaining(['Odd\ufffd Sign Diaz', 'Parents', 'Renamed Diaz']));
  expect(await errors()).toEqual([
    ...['email_other_number', 'phone_invalid', 'phone_missing', 'phone_shared', 'phone_shared'],
  ]);
  expect((await lastRun())?.counts).toMatchObject({ created: 41, linked: 1, failed: 5 });
  const { n } = (
    await query<{ n: number }>(
      `SELECT count(*)::int AS n FROM events WHERE type = 'contact.created' AND actor ->> 'kind' = 'integration'`,
    )
  )[0]!;
  expect(n).toBe(41);
  // Nothing of it is done twice.
  await scene.sync();
  expect(await namesHere()).toEqual(names);
  expect((await lastRun())?.counts).toMatchObject({ created: 0, updated: 0, linked: 0, failed: 5 });
});

test('a record that the database refuses is found among its neighbours, and named', async () => {
  for (let n = 10; n < 30; n += 1) remote(`Person ${n}`, numberOf(n));
  await query(
    `ALTER TABLE contacts ADD CONSTRAINT refused_by_test CHECK (name <> 'Person 17 Diaz') NOT VALID`,
  );
  try {
    await start();
    expect(await namesHere()).toHaveLength(19);
    expect(await errors()).toEqual(['value_invalid']);
  } finally {
    await query('ALTER TABLE contacts DROP CONSTRAINT refused_by_test');
  }
  await scene.act('errors/retry');
  await scene.untilStill();
  expect(await namesHere()).toHaveLength(20);
  expect(await errors()).toEqual([]);
});

/** Contacts with these numbers, who have no address yet. */
async function addHere(numbers: readonly number[]): Promise<void> {
  for (const n of numbers) {
    const body = { name: `Here ${n}`, phone: numberOf(n), tags: [] };
    expect((await scene.admin.post('/api/contacts', body, crypto.randomUUID())).status).toBe(200);
  }
}
const emailsHere = () =>
  query<{ name: string; email: string | null }>('SELECT name, email FROM contacts ORDER BY name');
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, place) => from + place);

longTest('contacts that a page changes are written together, and each change is told', async () => {
  await query('DELETE FROM events');
  await addHere(range(10, 50));
  for (const n of range(10, 50)) remote(`There ${n}`, numberOf(n), `p${n}@mail.example`);
  await query('CREATE TABLE writes_of_test (at timestamptz)');
  await query(
    `CREATE FUNCTION count_write() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
       BEGIN INSERT INTO writes_of_test VALUES (now()); RETURN NULL; END $$`,
  );
  await query(
    'CREATE TRIGGER count_writes AFTER UPDATE ON contacts FOR EACH STATEMENT EXECUTE FUNCTION count_write()',
  );
  try {
    await start();
    expect(await query('SELECT count(*)::int AS n FROM writes_of_test')).toEqual([{ n: 1 }]);
  } finally {
    await query('DROP TRIGGER count_writes ON contacts');
    await query('DROP FUNCTION count_write');
    await query('DROP TABLE writes_of_test');
  }
  expect(await emailsHere()).toEqual(
    range(10, 50).map((n) => ({ name: `There ${n} Diaz`, email: `p${n}@mail.example` })),
  );
  expect((await lastRun())?.counts).toMatchObject({ linked: 40, failed: 0 });
  const told = await query<{ fields: string[]; n: number }>(
    `SELECT "values"->'fields' AS fields, count(*)::int AS n FROM events WHERE type = 'contact.updated' GROUP BY 1`,
  );
  expect(told).toEqual([{ fields: ['name', 'email'], n: 40 }]);
});

longTest(
  'a change that the database refuses, or whose number another contact has, leaves its neighbours alone',
  async () => {
    await addHere(range(10, 31));
    for (const n of range(10, 30)) remote(`There ${n}`, numberOf(n), `p${n}@mail.example`);
    const moved = remote('There 30', numberOf(30));
    await query(
      `ALTER TABLE contacts ADD CONSTRAINT refused_by_test CHECK (name <> 'There 17 Diaz') NOT VALID`,
    );
    try {
      await start();
      await addHere([31]);
      for (const one of scene.sandbox.hubspot.contacts.values())
        scene.sandbox.hubspot.update(one, { lastname: 'Ruiz' });
      scene.sandbox.hubspot.update(moved, { phone: numberOf(31) });
      await query('ALTER TABLE contacts DROP CONSTRAINT refused_by_test');
      await query(
        `ALTER TABLE contacts ADD CONSTRAINT refused_by_test CHECK (name <> 'There 18 Ruiz') NOT VALID`,
      );
      await scene.sync();
      expect(await errors()).toEqual(['phone_taken', 'value_invalid']);
      const changed = (await namesHere()).filter((name) => name.endsWith('Ruiz'));
      expect(changed).toHaveLength(19);
      expect(changed).not.toContain('There 18 Ruiz');
    } finally {
      await query('ALTER TABLE contacts DROP CONSTRAINT refused_by_test');
    }
  },
);

longTest('a contact that two records of a page name is linked to one of them', async () => {
  const body = { name: 'Ana', phone: numberOf(10), email: 'ana@mail.example', tags: [] };
  expect((await scene.admin.post('/api/contacts', body, crypto.randomUUID())).status).toBe(200);
  for (const n of range(11, 20)) remote(`Person ${n}`, numberOf(n));
  remote('By number', numberOf(10));
  remote('By address', '', 'ana@mail.example');
  await start();
  expect(await errors()).toContain('contact_linked');
  expect((await lastRun())?.counts).toMatchObject({ created: 9, linked: 1, failed: 1 });
});

test('an opt-out of a record that cannot be applied holds for the contact who has its number, once', async () => {
  await addHere([10]);
  scene.sandbox.hubspot.properties.set('messaging_opt_out', {
    ...{ name: 'messaging_opt_out', label: 'x', type: 'string', isReadOnly: false, hasUniqueValue: false },
  });
  remote('Twin', numberOf(10));
  scene.sandbox.hubspot.update(remote('Other Twin', numberOf(10)), { messaging_opt_out: 'true' });
  await start();
  expect(await errors()).toEqual(['phone_shared', 'phone_shared']);
  expect((await lastRun())?.counts).toMatchObject({ failed: 2, optedOut: 1 });
  const said = () =>
    query<{ kind: string; source: string; recorded_by: string; text: string }>(
      'SELECT kind, source, recorded_by, text FROM contact_consents ORDER BY occurred_at',
    );
  const optOut = { kind: 'opt_out', source: 'integration', recorded_by: 'HubSpot', text: 'HubSpot' };
  expect(await said()).toEqual([optOut]);
  // What was said there before is no news for who opts in here later.
  const [{ id } = { id: '' }] = await query<{ id: string }>('SELECT id FROM contacts');
  const optIn = { kind: 'opt_in', text: 'at the desk' };
  expect((await scene.admin.post(`/api/contacts/${id}/consents`, optIn)).status).toBe(200);
  await scene.sync();
  expect(await errors()).toEqual(['phone_shared', 'phone_shared']);
  expect(await said()).toMatchObject([optOut, optIn]);
});

longTest(
  'a sync keeps to the room of the plan, says how many records wait, and goes on when there is room',
  async () => {
    await query(`UPDATE workspaces SET plan = 'starter'`);
    await query(
      `INSERT INTO contacts (id, workspace_id, name, phone, created_at, updated_at)
     SELECT gen_random_uuid(), $1, 'Filler', '+4477009' || (10000 + n), now(), now() FROM generate_series(1, 498) AS n`,
      [scene.fixture.workspaceId],
    );
    for (let n = 10; n < 20; n += 1) remote(`Person ${n}`, numberOf(n));
    await scene.connect();
    const { run } = await scene.untilStill();
    expect(run?.counts).toMatchObject({ created: 2, held: 8 });
    const full = await scene.sync();
    expect(full).toMatchObject({ status: 'connected', problem: 'plan_full', problemDetail: '8', errors: 0 });
    expect(full).toMatchObject({ recordsHeld: 8 });
    expect(await lastRun()).toMatchObject({ status: 'done', counts: { created: 2, held: 8 } });
    // They are listed in the order in which they come in, page by page.
    const first5 = await listHeld('?limit=5');
    expect(first5.items).toHaveLength(5);
    const waiting = [...first5.items, ...(await listHeld(`?limit=5&cursor=${first5.nextCursor}`)).items];
    expect(waiting).toHaveLength(8);
    const here = await namesHere();
    for (const { name, phone, email, externalId } of waiting) {
      const { properties } = scene.sandbox.hubspot.contacts.get(externalId)!; // the service has them
      expect([name, phone, email]).toEqual([`${properties['firstname']} Diaz`, properties['phone'], null]);
      expect(here).not.toContain(name);
    }
    const added = `SELECT count(*)::int AS n FROM contacts WHERE name LIKE 'Person%'`;
    expect(await query(added)).toEqual([{ n: 2 }]);
    // Still full: nothing changes, and what is known goes on being synced.
    const [known = ''] = (await namesHere()).filter((name) => name.startsWith('Person'));
    const first = [...scene.sandbox.hubspot.contacts.values()].find(({ properties }) =>
      known.startsWith(properties['firstname'] ?? '?'),
    );
    scene.sandbox.hubspot.update(first!, { lastname: 'Ruiz' }); // a sync added it
    expect(await scene.sync()).toMatchObject({ problem: 'plan_full', problemDetail: '8' });
    expect(await query(added)).toEqual([{ n: 2 }]);
    expect(await namesHere()).toContain(known.replace('Diaz', 'Ruiz'));
    // Room for three, and then a plan without a limit.
    await query(`DELETE FROM contacts WHERE id IN (SELECT id FROM contacts WHERE name = 'Filler' LIMIT 3)`);
    expect(await scene.sync()).toMatchObject({ problem: 'plan_full', problemDetail: '5' });
    expect(await query(added)).toEqual([{ n: 5 }]);
    expect((await listHeld()).items).toEqual(waiting.slice(3));
    await query(`UPDATE workspaces SET plan = 'enterprise'`);
    expect(await scene.sync()).toMatchObject({ status: 'connected', problem: null, errors: 0 });
    expect(await query(added)).toEqual([{ n: 10 }]);
    expect(await listHeld()).toEqual({ items: [], nextCursor: null });
  },
);

test('a sync rests after each page while a campaign is being sent, and not a moment otherwise', async () => {
  const { fixture } = scene;
  await start();
  const channelId = await fixture.addChannel();
  const [runNo, campaignId] = [7, newId()];
  await query('SELECT ensure_delivery_partition($1)', [runNo]);
  await query(
    `INSERT INTO delivery_runs (run_no, workspace_id, channel_id, campaign_id, message, category, audience, state, frozen_at)
     VALUES ($1, $2, $3, $4, '{}', 'marketing', '{}', 'running', now())`,
    [runNo, fixture.workspaceId, channelId, campaignId],
  );
  const [{ id: integrationId } = { id: '' }] = await query<{ id: string }>('SELECT id FROM integrations');
  const rests = async (name: string, n: number) => {
    remote(name, numberOf(n));
    await scene.act('sync');
    const rested: number[] = [];
    const wait = async (ms: number) => void rested.push(ms);
    const signal = new AbortController().signal;
    await runSync(fixture.parts, { workspaceId: fixture.workspaceId, integrationId, signal, wait });
    expect(await namesHere()).toContain(`${name} Diaz`);
    return rested;
  };
  try {
    const rested = await rests('Ana', 10);
    expect(rested.length).toBeGreaterThan(0);
    expect(rested.every((ms) => ms > 0)).toBe(true);
    await query(`UPDATE delivery_runs SET state = 'paused'`);
    expect(await rests('Ben', 11)).toEqual([]);
  } finally {
    await query('DELETE FROM delivery_runs');
  }
});
