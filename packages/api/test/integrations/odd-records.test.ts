import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { contractVendors, type Someone } from './contract-vendors.ts';
import { openVendors } from './open-vendor.ts';

// What users of other products reported about their syncs: each must do no harm here.
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
  await query(`UPDATE workspaces SET plan = 'enterprise'`);
  for (const vendor of Object.values(vendors)) vendor.clear(scene.sandbox);
});

const query = async <Row extends object>(sql: string, values: unknown[] = []) =>
  (await scene.fixture.db.systemPool.query<Row>(sql, values)).rows;
const add = (name: Name, one: Partial<Someone>) =>
  vendors[name].add(scene.sandbox, {
    ...{ name: 'Ana Diaz', phone: '+34612345601', email: 'ana@mail.example', ...one },
  });
const change = (name: Name, id: string, patch: Partial<Someone>) =>
  vendors[name].change(scene.sandbox, id, patch);
async function start(name: Name) {
  const { connect, untilStill, sync } = opened.sceneOf(name);
  await connect();
  await untilStill();
  return sync();
}
const sync = (name: Name) => opened.sceneOf(name).sync();
type Contact = { name: string; phone: string; email: string | null; is_out: boolean };
const contacts = () =>
  query<Contact>(
    `SELECT name, phone, email, opted_out_at IS NOT NULL AS is_out FROM contacts WHERE name <> 'Filler' ORDER BY name`,
  );
const onlyContact = async () =>
  (
    await (
      await scene.admin.get('/api/contacts?limit=10')
    ).json<{ items: { id: string; version: number; customFields: Record<string, string> }[] }>()
  ).items[0]!; // the sync brought it
const countsOf = async (name: Name) =>
  (
    await (
      await scene.admin.get(`/api/integrations/${name}/runs`)
    ).json<{ items: { counts: Record<string, number> }[] }>()
  ).items[0]?.counts;

longTest.each(Object.keys(vendors) as Name[])(
  'number and address that change together at %s stay those of one contact',
  async (name) => {
    const ana = add(name, {});
    await start(name);
    change(name, ana, { phone: '+34612345699', email: 'ana.new@mail.example' });
    expect(await sync(name)).toMatchObject({ errors: 0, recordsLinked: 1 });
    expect(await contacts()).toMatchObject([{ phone: '+34612345699', email: 'ana.new@mail.example' }]);
  },
);

longTest('an address that cannot be read makes no second contact with each sync', async () => {
  add('hubspot', { email: 'https://www.mail.example/' });
  expect(await start('hubspot')).toMatchObject({ recordsLinked: 1, errors: 1 });
  await sync('hubspot');
  expect(await contacts()).toMatchObject([{ name: 'Ana Diaz', email: null }]);
});

test.each(Object.keys(vendors) as Name[])(
  'who had opted out at %s before the first sync is opted out here',
  async (name) => {
    vendors[name].optOut!(scene.sandbox, add(name, {})); // each has one
    await start(name);
    expect(await contacts()).toMatchObject([{ name: 'Ana Diaz', is_out: true }]);
  },
);

longTest('a record that is merged into another there leaves both contacts, and no error', async () => {
  const ana = add('salesforce', {});
  const twin = add('salesforce', { name: 'Ana Twin', phone: '+34612345602', email: 'twin@mail.example' });
  await start('salesforce');
  vendors.salesforce.remove(scene.sandbox, twin);
  change('salesforce', ana, { email: 'twin@mail.example' });
  expect(await sync('salesforce')).toMatchObject({ errors: 0, recordsLinked: 1 });
  expect(await contacts()).toMatchObject([
    { name: 'Ana Diaz', phone: '+34612345601', email: 'twin@mail.example' },
    { name: 'Ana Twin', phone: '+34612345602' },
  ]);
  // With the number of the other one, too, it is said whose it is, and nobody loses theirs.
  change('salesforce', ana, { phone: '+34612345602' });
  expect(await sync('salesforce')).toMatchObject({ errors: 1 });
  expect(await query('SELECT error FROM integration_records WHERE error IS NOT NULL')).toEqual([
    { error: 'phone_taken' },
  ]);
});

