import { afterEach, beforeEach, expect, test } from 'vitest';
import { chooseTimeSlot, listTimeSlots, priorOfSlots } from '@app/domain/campaigns/best-time-slots';
import { systemClock } from '../src/delivery-host.ts';
import type { BestTimes } from '../src/best-times.ts';
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
