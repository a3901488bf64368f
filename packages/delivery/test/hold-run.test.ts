import { advisoryLocks } from '@app/database/advisory-locks';
import { dropEmptyPartitions } from '../src/drop-empty-partitions.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cancelRun, pauseRun, resumeRun, takeBackRun } from '../src/run-controls.ts';
import { inTransaction } from '../src/transaction.ts';
import { type DeliveryScene, openDeliveryScene, waitFor } from './support/delivery-scene.ts';

let scene: DeliveryScene;

beforeEach(async () => {
  scene = await openDeliveryScene();
  await scene.addContacts(20);
});

afterEach(() => scene.close());

/** Nobody looks again by itself: whoever goes on was woken. */
const unpolled = { pollMs: 600_000 };
const pool = () => scene.database.systemPool;
const holdUntilOf = async (runNo: number) =>
  (await pool().query('SELECT hold_until AS at FROM delivery_runs WHERE run_no = $1', [runNo])).rows[0]
    ?.at as Date;

async function countRows(runNo: number): Promise<number[]> {
  const { rows } = await pool().query(
    `SELECT (SELECT count(*)::integer FROM delivery_runs WHERE run_no = $1) AS runs,
       (SELECT count(*)::integer FROM delivery_recipients WHERE run_no = $1) AS recipients`,
    [runNo],
  );
  return [rows[0].runs, rows[0].recipients];
}

/** The hold of a run is over from now on, as if its time had gone by. */
const endHold = (runNo: number) =>
  pool().query('UPDATE delivery_runs SET hold_until = clock_timestamp() WHERE run_no = $1', [runNo]);

test('nothing leaves before the hold ends, and then everything does without anybody looking', async () => {
  await scene.engine(unpolled);
  const runNo = await scene.startRunOf({ holdSeconds: 1 });
  const until = await holdUntilOf(runNo);
  const left: number[] = [];
  scene.platform.answer = () => void left.push(Date.now());
  const done = await scene.finish(runNo);
  expect(done.counters).toMatchObject({ accepted: 20, pending: 0 });
  expect(Math.min(...left)).toBeGreaterThanOrEqual(until.getTime() - 1);
});

test.each([-1, 1])('a process whose clock is %i hour off holds as long as any other', async (hours) => {
  await scene.engine({
    ...unpolled,
    clock: {
      now: () => Date.now() + hours * 3_600_000,
      after(ms, call) {
        const timer = setTimeout(call, ms);
        return () => clearTimeout(timer);
      },
    },
  });
  const runNo = await scene.startRunOf({ holdSeconds: 1 });
  const until = await holdUntilOf(runNo);
  const left: number[] = [];
  scene.platform.answer = () => void left.push(Date.now());
  await scene.finish(runNo);
  expect(Math.min(...left)).toBeGreaterThanOrEqual(until.getTime() - 1);
});

test('a held run waits while another run of its number leaves', async () => {
  await scene.engine(unpolled);
  const held = await scene.startRunOf({ holdSeconds: 10 });
  const other = await scene.startRunOf();
  await scene.finish(other);
  expect((await scene.progress(held)).counters).toMatchObject({ pending: 20 });
  expect(scene.platform.ledger).toHaveLength(20);
});

test('a process that begins after the hold goes on by itself', async () => {
  const first = await scene.engine(unpolled);
  const runNo = await scene.startRunOf({ holdSeconds: 10 });
  await first.stop(0);
  expect(scene.platform.ledger).toHaveLength(0);
  await endHold(runNo);
  await scene.engine(unpolled);
  expect((await scene.finish(runNo)).counters).toMatchObject({ accepted: 20 });
});

test('a process that begins within the hold keeps to it, and the start can still be taken back', async () => {
  const runNo = await scene.startRunOf({ holdSeconds: 10 });
  await scene.engine(unpolled);
  await waitFor(async () => {
    const { rows } = await pool().query('SELECT owner FROM delivery_runs WHERE run_no = $1', [runNo]);
    return rows[0]?.owner !== null;
  });
  expect(await inTransaction(pool(), (client) => takeBackRun(client, runNo))).toBe(true);
  expect(await countRows(runNo)).toEqual([0, 0]);
  // The number goes on with what comes next.
  await scene.finish(await scene.startRunOf());
  expect(scene.platform.ledger).toHaveLength(20);
});

