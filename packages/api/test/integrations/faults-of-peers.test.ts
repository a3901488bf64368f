import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { contractVendors, type Someone } from './contract-vendors.ts';
import { openVendors } from './open-vendor.ts';

// Faults that were reported of other products, part two: those of writing, of merging and of late commits. Each must do no harm here.
const { hubspot, mailchimp, salesforce } = contractVendors;
const vendors = { hubspot, mailchimp, salesforce };
type Name = keyof typeof vendors;
let opened: Awaited<ReturnType<typeof openVendors>>;
let scene: ReturnType<typeof opened.sceneOf>;
beforeAll(async () => {
  opened = await openVendors(vendors);
  scene = opened.sceneOf('hubspot');
});
afterAll(() => opened.close());
beforeEach(async () => {
  for (const table of ['integrations', 'contacts', 'deleted_contacts', 'suppression_list'])
    await query(`DELETE FROM ${table}`);
  for (const vendor of Object.values(vendors)) vendor.clear(scene.sandbox);
});

const query = async <Row extends object>(sql: string, values: unknown[] = []) =>
  (await scene.fixture.db.systemPool.query<Row>(sql, values)).rows;
const contacts = () =>
  query<{ id: string; name: string; phone: string; email: string | null; version: number }>(
    'SELECT id, name, phone, email, version FROM contacts ORDER BY phone',
  );
const errors = () =>
  query<{ error: string; side: string }>(
    'SELECT error, error_side AS side FROM integration_records WHERE error IS NOT NULL',
  );
const addHere = async (one: object) => {
  const made = await scene.admin.post('/api/contacts', { tags: [], ...one }, crypto.randomUUID());
  expect(made.status).toBe(200);
};
const editHere = async (phone: string, changes: object) => {
  const { id, version } = (await contacts()).find((one) => one.phone === phone)!; // one of this test
  expect((await scene.admin.patch(`/api/contacts/${id}`, { ...changes, version })).status).toBe(200);
};
const add = (name: Name, one: Partial<Someone>) =>
  vendors[name].add(scene.sandbox, {
    ...{ name: 'Ana Diaz', phone: '+34612345601', email: 'ana@mail.example', ...one },
  });
const sync = (name: Name) => opened.sceneOf(name).sync();
async function start(name: Name, { createsThere = false } = {}) {
  const { connect, untilStill } = opened.sceneOf(name);
  await connect();
  const { version, mapping, frequency } = await untilStill();
  const settings = { version, mapping, frequency, createsThere, createsTag: null };
  expect((await scene.admin.put(`/api/integrations/${name}`, settings)).status).toBe(200);
  await untilStill();
  return sync(name);
}
const there = (name: Name) =>
  vendors[name]
    .list(scene.sandbox)
    .map((id) => vendors[name].read(scene.sandbox, id))
    .toSorted((one, other) => one.phone.localeCompare(other.phone));

longTest.each([
  ['before the first sync', true],
  ['later', false],
])(
  'two contacts here with one address, the second of them added %s, are one member of Mailchimp, whom the other does not overwrite',
  async (_, isFirst) => {
    await addHere({ name: 'Ana Diaz', phone: '+34612345601', email: 'family@mail.example' });
    const addSecond = () =>
      addHere({ name: 'Ben Diaz', phone: '+34612345602', email: 'Family@mail.example' });
    if (isFirst) await addSecond();
    await start('mailchimp', { createsThere: true });
    if (!isFirst) await addSecond();
    for (let n = 0; n < 2; n += 1) await sync('mailchimp');
    expect(there('mailchimp')).toMatchObject([{ name: 'Ana Diaz', phone: '+34612345601' }]);
    expect(await contacts()).toMatchObject([
      { name: 'Ana Diaz', phone: '+34612345601' },
      { name: 'Ben Diaz', phone: '+34612345602' },
    ]);
    expect(await errors()).toEqual([{ error: 'email_shared', side: 'out' }]);
    await editHere('+34612345602', { email: 'ben@mail.example' });
    expect(await sync('mailchimp')).toMatchObject({ errors: 0 });
    expect(there('mailchimp')).toMatchObject([{ name: 'Ana Diaz' }, { name: 'Ben Diaz' }]);
  },
);

test('two contacts here with one address are not one batch that HubSpot refuses: the first is created there, and the second named', async () => {
  await addHere({ name: 'Ana Diaz', phone: '+34612345601', email: 'family@mail.example' });
  await addHere({ name: 'Ben Diaz', phone: '+34612345602', email: 'family@mail.example' });
  await addHere({ name: 'Cara Diaz', phone: '+34612345603', email: 'cara@mail.example' });
  await start('hubspot', { createsThere: true });
  for (let n = 0; n < 2; n += 1) await sync('hubspot');
  expect(there('hubspot')).toMatchObject([{ name: 'Ana Diaz' }, { name: 'Cara Diaz' }]);
  expect(await errors()).toEqual([{ error: 'vendor_rejected', side: 'out' }]);
  await editHere('+34612345602', { email: 'ben@mail.example' });
  expect(await sync('hubspot')).toMatchObject({ errors: 0 });
  expect(there('hubspot')).toHaveLength(3);
});

