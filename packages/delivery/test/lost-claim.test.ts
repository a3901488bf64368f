import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { systemClock } from '../src/delivery-host.ts';
import { createDeliveryEngine } from '../src/engine/engine.ts';
import {
  compareCounters,
  openDeliveryScene,
  quietLogger,
  emitPlainly,
  waitFor,
} from './support/delivery-scene.ts';
import { createMortalProcess } from './support/simulation.ts';
import { watchPool } from './support/watch-pool.ts';

/** A pool that loses the answer of the first claim and never gets a result through. */
function loseFirstClaimAndResults(pool: pg.Pool): { pool: pg.Pool; claims(): number } {
  let claims = 0;
  return {
    claims: () => claims,
    pool: watchPool(pool, async (statement, run) => {
      if (statement.startsWith('delivery_settle '))
        throw new Error('The connection was lost before the statement');
      const result = await run();
      if (statement.startsWith('delivery_claim_slice') && (claims += 1) === 1)
        throw new Error('The connection was lost before the answer');
      return result;
    }),
  };
}

test('recipients of a lost claim are not forgotten when the sender dies before it could give them back', async () => {
  const scene = await openDeliveryScene();
  try {
    await scene.addContacts(120);
    scene.messagesPerSecond = 40;
    const flaky = loseFirstClaimAndResults(scene.database.systemPool);
    const dying = createMortalProcess(flaky.pool, systemClock, Math.random, 0);
    const runNo = await scene.startRunOf();
    // Not one that the scene stops at its end: a dead process cannot be stopped.
    await createDeliveryEngine({
      systemPool: dying.pool,
      clock: dying.clock,
      channelFor: () => Promise.resolve({ channel: scene.platform, messagesPerSecond: 40 }),
      publish: () => undefined,
      emit: emitPlainly,
      logger: quietLogger,
      ownerId: randomUUID(),
    }).start();
    await waitFor(() => flaky.claims() >= 4);
    dying.die();
    await scene.database.systemPool.query(
      'UPDATE delivery_channels SET lease_until = now() WHERE channel_id = $1',
      [scene.channelId],
    );

    await scene.engine();
    const { counters } = await scene.finish(runNo);
    expect(counters).toMatchObject({ total: 120, pending: 0 });
    expect(counters.accepted + counters.unknown).toBe(120);
    const { shown, recounted } = await compareCounters(scene, runNo);
    expect(shown).toEqual(recounted);
    const sentTo = scene.platform.ledger.map(({ to }) => to);
    expect(new Set(sentTo).size).toBe(sentTo.length);
  } finally {
    await scene.close();
  }
});
