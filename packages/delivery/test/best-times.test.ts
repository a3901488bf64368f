import { afterEach, beforeEach, expect, test } from 'vitest';
import { chooseTimeSlot, listTimeSlots, priorOfSlots } from '@app/domain/campaigns/best-time-slots';
import { systemClock } from '../src/delivery-host.ts';
import type { BestTimes } from '../src/best-times.ts';
import { takeBackRun } from '../src/run-controls.ts';
import { freezeRest } from '../src/start-run.ts';
import { inTransaction } from '../src/transaction.ts';
import { openDeliveryScene, waitFor, type DeliveryScene } from './support/delivery-scene.ts';

let scene: DeliveryScene;
beforeEach(async () => {
  scene = await openDeliveryScene();
});
afterEach(() => scene.close());

const DAY_MS = 86_400_000;
const everybody = Array.from({ length: 24 }, (_, hour) => (hour === 18 ? 300 : hour));
const now = new Date();
const slots = listTimeSlots(now, 'UTC', null);
const bestTimes: BestTimes = {
  zone: 'UTC',
  slots: slots.map((slot, place) => ({ ...slot, prior: priorOfSlots(everybody, slots)[place] ?? 0 })),
  since: new Date(now.getTime() - 180 * DAY_MS),
};
const pool = () => scene.database.systemPool;

/** Contacts who read messages of an earlier run, each at the hours of one of these habits. */
const habits = [
  [7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7],
  [22, 22, 22, 21, 22, 22, 22, 22, 22, 23, 22, 22, 22],
  [3, 12],
  [],
];
async function addReaders(): Promise<string[]> {
  const ids = await scene.addContacts(40);
  const longest = Math.max(...habits.map((one) => one.length));
  for (let place = 0; place < longest; place += 1) {
    const runNo = await scene.startRunOf({ category: 'utility' });
    await pool().query(
      `UPDATE delivery_recipients r SET state = 2, accepted_at = now() - interval '2 days', delivered_at = now() - interval '2 days',
         read_at = CASE WHEN h.hour IS NOT NULL THEN date_trunc('day', now() - interval '10 days', 'UTC') + make_interval(hours => h.hour, mins => 20) END
         FROM unnest($2::uuid[], $3::integer[]) AS h (id, hour) WHERE r.run_no = $1 AND r.contact_id = h.id`,
      [runNo, ids, ids.map((_, index) => habits[index % habits.length]?.[place] ?? null)],
    );
    await pool().query(
      `UPDATE delivery_runs SET state = 'completed', completed_at = now(), cursor = total, low_water = total WHERE run_no = $1`,
      [runNo],
    );
  }
  return ids;
}
const countsOf = (hours: readonly number[]) =>
  Array.from({ length: 24 }, (_, hour) => hours.filter((one) => one === hour).length);

test('everybody leaves in the hour that suits them, by the same rule as the chart of a contact', async () => {
  const ids = await addReaders();
  const runNo = await scene.startRunOf({ category: 'utility', bestTimes });
  const { rows } = await pool().query<{ id: string; seq: number }>(
    'SELECT contact_id AS id, seq FROM delivery_recipients WHERE run_no = $1 ORDER BY seq',
    [runNo],
  );
  const [run] = (
    await pool().query<{ gates: { at: number; upto: number }[] }>(
      'SELECT gates FROM delivery_runs WHERE run_no = $1',
      [runNo],
    )
  ).rows;
  expect(run?.gates.at(-1)?.upto).toBe(ids.length);
  for (const { id, seq } of rows) {
    const own = countsOf(habits[ids.indexOf(id) % habits.length] ?? []);
    const wanted = slots[chooseTimeSlot(own, everybody, slots)];
    expect(run?.gates.find(({ upto }) => seq < upto)?.at).toBe(wanted?.at);
  }
});

