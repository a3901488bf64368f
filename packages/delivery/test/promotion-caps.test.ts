import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PromotionCap } from '@app/domain/channels/promotion-cap';
import { countCapped } from '../src/audience-preview.ts';
import { type DeliveryScene, openDeliveryScene } from './support/delivery-scene.ts';

let scene: DeliveryScene;
let cap: PromotionCap;

beforeEach(async () => {
  scene = await openDeliveryScene();
  const pool = scene.database.systemPool;
  const { rows } = await pool.query<{ kind: string }>('SELECT kind FROM channels WHERE id = $1', [
    scene.channelId,
  ]);
  cap = { kind: rows[0]!.kind, prefix: '+91', days: 28, most: 2 };
  await scene.addContacts(10);
  // Half of them are in the country of the rule.
  await pool.query(
    `UPDATE contacts SET phone = '+9198765432' || lpad(n::text, 2, '0')
       FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM contacts) o WHERE o.id = contacts.id AND n <= 5`,
  );
  scene.limits = { promotionCap: cap };
});
afterEach(() => scene.close());

const left = async () =>
  (
    await scene.database.systemPool.query<{ code: string; count: number }>(
      'SELECT error_code AS code, count(*)::int AS count FROM delivery_recipients WHERE state = 4 GROUP BY 1',
    )
  ).rows;
const countAll = () =>
  countCapped(scene.database.systemPool, {
    ...{ workspaceId: scene.workspaceId, audience: { filter: {} }, cap },
  });

test('people of the country get no more than it allows, everybody else does, and it is known before the start', async () => {
  await scene.engine();
  for (const _ of [1, 2]) await scene.finish(await scene.startRunOf({ category: 'marketing' }));
  expect([scene.platform.ledger.length, await countAll()]).toEqual([20, 5]);
  // What is no promotion goes on.
  await scene.finish(await scene.startRunOf({ category: 'utility' }));
  expect(scene.platform.ledger).toHaveLength(30);
  await scene.finish(await scene.startRunOf({ category: 'marketing' }));
  expect(scene.platform.ledger).toHaveLength(35);
  expect(await left()).toEqual([{ code: 'promotions_capped', count: 5 }]);
});

test('what did not arrive, and what is older, does not count', async () => {
  await scene.engine();
  for (const _ of [1, 2]) await scene.finish(await scene.startRunOf({ category: 'marketing' }));
  const pool = scene.database.systemPool;
  await pool.query(
    `UPDATE delivery_recipients SET failed_at = now(), delivered_at = NULL, read_at = NULL WHERE run_no = (SELECT min(run_no) FROM delivery_runs)`,
  );
  expect(await countAll()).toBe(0);
  await pool.query('UPDATE delivery_recipients SET failed_at = NULL');
  expect(await countAll()).toBe(5);
  await pool.query(`UPDATE delivery_recipients SET accepted_at = now() - interval '29 days'`);
  expect(await countAll()).toBe(0);
});

test('of campaigns that run at once none goes beyond it', async () => {
  cap.most = 1;
  const second = await scene.addChannel();
  const runs = [
    await scene.startRunOf({ category: 'marketing' }),
    await scene.startRunOf({ category: 'marketing', channelId: second }),
  ];
  await scene.engine();
  await scene.engine();
  for (const runNo of runs) await scene.finish(runNo);
  const indian = scene.platform.ledger.map(({ to }) => to).filter((to) => to.startsWith('+91'));
  expect([indian.length, new Set(indian).size]).toEqual([5, 5]);
});