test('pause and cancel hold within the hold; a resumed run keeps what is left of it', async () => {
  await scene.engine(unpolled);
  const paused = await scene.startRunOf({ holdSeconds: 10 });
  expect(await pauseRun(pool(), paused)).toBe(true);
  await endHold(paused);
  const cancelled = await scene.startRunOf({ holdSeconds: 10 });
  expect(await cancelRun(pool(), cancelled)).toBe(true);
  expect((await scene.finish(cancelled, 'cancelled')).counters).toMatchObject({ cancelled: 20, pending: 0 });
  expect(await takeBackRun(pool(), cancelled)).toBe(false);
  expect(scene.platform.ledger).toHaveLength(0);
  expect(await resumeRun(pool(), paused)).toBe(true);
  await scene.finish(paused);
  expect(scene.platform.ledger).toHaveLength(20);
});

test('what was started without a hold cannot be taken back', async () => {
  const runNo = await scene.startRunOf();
  expect(await takeBackRun(pool(), runNo)).toBe(false);
  expect(await countRows(runNo)).toEqual([1, 20]);
});

test('of taking back and the first claim one wins, whoever is first at the row', async () => {
  const claim = `UPDATE delivery_runs SET cursor = 5, state = 'running', started_at = now() WHERE run_no = $1 AND cursor = 0`;
  const claimed = await scene.startRunOf({ holdSeconds: 10 });
  let taking: Promise<boolean> | undefined;
  await inTransaction(pool(), async (client) => {
    await client.query(claim, [claimed]);
    taking = takeBackRun(pool(), claimed);
    await waitFor(async () => (await countWaiting()) === 1);
  });
  expect(await taking).toBe(false);
  const taken = await scene.startRunOf({ holdSeconds: 10 });
  let claiming: Promise<{ rowCount: number | null }> | undefined;
  await inTransaction(pool(), async (client) => {
    expect(await takeBackRun(client, taken)).toBe(true);
    claiming = pool().query(claim, [taken]);
    await waitFor(async () => (await countWaiting()) === 1);
  });
  expect((await claiming)?.rowCount).toBe(0);
  expect(await countRows(taken)).toEqual([0, 0]);
});

test('taken back at the very moment at which it begins, it was sent to all or to nobody', async () => {
  await scene.engine(unpolled);
  for (let round = 0; round < 12; round += 1) {
    scene.platform.ledger.length = 0;
    const runNo = await scene.startRunOf({ holdSeconds: 10 });
    const [, isTaken] = await Promise.all([
      pool().query(
        `UPDATE delivery_runs SET hold_until = clock_timestamp() WHERE run_no = $1 AND pg_notify('delivery_wake', channel_id::text) IS NOT NULL`,
        [runNo],
      ),
      new Promise((resolve) => setTimeout(resolve, round)).then(() =>
        inTransaction(pool(), (client) => takeBackRun(client, runNo)),
      ),
    ]);
    if (!isTaken) await scene.finish(runNo);
    expect(scene.platform.ledger).toHaveLength(isTaken ? 0 : 20);
    expect(await countRows(runNo)).toEqual(isTaken ? [0, 0] : [1, 20]);
  }
});

async function countWaiting(): Promise<number> {
  const { rows } = await pool().query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
      WHERE NOT l.granted AND a.datname = current_database()`,
  );
  return rows[0]?.count ?? 0;
}

test('a large start that is taken back leaves no partition behind, and one that stands keeps its own', async () => {
  await scene.addContacts(60);
  const partitionsOf = async (runNo: number) => {
    const { rows } = await pool().query(
      `SELECT 1 FROM pg_class WHERE relkind = 'r' AND relname ~ ('^delivery_(recipients|events)_' || $1::text)`,
      [runNo],
    );
    return rows.length;
  };
  const start = async () => {
    const started = await scene.start({ largeFrom: 50, headSize: 10, holdSeconds: 60 });
    return started.outcome === 'started' ? started.runNo : 0;
  };
  const [gone, stays] = [await start(), await start()];
  expect(await takeBackRun(pool(), gone)).toBe(true);
  // Nor while an archive is read in, whose runs have partitions before they have rows.
  await inTransaction(pool(), async (client) => {
    await client.query(`SELECT pg_advisory_xact_lock_shared(${advisoryLocks.emptyPartitions})`);
    expect(await dropEmptyPartitions(pool())).toBe(0);
  });
  expect(await dropEmptyPartitions(pool())).toBe(2);
  expect([await partitionsOf(gone), await partitionsOf(stays)]).toEqual([0, 2]);
  expect(await dropEmptyPartitions(pool())).toBe(0);
});