async function orderOf(runNo: number) {
  const { rows } = await pool().query<{ id: string; seq: number }>(
    'SELECT contact_id AS id, seq FROM delivery_recipients WHERE run_no = $1 ORDER BY seq',
    [runNo],
  );
  const runs = await pool().query<{ gates: { at: number; upto: number }[]; best_times: unknown }>(
    'SELECT gates, best_times FROM delivery_runs WHERE run_no = $1',
    [runNo],
  );
  return { order: rows, ...runs.rows[0] };
}

test('the start of a large audience looks up no hours; the audience then has the same order and the same hours', async () => {
  await addReaders();
  const atOnce = await orderOf(await scene.startRunOf({ category: 'utility', bestTimes }));
  // The history of those who are meant alone, and that of all: the one is quick for few, the other for many.
  for (const fewBelow of [1_000, 1]) {
    const started = await scene.start({ category: 'utility', bestTimes, largeFrom: 40 });
    expect(started).toMatchObject({ outcome: 'started', total: 0, isFrozen: false });
    const runNo = 'runNo' in started ? started.runNo : 0;
    expect((await orderOf(runNo)).order).toEqual([]);
    await Promise.all(
      [1, 2].map(() => inTransaction(pool(), (client) => freezeRest(client, runNo, { fewBelow }))),
    );
    expect(await orderOf(runNo)).toEqual(atOnce);
  }
});

test('a large audience is frozen while its start can be taken back, also when it is paused, and nobody of it hears anything', async () => {
  await scene.addContacts(40);
  await scene.engine();
  const large = { category: 'utility', bestTimes, largeFrom: 40, holdSeconds: 3_600 } as const;
  const [taken, paused] = await Promise.all([scene.start(large), scene.start(large)]);
  const [takenNo, pausedNo] = [taken, paused].map((run) => ('runNo' in run ? run.runNo : 0));
  await pool().query(
    `UPDATE delivery_runs SET state = 'paused', pause_reason = 'quiet_hours' WHERE run_no = $1`,
    [pausedNo],
  );
  for (const runNo of [takenNo, pausedNo])
    await waitFor(async () => (await scene.progress(runNo ?? 0)).isFrozen);
  expect((await scene.progress(pausedNo ?? 0)).counters).toMatchObject({ total: 40, pending: 40 });
  expect(await takeBackRun(pool(), takenNo ?? 0)).toBe(true);
  expect((await orderOf(takenNo ?? 0)).order).toEqual([]);
  expect(scene.platform.ledger).toEqual([]);
});

test('of a large audience that nobody may write to nothing is stored', async () => {
  await scene.addContacts(40);
  await pool().query('UPDATE contacts SET opted_out_at = now()');
  expect(await scene.start({ bestTimes, largeFrom: 40 })).toEqual({ outcome: 'nobody' });
  expect((await pool().query('SELECT FROM delivery_runs')).rowCount).toBe(0);
});

test('nobody is sent to before their hour, and each hour begins by itself', async () => {
  await scene.addContacts(6);
  const runNo = await scene.startRunOf({ category: 'utility' });
  await pool().query(
    `UPDATE delivery_runs SET gates = '[{"at": 0, "upto": 2}, {"at": ${Date.now() + 3 * DAY_MS}, "upto": 4}, {"at": ${Date.now() + 5 * DAY_MS}, "upto": 6}]' WHERE run_no = $1`,
    [runNo],
  );
  let ahead = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + ahead };
  const engine = await scene.engine({ clock });
  await waitFor(async () => (await scene.progress(runNo)).counters.accepted === 2);
  ahead = 4 * DAY_MS;
  await waitFor(async () => (await scene.progress(runNo)).counters.accepted === 4);
  expect((await scene.progress(runNo)).state).toBe('running');
  ahead = 6 * DAY_MS;
  await scene.finish(runNo);
  expect(new Set(scene.platform.ledger.map(({ to }) => to)).size).toBe(6);
  expect(scene.platform.ledger).toHaveLength(6);
  await engine.stop(100);
});
