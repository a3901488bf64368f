import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { emitDueItems } from '../../src/integrations/items/due-items.ts';
import { contractVendors } from './contract-vendors.ts';
import { openVendor, type VendorScene } from './open-vendor.ts';

let scene: VendorScene;
beforeAll(async () => {
  scene = await openVendor('shopify', contractVendors.shopify);
});
afterAll(() => scene.close());
beforeEach(async () => {
  for (const table of ['integrations', 'contacts', 'deleted_contacts', 'suppression_list', 'events'])
    await scene.fixture.db.systemPool.query(`DELETE FROM ${table}`);
  contractVendors.shopify.clear(scene.sandbox);
});

const start = async () => {
  await scene.connect();
  await scene.untilStill();
  await scene.sync();
};
const events = async () => {
  const { rows } = await scene.fixture.db.systemPool.query<{ event: string }>(
    `SELECT "values"->>'event' AS event FROM events WHERE type = 'contact.service_event' ORDER BY id`,
  );
  return rows.map(({ event }) => event);
};
const send = (body: object, secret = 'sandbox-shopify-secret') => {
  const text = JSON.stringify(body).replaceAll(/"#id:(\d+)"/g, '$1');
  return scene.fixture.app.request('http://localhost:3000/webhooks/shopify/acme', {
    method: 'POST',
    body: text,
    headers: {
      'x-shopify-webhook-id': randomUUID(),
      'x-shopify-hmac-sha256': createHmac('sha256', secret).update(text).digest('base64'),
    },
  });
};
type Contact = {
  id: string;
  name: string;
  phone: string;
};
const contacts = async () =>
  (await (await scene.admin.get('/api/contacts?limit=50&sort=name')).json<{ items: Contact[] }>()).items;
const items = async (contactId: string) =>
  (
    await (
      await scene.admin.get(`/api/contacts/${contactId}/orders`)
    ).json<{ items: { type: string; title: string; status: string; amount: string | null }[] }>()
  ).items;

const consents = async () => {
  const { rows } = await scene.fixture.db.systemPool.query<{
    name: string;
    kind: string;
    source: string;
    text: string;
    recorded_by: string;
    occurred_at: Date;
  }>(
    `SELECT c.name, w.kind, w.source, w.text, w.recorded_by, w.occurred_at FROM contact_consents w JOIN contacts c ON c.id = w.contact_id`,
  );
  return rows;
};

test('an order is told once, by whichever way it comes, and stands with its contact', async () => {
  const marta = scene.sandbox.shopify.create({ firstName: 'Marta', lastName: 'Ruiz', phone: '+34612555101' });
  await start();
  const order = scene.sandbox.shopify.order(marta.id, { total: '42.50' });
  const body = scene.sandbox.shopify.orderBody(order);
  expect((await send(body, 'another secret')).status).toBe(401);
  expect(await events()).toEqual([]);
  expect((await send(body)).status).toBe(204);
  expect((await send(body)).status).toBe(204);
  await scene.sync();
  expect(await events()).toEqual(['shopify.order_created']);
  scene.sandbox.shopify.happen('pay', { id: order.id });
  await scene.sync();
  // The first delivery comes once more, late: it is older than what is known.
  expect((await send(body)).status).toBe(204);
  expect(await events()).toEqual(['shopify.order_created', 'shopify.order_paid']);
  const [contact] = await contacts();
  expect(await items(contact!.id)).toMatchObject([
    { type: 'order', title: '#1003', status: 'paid', amount: '42.50' },
  ]);
});

longTest(
  'an order of somebody unknown makes the contact; one without a number waits for nobody',
  async () => {
    await start();
    const eva = scene.sandbox.shopify.create({ firstName: 'Eva', lastName: 'Sanz', phone: '+34612555188' });
    const guest = scene.sandbox.shopify.create({ firstName: 'Guest', email: 'guest@mail.example' });
    for (const { id } of [eva, guest])
      expect((await send(scene.sandbox.shopify.orderBody(scene.sandbox.shopify.order(id, {})))).status).toBe(
        204,
      );
    expect((await contacts()).map(({ name }) => name)).toEqual(['Eva Sanz']);
    expect(await events()).toEqual(['shopify.order_created']);
  },
);

