import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cancelRun, resolveUnknown } from '../src/run-controls.ts';
import { inTransaction } from '../src/transaction.ts';
import {
  compareCounters,
  type DeliveryScene,
  openDeliveryScene,
  readEmitted,
  waitFor,
} from './support/delivery-scene.ts';
import { watchPool } from './support/watch-pool.ts';

let scene: DeliveryScene;

beforeEach(async () => {
  scene = await openDeliveryScene();
});

afterEach(() => scene.close());

/** A pool that counts the statements of cancelling, and lets something happen before the first of them. */
function watchCancelling(pool: pg.Pool, before: () => Promise<unknown>): { pool: pg.Pool; asked(): number } {
  let asked = 0;
  return {
    asked: () => asked,
    pool: watchPool(pool, async (statement, run) => {
      if (!statement.includes(`'run_cancelled'`)) return run();
      asked += 1;
      if (asked === 1) await before();
      return run();
    }),
  };
}

test('a cancelled run that somebody else took is left alone at once', async () => {
  await scene.addContacts(10);
  const pool = scene.database.systemPool;
  const runNo = await scene.startRunOf();
  await cancelRun(pool, runNo);
  const watched = watchCancelling(pool, () =>
    pool.query('UPDATE delivery_runs SET epoch = epoch + 10 WHERE run_no = $1', [runNo]),
  );
  await scene.engine({ systemPool: watched.pool });
  await waitFor(() => watched.asked() > 0);
  // Another run of the number comes to its end meanwhile.
  await scene.finish(await scene.startRunOf());
  expect(watched.asked()).toBeLessThan(10);
});

test('a retry that nobody holds any more is given back, and the cancelled run is closed', async () => {
  await scene.addContacts(10);
  const pool = scene.database.systemPool;
  const runNo = await scene.startRunOf();
  // The first recipient was tried once and waits for its second turn.
  await pool.query('UPDATE delivery_recipients SET state = 6, attempt = 1 WHERE run_no = $1 AND seq = 0', [
    runNo,
  ]);
  await pool.query('UPDATE delivery_runs SET cursor = 1, low_water = 1 WHERE run_no = $1', [runNo]);
  await pool.query(
    `INSERT INTO delivery_retries (run_no, seq, workspace_id, not_before) VALUES ($1, 0, $2, now() + interval '1 hour')`,
    [runNo, scene.workspaceId],
  );
  await cancelRun(pool, runNo);
  // Claimed by a statement of ours whose answer got lost.
  const watched = watchCancelling(pool, () =>
    inTransaction(pool, async (client) => {
      await client.query(
        'UPDATE delivery_recipients SET state = 1, attempt = 2 WHERE run_no = $1 AND seq = 0',
        [runNo],
      );
      await client.query(
        'UPDATE delivery_retries SET not_before = now(), claimed_attempt = 2 WHERE run_no = $1',
        [runNo],
      );
    }),
  );
  await scene.engine({ systemPool: watched.pool });
  expect((await scene.finish(runNo, 'cancelled')).counters).toMatchObject({ cancelled: 10, pending: 0 });
  expect(watched.asked()).toBeLessThan(20);
  expect(scene.platform.ledger).toHaveLength(0);
});

test('"send again" cannot wake a run that is still being cancelled; closed, it sends to those alone', async () => {
  await scene.addContacts(40);
  const pool = scene.database.systemPool;
  const runNo = await scene.startRunOf();
  await pool.query(
    `UPDATE delivery_recipients SET state = 5, attempt = 1, error_code = 'connection_lost' WHERE run_no = $1 AND seq < 2`,
    [runNo],
  );
  await pool.query('UPDATE delivery_runs SET unknown = 2, cursor = 2, low_water = 2 WHERE run_no = $1', [
    runNo,
  ]);
  await cancelRun(pool, runNo);
  const sendAgain = () =>
    inTransaction(pool, (client) => resolveUnknown(client, runNo, 'mark_not_sent_and_send'));
  expect(await sendAgain()).toBe(0);
  expect(await scene.progress(runNo)).toMatchObject({
    state: 'cancelled',
    counters: { unknown: 2, pending: 0, cancelled: 38 },
  });
  await scene.engine();
  await scene.finish(runNo, 'cancelled');
  expect(await sendAgain()).toBe(2);
  await waitFor(() => scene.platform.ledger.length === 2);
  // What was cancelled stays cancelled.
  await waitFor(async () => (await scene.progress(runNo)).counters.accepted === 2);
  expect((await scene.finish(runNo, 'cancelled')).counters).toMatchObject({
    ...{ accepted: 2, cancelled: 38, unknown: 0 },
  });
  expect((await readEmitted(scene, runNo)).map(({ type }) => type)).not.toContain('campaign.completed');
  const { shown, recounted } = await compareCounters(scene, runNo);
  expect(shown).toEqual(recounted);
});

test('whom a cancelled run will not reach counts as cancelled at once, and whoever is in flight does not', async () => {
  await scene.addContacts(20);
  const pool = scene.database.systemPool;
  const runNo = await scene.startRunOf();
  await pool.query(`UPDATE delivery_runs SET state = 'running', cursor = 6 WHERE run_no = $1`, [runNo]);
  await pool.query(
    `UPDATE delivery_recipients SET state = CASE seq WHEN 0 THEN 6 ELSE 1 END WHERE run_no = $1 AND seq < 2`,
    [runNo],
  );
  await pool.query(
    `INSERT INTO delivery_retries (run_no, seq, workspace_id, not_before, claimed_attempt)
     VALUES ($1, 0, $2, now(), NULL), ($1, 1, $2, now(), 2)`,
    [runNo, scene.workspaceId],
  );
  await cancelRun(pool, runNo);
  const { shown, recounted } = await compareCounters(scene, runNo);
  expect(shown).toMatchObject({ total: 20, pending: 5, cancelled: 15 });
  expect(recounted).toEqual(shown);
});

test('a large run that is cancelled before its audience is frozen counts everybody of it', async () => {
  await scene.addContacts(60);
  const pool = scene.database.systemPool;
  const started = await scene.start({ largeFrom: 50, headSize: 10 });
  const runNo = started.outcome === 'started' ? started.runNo : 0;
  await cancelRun(pool, runNo);
  expect((await compareCounters(scene, runNo)).shown).toMatchObject({ pending: 0, cancelled: 10 });
  await scene.engine();
  expect((await scene.finish(runNo, 'cancelled')).counters).toMatchObject({
    ...{ total: 60, pending: 0, cancelled: 60 },
  });
  const { shown, recounted } = await compareCounters(scene, runNo);
  expect(recounted).toEqual(shown);
  expect(scene.platform.ledger).toHaveLength(0);
});

test('nobody more is frozen for a run whose campaign is gone', async () => {
  await scene.addContacts(60);
  const pool = scene.database.systemPool;
  const started = await scene.start({ largeFrom: 50, headSize: 10 });
  const runNo = started.outcome === 'started' ? started.runNo : 0;
  await cancelRun(pool, runNo, { isDropped: true });
  await scene.engine();
  expect((await scene.finish(runNo, 'cancelled')).counters).toMatchObject({ total: 10, cancelled: 10 });
});
