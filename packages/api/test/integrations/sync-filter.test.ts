import type { FilterRule } from '@app/domain/integrations/sync-filter';
import { hubspotConnector } from '@app/providers/hubspot/hubspot-connector';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openVendor, type VendorScene } from './open-vendor.ts';

type Contact = { id: string; name: string; optedOutAt: string | null };
const customers: FilterRule[] = [{ field: 'lifecyclestage', operator: 'is', values: ['customer'] }];
const path = '/api/integrations/hubspot';

let scene: VendorScene;
beforeAll(async () => {
  scene = await openVendor('hubspot', { kind: hubspotConnector });
  scene.sandbox.hubspot.contacts.clear();
});
afterAll(() => scene.close());

const remote = (firstname: string, phone: string, lifecyclestage: string) =>
  scene.sandbox.hubspot.create({ firstname, lastname: 'Diaz', phone, lifecyclestage });
const contacts = async () =>
  (await (await scene.admin.get('/api/contacts?limit=200&sort=name')).json<{ items: Contact[] }>()).items;
const names = async () => (await contacts()).map(({ name }) => name);
async function put(patch: object) {
  const { version, mapping, frequency, createsThere, createsTag } = await scene.read();
  return scene.admin.put(path, { version, mapping, frequency, createsThere, createsTag, ...patch });
}
const counts = async () =>
  (await (await scene.admin.get(`${path}/runs`)).json<{ items: { counts: object }[] }>()).items[0]?.counts;

test('only records that meet the filter come in; who is here stays in step, and an opt-out holds for everybody', async () => {
  const { hubspot } = scene.sandbox;
  remote('Ana', '+34612345601', 'customer');
  const ben = remote('Ben', '+34612345602', 'lead');
  // Two records with the number of one person: the filter says which of them counts.
  remote('Cleo', '+34612345603', 'customer');
  remote('Cleo Old', '+34612345603', 'other');
  const only = { name: 'Dora Here', phone: '+34612345604', tags: [] };
  expect((await scene.admin.post('/api/contacts', only, crypto.randomUUID())).status).toBe(200);
  const dora = remote('Dora There', '+34612345604', 'lead');
  await scene.connect();
  expect((await scene.untilStill()).run?.counts).toMatchObject({ created: 2, linked: 1, failed: 2 });

  // The service names the values that there are.
  const { items: fields } = await (
    await scene.admin.get(`${path}/fields`)
  ).json<{ items: { name: string; options: unknown[] }[] }>();
  expect(fields.find(({ name }) => name === 'lifecyclestage')?.options).toContainEqual({
    ...{ value: 'marketingqualifiedlead', label: 'Marketing Qualified Lead' },
  });
  const changed = await put({ filter: customers });
  expect(changed.status).toBe(200);
  // The preview counts anew, and what it counted before does not start a sync.
  expect(await changed.json()).toMatchObject({ filter: customers, status: 'syncing' });
  const again = await scene.untilStill();
  expect(again.run).toMatchObject({ trigger: 'preview', status: 'done' });
  expect(again.run?.counts).toMatchObject({ read: 5, created: 2, filtered: 3, linked: 0, failed: 0 });
  expect(again.run?.sample.map(({ name }) => name).toSorted()).toEqual(['Ana Diaz', 'Cleo Diaz']);

  expect(await scene.sync()).toMatchObject({ status: 'connected', errors: 0, recordsSynced: 2 });
  expect(await names()).toEqual(['Ana Diaz', 'Cleo Diaz', 'Dora Here']);
  await scene.sync();
  expect(await counts()).toMatchObject({ filtered: 0, created: 0 });

  // Who becomes a customer comes in; who is no customer any more stays, and stays in step.
  hubspot.update(ben, { lifecyclestage: 'customer' });
  const ana = [...hubspot.contacts.values()][0]!; // added above
  hubspot.update(ana, { lifecyclestage: 'other', firstname: 'Anita' });
  await scene.sync();
  expect(await names()).toEqual(['Anita Diaz', 'Ben Diaz', 'Cleo Diaz', 'Dora Here']);

  hubspot.properties.set('messaging_opt_out', {
    ...{ name: 'messaging_opt_out', label: 'x', type: 'string', isReadOnly: false, hasUniqueValue: false },
  });
  hubspot.update(dora, { messaging_opt_out: 'true' });
  await scene.sync();
  expect((await contacts()).filter(({ optedOutAt }) => optedOutAt !== null)).toHaveLength(1);
});

test('without a field of the filter nothing comes in, the card names it, and the next sync loses nothing', async () => {
  const { hubspot } = scene.sandbox;
  const property = hubspot.properties.get('lifecyclestage')!;
  hubspot.properties.delete('lifecyclestage');
  remote('Eva', '+34612345605', 'customer');
  const before = await names();
  expect(await scene.sync()).toMatchObject({
    ...{ status: 'connected', problem: 'field_missing', problemDetail: 'lifecyclestage' },
  });
  expect(await names()).toEqual(before);
  hubspot.properties.set('lifecyclestage', property);
  expect(await scene.sync()).toMatchObject({ status: 'connected', problem: null });
  expect(await names()).toContain('Eva Diaz');
});

test('a filter that is taken away lets the others in; one that says nothing is refused, and nobody else changes it unseen', async () => {
  remote('Flo', '+34612345606', 'lead');
  await scene.sync();
  expect(await names()).not.toContain('Flo Diaz');
  for (const rule of [
    { field: 'lifecyclestage', operator: 'is', values: [] },
    { field: 'lifecyclestage', operator: 'is_set', values: ['a'] },
    { field: '', operator: 'is_set', values: [] },
  ])
    expect((await put({ filter: [rule] })).status).toBe(422);
  // A caller that knows no filter leaves it as it is.
  expect(await (await put({ frequency: 'daily' })).json()).toMatchObject({ filter: customers });
  expect((await put({ filter: [], version: 1 })).status).toBe(409);
  expect((await put({ filter: [] })).status).toBe(200);
  await scene.sync();
  expect(await names()).toContain('Flo Diaz');
});