test('a checkout that rests for an hour is abandoned, once; one that is completed is not', async () => {
  const marta = scene.sandbox.shopify.create({ firstName: 'Marta', lastName: 'Ruiz', phone: '+34612555101' });
  await start();
  const left = scene.sandbox.shopify.checkout(marta.id, {});
  const done = scene.sandbox.shopify.checkout(marta.id, {});
  for (const one of [left, done]) await send(scene.sandbox.shopify.checkoutBody(one));
  const order = scene.sandbox.shopify.happen('complete', { id: done.id }) as ReturnType<
    typeof scene.sandbox.shopify.order
  >;
  await send(scene.sandbox.shopify.orderBody(order));
  await emitDueItems(scene.fixture.parts);
  expect((await events()).filter((event) => event.endsWith('abandoned'))).toEqual([]);
  scene.fixture.advance(61 * 60_000);
  await Promise.all([emitDueItems(scene.fixture.parts), emitDueItems(scene.fixture.parts)]);
  await emitDueItems(scene.fixture.parts);
  expect((await events()).filter((event) => event.endsWith('abandoned'))).toEqual([
    'shopify.checkout_abandoned',
  ]);
});

test('a checkout that an order completed stays so when a message about an earlier step of it comes late', async () => {
  const marta = scene.sandbox.shopify.create({ firstName: 'Marta', lastName: 'Ruiz', phone: '+34612555101' });
  await start();
  const checkout = scene.sandbox.shopify.checkout(marta.id, {});
  checkout.updatedAt -= 120_000;
  await send(scene.sandbox.shopify.checkoutBody(checkout));
  checkout.updatedAt += 60_000;
  const late = scene.sandbox.shopify.checkoutBody(checkout);
  const order = scene.sandbox.shopify.happen('complete', { id: checkout.id }) as ReturnType<
    typeof scene.sandbox.shopify.order
  >;
  await send(scene.sandbox.shopify.orderBody(order));
  expect((await send(late)).status).toBe(204);
  scene.fixture.advance(61 * 60_000);
  await emitDueItems(scene.fixture.parts);
  expect((await events()).filter((event) => event.endsWith('abandoned'))).toEqual([]);
  const [contact] = await contacts();
  expect((await items(contact!.id)).map(({ type, status }) => [type, status])).toEqual(
    expect.arrayContaining([['checkout', 'completed']]),
  );
});

test('a customer who changes twice within one second, with a sync in between, is taken over twice', async () => {
  const marta = scene.sandbox.shopify.create({ firstName: 'Marta', lastName: 'Ruiz', phone: '+34612555101' });
  await start();
  // The second of these changes is still to come for the clock of the service.
  const second = Math.ceil(Date.now() / 1_000) * 1_000;
  for (const firstName of ['Martina', 'Martha']) {
    scene.sandbox.shopify.update(marta, { firstName });
    marta.updatedAt = second + (firstName === 'Martha' ? 700 : 100);
    await scene.sync();
    expect(await contacts()).toMatchObject([{ name: `${firstName} Ruiz` }]);
  }
});

longTest('what happened before the connection is shown, and starts nothing', async () => {
  const marta = scene.sandbox.shopify.create({ firstName: 'Marta', lastName: 'Ruiz', phone: '+34612555101' });
  const order = scene.sandbox.shopify.order(marta.id, {});
  order.createdAt = order.updatedAt = Date.now() - 5 * 86_400_000;
  await start();
  const [contact] = await contacts();
  expect(await items(contact!.id)).toMatchObject([{ title: '#1003', status: 'open' }]);
  expect(await events()).toEqual([]);
  scene.sandbox.shopify.happen('fulfill', { id: order.id });
  await scene.sync();
  expect(await events()).toEqual(['shopify.order_fulfilled']);
});

test('an opt-in of the checkout counts where a person says so, with its source and time', async () => {
  scene.sandbox.shopify.create({
    firstName: 'Marta',
    phone: '+34612555101',
    smsState: 'SUBSCRIBED',
    smsSource: 'SHOPIFY',
  });
  scene.sandbox.shopify.create({ firstName: 'Nora', phone: '+34612555102' });
  await start();
  expect(await consents()).toEqual([]);
  const { version, mapping, frequency } = await scene.read();
  const put = await scene.admin.put('/api/integrations/shopify', {
    ...{ version, mapping, frequency, createsThere: false, createsTag: null, takesOptIns: true },
  });
  expect(put.status).toBe(200);
  await scene.sync();
  await scene.sync();
  const [marta] = [...scene.sandbox.shopify.customers.values()];
  expect(await consents()).toEqual([
    {
      name: 'Marta',
      kind: 'opt_in',
      source: 'integration',
      text: 'Shopify: SHOPIFY',
      recorded_by: 'Shopify',
      occurred_at: new Date(Math.floor(marta!.smsAt! / 1_000) * 1_000),
    },
  ]);
  const [{ id }] = (await contacts()) as [Contact];
  const shown = await (
    await scene.admin.get(`/api/contacts/${id}/timeline`)
  ).json<{ items: { kind: string; detail: string | null; fact: { type: string } | null }[] }>();
  expect(shown.items.find(({ kind }) => kind === 'opt_in')).toMatchObject({
    detail: 'Shopify',
    fact: { type: 'contact.consent_recorded' },
  });
});