longTest('a record that is deleted there and brought back is the same contact again', async () => {
  const ana = add('mailchimp', {});
  await start('mailchimp');
  vendors.mailchimp.remove(scene.sandbox, ana);
  expect(await sync('mailchimp')).toMatchObject({ recordsLinked: 0 });
  scene.sandbox.mailchimp.putRecord(ana, {
    status: 'subscribed',
    FNAME: 'Anita',
    LNAME: 'Diaz',
    PHONE: '+34612345601',
  });
  expect(await sync('mailchimp')).toMatchObject({ recordsLinked: 1, errors: 0 });
  expect(await contacts()).toMatchObject([{ name: 'Anita Diaz' }]);
});

longTest('a name that is too long, or written with odd spaces, is not sent to and fro', async () => {
  const long = add('hubspot', { name: `${'Ana'.repeat(200)} Diaz` });
  const spaced = add('hubspot', {
    name: 'Ben  of   Diaz',
    phone: '+34 612-345 602',
    email: 'BEN@Mail.Example',
  });
  await start('hubspot');
  const before = [long, spaced].map((id) => vendors.hubspot.read(scene.sandbox, id));
  for (let n = 0; n < 2; n += 1) {
    await sync('hubspot');
    expect(await countsOf('hubspot')).toMatchObject({ updated: 0, sent: 0, failed: 0, sendFailed: 0 });
  }
  expect([long, spaced].map((id) => vendors.hubspot.read(scene.sandbox, id))).toEqual(before);
  expect((await contacts()).map(({ phone }) => phone)).toEqual(['+34612345601', '+34612345602']);
});

longTest('an address that is emptied there is emptied here; a name and a number never are', async () => {
  const ana = add('hubspot', {});
  await start('hubspot');
  change('hubspot', ana, { name: '', phone: '', email: '' });
  await sync('hubspot');
  expect(await contacts()).toMatchObject([{ name: 'Ana Diaz', phone: '+34612345601', email: null }]);
});

test('a record that is made and deleted before its webhook is read is no error, and no contact', async () => {
  await start('hubspot');
  const ana = add('hubspot', {});
  vendors.hubspot.remove(scene.sandbox, ana);
  const url = 'http://localhost:3000/webhooks/hubspot/acme';
  const say = async () =>
    (await scene.fixture.app.request(url, vendors.hubspot.webhook!(ana, url, Date.now()))).status; // it has webhooks
  expect([await say(), await say()]).toEqual([204, 204]);
  expect(await scene.untilStill()).toMatchObject({ status: 'connected', errors: 0, recordsLinked: 0 });
  expect(await sync('hubspot')).toMatchObject({ status: 'connected', errors: 0 });
  expect(await contacts()).toEqual([]);
});

longTest(
  'a person of two services is one contact, and an opt-out at one of them reaches the other',
  async () => {
    const there = add('hubspot', {});
    const elsewhere = add('mailchimp', { name: 'Ana D.' });
    await start('hubspot');
    await start('mailchimp');
    expect(await contacts()).toHaveLength(1);
    vendors.hubspot.optOut!(scene.sandbox, there); // it has one
    await sync('hubspot');
    await sync('mailchimp');
    expect(vendors.mailchimp.read(scene.sandbox, elsewhere)).toMatchObject({ isOptedOut: true });
    expect(await contacts()).toMatchObject([{ is_out: true }]);
  },
);

longTest(
  'who waits for room in the plan, and becomes a contact by other ways, is linked, and an opt-out holds',
  async () => {
    await query(`UPDATE workspaces SET plan = 'starter'`);
    await query(
      `INSERT INTO contacts (id, workspace_id, name, phone, created_at, updated_at)
     SELECT gen_random_uuid(), $1, 'Filler', '+4477009' || (10000 + n), now(), now() FROM generate_series(1, 500) AS n`,
      [scene.fixture.workspaceId],
    );
    const ana = add('hubspot', {});
    expect(await start('hubspot')).toMatchObject({
      problem: 'plan_full',
      problemDetail: '1',
      recordsLinked: 0,
    });
    const made = { name: 'Ana Here', phone: '+34612345601', tags: [] };
    expect((await scene.admin.post('/api/contacts', made, crypto.randomUUID())).status).toBe(200);
    vendors.hubspot.optOut!(scene.sandbox, ana); // it has one
    expect(await sync('hubspot')).toMatchObject({ problem: null, recordsLinked: 1, errors: 0 });
    expect(await contacts()).toMatchObject([{ phone: '+34612345601', is_out: true }]);
  },
);

