import { createHmac } from 'node:crypto';
import { calendlyConnector, signingKeyOf } from '@app/providers/calendly/calendly-connector';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { emitDueItems } from '../../src/integrations/items/due-items.ts';
import { openVendor, type VendorScene } from './open-vendor.ts';

let scene: VendorScene;
beforeAll(async () => {
  scene = await openVendor('calendly', { kind: calendlyConnector });
});
afterAll(() => scene.close());
beforeEach(async () => {
  for (const table of ['integrations', 'contacts', 'deleted_contacts', 'suppression_list', 'events'])
    await scene.fixture.db.systemPool.query(`DELETE FROM ${table}`);
  scene.sandbox.calendly.reset();
  scene.sandbox.calendly.clearRecords();
});

const HOUR = 3_600_000;
const book = (hours: number) =>
  scene.sandbox.calendly.book({
    ...{ name: 'Paula Ramos', email: 'paula@mail.example', phone: '+34 612 888 101' },
    startsAt: new Date(Date.now() + hours * HOUR).toISOString(),
  });
const start = async () => {
  await scene.connect();
  await scene.untilStill();
  return scene.sync();
};
const events = async () => {
  const { rows } = await scene.fixture.db.systemPool.query<{ event: string }>(
    `SELECT "values"->>'event' AS event FROM events WHERE type = 'contact.service_event' ORDER BY id`,
  );
  return rows.map(({ event }) => event.replace('calendly.', ''));
};
const contacts = async () =>
  (
    await (
      await scene.admin.get('/api/contacts?limit=50')
    ).json<{ items: { id: string; name: string; phone: string }[] }>()
  ).items;

test('invitees become contacts, bookings are told once, and cancelled ones too', async () => {
  const paula = book(72);
  scene.sandbox.calendly.book({ name: 'No Number', email: 'none@mail.example' });
  expect(await start()).toMatchObject({ status: 'connected', errors: 1 });
  expect(await contacts()).toMatchObject([{ name: 'Paula Ramos', phone: '+34612888101' }]);
  expect(await events()).toEqual(['booking_created']);
  await scene.sync();
  scene.sandbox.calendly.happen('cancel', { id: paula.id });
  await scene.sync();
  await scene.sync();
  expect(await events()).toEqual(['booking_created', 'booking_cancelled']);
});

longTest('a meeting of a group brings in every invitee, also more than one page shows', async () => {
  const { event } = book(72);
  for (let n = 10; n < 115; n += 1)
    scene.sandbox.calendly.book({
      ...{ event, name: `Guest ${n}`, email: `guest${n}@mail.example`, phone: `+34 612 777 ${n + 100}` },
    });
  expect(await start()).toMatchObject({ status: 'connected', errors: 0, recordsSynced: 106 });
});

test('a moved booking is told as moved, by a signed call that may come twice; another signature is refused', async () => {
  const paula = book(72);
  await start();
  const moved = scene.sandbox.calendly.happen('move', { id: paula.id }) as typeof paula;
  const bodies = [
    scene.sandbox.calendly.bodyOf('invitee.created', moved),
    scene.sandbox.calendly.bodyOf('invitee.canceled', paula),
  ];
  const send = (body: string, key: string) => {
    const at = Math.floor(scene.fixture.parts.clock().getTime() / 1_000);
    const signature = createHmac('sha256', key).update(`${at}.${body}`).digest('hex');
    return scene.fixture.app.request('http://localhost:3000/webhooks/calendly/acme', {
      ...{ method: 'POST', body, headers: { 'calendly-webhook-signature': `t=${at},v1=${signature}` } },
    });
  };
  expect((await send(bodies[0]!, 'another key')).status).toBe(401);
  for (const body of [...bodies, ...bodies])
    expect((await send(body, signingKeyOf('sandbox-calendly-token'))).status).toBe(204);
  expect(await events()).toEqual(['booking_created', 'booking_moved']);
});

test('reminds once a day and once an hour before the meeting, and not of one that was cancelled', async () => {
  book(30);
  const other = book(30);
  await start();
  scene.sandbox.calendly.happen('cancel', { id: other.id });
  await scene.sync();
  const reminders = async () => {
    await emitDueItems(scene.fixture.parts);
    await emitDueItems(scene.fixture.parts);
    return (await events()).filter((event) => ['booking_tomorrow', 'booking_soon'].includes(event));
  };
  expect(await reminders()).toEqual([]);
  scene.fixture.advance(7 * HOUR);
  expect(await reminders()).toEqual(['booking_tomorrow']);
  scene.fixture.advance(22.5 * HOUR);
  expect(await reminders()).toEqual(['booking_tomorrow', 'booking_soon']);
});