longTest(
  'a member of Mailchimp who was archived is not brought back by a contact with this address',
  async () => {
    const ana = add('mailchimp', {});
    mailchimp.remove(scene.sandbox, ana);
    await addHere({ name: 'Ana Diaz', phone: '+34612345601', email: 'ana@mail.example' });
    await start('mailchimp', { createsThere: true });
    for (let n = 0; n < 2; n += 1) expect(await sync('mailchimp')).toMatchObject({ errors: 0 });
    expect(scene.sandbox.mailchimp.members.get(ana)?.status).toBe('archived');
    expect(mailchimp.list(scene.sandbox)).toHaveLength(1);
    expect(await contacts()).toMatchObject([{ name: 'Ana Diaz', email: 'ana@mail.example' }]);
  },
);

longTest(
  'a member of Mailchimp who was deleted for good holds up nobody, and the contact stays',
  async () => {
    const ids = [
      add('mailchimp', {}),
      add('mailchimp', { name: 'Ben Diaz', phone: '+34612345602', email: 'ben@mail.example' }),
    ];
    scene.sandbox.mailchimp.happen('forget', { id: ids[0]! });
    await addHere({ name: 'Ana Diaz', phone: '+34612345601', email: 'ana@mail.example' });
    await addHere({ name: 'Cara Diaz', phone: '+34612345603', email: 'cara@mail.example' });
    await start('mailchimp', { createsThere: true });
    await sync('mailchimp');
    expect(there('mailchimp')).toMatchObject([{ name: 'Ben Diaz' }, { name: 'Cara Diaz' }]);
    expect(await errors()).toEqual([{ error: 'vendor_rejected', side: 'out' }]);
    // One who was linked before.
    scene.sandbox.mailchimp.happen('forget', { id: ids[1]! });
    await editHere('+34612345602', { name: 'Ben Here' });
    await sync('mailchimp');
    expect(await errors()).toEqual([{ error: 'vendor_rejected', side: 'out' }]);
    expect((await contacts()).map(({ name }) => name)).toEqual(['Ana Diaz', 'Ben Here', 'Cara Diaz']);
  },
);

longTest(
  'two contacts of HubSpot that are merged there into a new one are one record of the contact with its number, without a webhook',
  async () => {
    const [ana, twin] = [
      add('hubspot', {}),
      add('hubspot', { name: 'A. Diaz', phone: '', email: 'a@mail.example' }),
    ];
    await start('hubspot');
    const { contacts: known } = scene.sandbox.hubspot;
    const merged = scene.sandbox.hubspot.merge(known.get(ana)!, known.get(twin)!); // added above
    await sync('hubspot');
    expect(await sync('hubspot')).toMatchObject({ errors: 0, recordsLinked: 1 });
    expect(await contacts()).toMatchObject([{ name: 'Ana Diaz', phone: '+34612345601' }]);
    await editHere('+34612345601', { name: 'Ana Here' });
    expect(await sync('hubspot')).toMatchObject({ errors: 0 });
    expect(hubspot.read(scene.sandbox, merged.id)).toMatchObject({ name: 'Ana Here' });
  },
);

longTest(
  'a change of Salesforce that is seen ten minutes after its time, because its transaction took so long, comes in',
  async () => {
    const late = add('salesforce', {});
    add('salesforce', { name: 'Ben Diaz', phone: '+34612345602', email: 'ben@mail.example' });
    await start('salesforce');
    salesforce.change(scene.sandbox, late, { name: 'Ana Late' });
    scene.sandbox.salesforce.records.get(late)!.changedAt = Date.now() - 600_000; // added above
    await sync('salesforce');
    expect(await contacts()).toMatchObject([{ name: 'Ana Late' }, { name: 'Ben Diaz' }]);
  },
);

longTest.each(Object.keys(vendors) as Name[])(
  'one whom %s refuses to take holds up nobody, stands in the list with the words of the service, and is sent once it is mended',
  async (name) => {
    // At Mailchimp and HubSpot an address is of one person alone; Salesforce takes no address without a point.
    const taken = name === 'salesforce' ? 'ana@mail' : 'taken@mail.example';
    const ids = [
      add(name, {}),
      add(name, { name: 'Ben Diaz', phone: '+34612345602', email: 'ben@mail.example' }),
    ];
    if (name !== 'salesforce') add(name, { name: 'No Number', phone: '', email: taken });
    await start(name);
    await query(
      'UPDATE contacts SET email = $1, version = version + 1, updated_at = now() WHERE phone = $2',
      [taken, '+34612345601'],
    );
    await editHere('+34612345602', { name: 'Ben Here' });
    await sync(name);
    expect(vendors[name].read(scene.sandbox, ids[1]!)).toMatchObject({ name: 'Ben Here' });
    expect(vendors[name].read(scene.sandbox, ids[0]!)).toMatchObject({ email: 'ana@mail.example' });
    expect(await errors()).toContainEqual({ error: 'vendor_rejected', side: 'out' });
    await editHere('+34612345601', { email: 'ana.new@mail.example' });
    await sync(name);
    expect(vendors[name].read(scene.sandbox, ids[0]!)).toMatchObject({ email: 'ana.new@mail.example' });
    expect(await errors()).not.toContainEqual({ error: 'vendor_rejected', side: 'out' });
  },
);

longTest.each(Object.keys(vendors) as Name[])(
  'signs that are composed in another way at %s are no edit that goes to and fro',
  async (name) => {
    // The same name, with the accents as signs of their own.
    const decomposed = 'José Müller'.normalize('NFD');
    const jose = add(name, { name: decomposed });
    await start(name);
    const before = vendors[name].read(scene.sandbox, jose);
    const known = await contacts();
    for (let n = 0; n < 2; n += 1) await sync(name);
    expect(await contacts()).toEqual(known);
    expect(vendors[name].read(scene.sandbox, jose)).toEqual(before);
  },
);