longTest('a day that is mapped to a date of the service stays the same day, to and fro', async () => {
  const key = await addDateField('Birthday');
  const there = () => scene.sandbox.hubspot.contacts.get(ana)?.properties['birthdate'];
  scene.sandbox.hubspot.properties.set('birthdate', {
    ...{ name: 'birthdate', label: 'Birthdate', type: 'date', isReadOnly: false, hasUniqueValue: false },
  });
  const ana = add('hubspot', {});
  scene.sandbox.hubspot.update(scene.sandbox.hubspot.contacts.get(ana)!, { birthdate: '1990-05-04' }); // added above
  await scene.connect();
  const { version, mapping, frequency } = await scene.untilStill();
  const dates = { ours: `custom.${key}`, theirs: 'birthdate', direction: 'both', wins: 'newest' };
  const put = await scene.admin.put('/api/integrations/hubspot', {
    ...{ version, frequency, createsThere: false, createsTag: null, mapping: [...mapping, dates] },
  });
  expect(put.status).toBe(200);
  await scene.untilStill();
  await sync('hubspot');
  expect((await onlyContact()).customFields[key]).toBe('1990-05-04');
  await sync('hubspot');
  expect(await countsOf('hubspot')).toMatchObject({ updated: 0, sent: 0 });
  const { id, version: known } = await onlyContact();
  const changes = { customFields: { [key]: '1990-12-31' }, version: known };
  expect((await scene.admin.patch(`/api/contacts/${id}`, changes)).status).toBe(200);
  expect(await sync('hubspot')).toMatchObject({ errors: 0 });
  expect(there()).toBe('1990-12-31');
  await query('DELETE FROM custom_fields');
});

/** A custom field of ours that is a date. */
async function addDateField(label: string): Promise<string> {
  const made = await scene.admin.post(
    '/api/custom-fields',
    { label, type: 'date', options: [] },
    crypto.randomUUID(),
  );
  return (await made.json<{ key: string }>()).key;
}

const timesThere = {
  hubspot: {
    field: 'last_visit',
    read: (id: string) => scene.sandbox.hubspot.contacts.get(id)?.properties['last_visit'],
    write(id: string, moment: string) {
      const field = { name: 'last_visit', label: 'Last visit', isReadOnly: false, hasUniqueValue: false };
      scene.sandbox.hubspot.properties.set('last_visit', { ...field, type: 'datetime' });
      scene.sandbox.hubspot.update(scene.sandbox.hubspot.contacts.get(id)!, { last_visit: moment }); // added before
    },
  },
  salesforce: {
    field: 'Last_Visit__c',
    read: (id: string) => scene.sandbox.salesforce.records.get(id)?.values['Last_Visit__c'],
    write: (id: string, moment: string) =>
      void scene.sandbox.salesforce.putRecord(id, { Last_Visit__c: moment }),
  },
};

