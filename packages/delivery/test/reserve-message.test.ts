import { afterEach, beforeEach, expect, test } from 'vitest';
import { giveBackMessage, reserveMessage } from '../src/reserve-message.ts';
import { inTransaction } from '../src/transaction.ts';
import { type DeliveryScene, openDeliveryScene, waitFor } from './support/delivery-scene.ts';

let scene: DeliveryScene;

beforeEach(async () => {
  scene = await openDeliveryScene();
});

afterEach(() => scene.close());

const reserve = (perDay: number | null = 10) =>
  inTransaction(scene.database.systemPool, (client) =>
    reserveMessage(client, {
      workspaceId: scene.workspaceId,
      channelId: scene.channelId,
      perDay,
      now: Date.now(),
    }),
  );

test('single messages and campaigns share the limit of the day', async () => {
  await scene.addContacts(30);
  scene.limits = { perDay: 10 };
  for (let message = 0; message < 3; message += 1) expect((await reserve()).outcome).toBe('reserved');
  await scene.engine();
  const runNo = await scene.startRunOf();
  await scene.finish(runNo, 'paused');
  expect(scene.platform.ledger).toHaveLength(7);
  const refused = await reserve();
  expect(refused).toEqual({ outcome: 'daily_limit', nextDayAt: expect.any(Number) as number });
});

test('however many ask at once, no more are let through than the day has', async () => {
  // So slow a number that no machine is slower.
  await scene.database.systemPool.query('UPDATE channels SET messages_per_second = 1');
  const reservations = await Promise.all(Array.from({ length: 25 }, () => reserve()));
  expect(reservations.filter(({ outcome }) => outcome === 'reserved')).toHaveLength(10);
  // The number's speed holds for them as well.
  const waits = reservations.flatMap((made) => (made.outcome === 'reserved' ? [made.waitMs] : []));
  expect(Math.max(...waits)).toBeGreaterThan(Math.min(...waits));
});

test('one that did not leave is given back, and a campaign that was turned away takes it', async () => {
  await scene.addContacts(30);
  scene.limits = { perDay: 10 };
  const reserved = await reserve();
  await scene.engine();
  await scene.finish(await scene.startRunOf(), 'paused');
  expect(scene.platform.ledger).toHaveLength(9);
  if (reserved.outcome === 'reserved') await giveBackMessage(scene.database.systemPool, reserved);
  await waitFor(() => scene.platform.ledger.length === 10);
  expect((await reserve()).outcome).toBe('daily_limit');
});

test('without a limit nothing is counted', async () => {
  expect(await reserve(null)).toMatchObject({ outcome: 'reserved', day: null });
  const { rows } = await scene.database.systemPool.query('SELECT FROM delivery_usage');
  expect(rows).toHaveLength(0);
});