longTest.each(['hubspot', 'salesforce'] as const)(
  'a time of %s that is mapped to a date is the day in the time zone of the workspace, and keeps its hour until the day changes here',
  async (name) => {
    const { field, read, write } = timesThere[name];
    await query(`UPDATE workspaces SET settings = settings || '{"timeZone": "Asia/Tokyo"}'`);
    const key = await addDateField('Last visit');
    const ana = add(name, {});
    write(ana, '2026-11-21T15:30:00.000Z');
    const { connect, untilStill } = opened.sceneOf(name);
    await connect();
    const { version, mapping, frequency } = await untilStill();
    const pair = { ours: `custom.${key}`, theirs: field, direction: 'both', wins: 'newest' };
    const put = await scene.admin.put(`/api/integrations/${name}`, {
      ...{ version, frequency, createsThere: false, createsTag: null, mapping: [...mapping, pair] },
    });
    expect(put.status).toBe(200);
    await untilStill();
    expect(await sync(name)).toMatchObject({ errors: 0 });
    expect((await onlyContact()).customFields[key]).toBe('2026-11-22');
    // An hour later on the same day changes nothing here, and nothing is sent back.
    write(ana, '2026-11-21T16:30:00.000Z');
    await sync(name);
    expect(await countsOf(name)).toMatchObject({ updated: 0, sent: 0, failed: 0 });
    expect(read(ana)).toBe('2026-11-21T16:30:00.000Z');
    const { id, version: known } = await onlyContact();
    const changes = { customFields: { [key]: '2026-12-24' }, version: known };
    expect((await scene.admin.patch(`/api/contacts/${id}`, changes)).status).toBe(200);
    expect(await sync(name)).toMatchObject({ errors: 0 });
    expect(read(ana)).toBe('2026-12-23T15:00:00.000Z');
    await sync(name);
    expect(await countsOf(name)).toMatchObject({ updated: 0, sent: 0 });
    expect((await onlyContact()).customFields[key]).toBe('2026-12-24');
    await query('DELETE FROM custom_fields');
    await query(`UPDATE workspaces SET settings = settings - 'timeZone'`);
  },
);

longTest.each(['mailchimp', 'salesforce'] as const)(
  'an edit at %s in the same second as one here is taken over, and is not sent to and fro',
  async (name) => {
    const ana = add(name, {});
    await start(name);
    const { id, version } = await onlyContact();
    const edit = { name: 'Ana Here', version };
    expect((await scene.admin.patch(`/api/contacts/${id}`, edit)).status).toBe(200);
    change(name, ana, { name: 'Ana There' });
    // Both in one second: the service tells nothing finer.
    const stored = await query<{ at: Date }>('SELECT updated_at AS at FROM contacts');
    const second = Math.floor(stored[0]!.at.getTime() / 1_000) * 1_000; // the one contact
    await query('UPDATE contacts SET updated_at = $1', [new Date(second + 700)]);
    const record =
      name === 'mailchimp'
        ? scene.sandbox.mailchimp.members.get(ana)
        : scene.sandbox.salesforce.records.get(ana);
    record!.changedAt = second + 900; // added above
    expect(await sync(name)).toMatchObject({ errors: 0 });
    expect(await contacts()).toMatchObject([{ name: 'Ana There' }]);
    for (let n = 0; n < 2; n += 1) {
      await sync(name);
      expect(await countsOf(name)).toMatchObject({ updated: 0, sent: 0, failed: 0, sendFailed: 0 });
    }
    expect(vendors[name].read(scene.sandbox, ana).name).toBe('Ana There');
  },
);

longTest(
  'who unsubscribed at Mailchimp stays unsubscribed when the account is connected again and contacts are created there',
  async () => {
    const ana = add('mailchimp', {});
    vendors.mailchimp.optOut!(scene.sandbox, ana); // it has one
    await start('mailchimp');
    const mailchimpScene = opened.sceneOf('mailchimp');
    await mailchimpScene.act('disconnect');
    await mailchimpScene.connect();
    const { version, mapping, frequency } = await mailchimpScene.untilStill();
    const settings = { version, mapping, frequency, createsThere: true, createsTag: null };
    expect((await scene.admin.put('/api/integrations/mailchimp', settings)).status).toBe(200);
    await mailchimpScene.untilStill();
    for (let n = 0; n < 2; n += 1) expect(await sync('mailchimp')).toMatchObject({ errors: 0 });
    expect(scene.sandbox.mailchimp.members.get(ana)?.status).toBe('unsubscribed');
    expect(vendors.mailchimp.list(scene.sandbox)).toHaveLength(1);
    expect(await contacts()).toMatchObject([{ is_out: true }]);
  },
);
