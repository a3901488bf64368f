import { afterEach, beforeEach, expect, test } from 'vitest';
import { findFailingRuns } from '../src/guard-runs.ts';
import { compareCounters, type DeliveryScene, openDeliveryScene } from './support/delivery-scene.ts';
import { readRecipients } from './support/read-recipients.ts';

let scene: DeliveryScene;
beforeEach(async () => {
  scene = await openDeliveryScene();
});
afterEach(() => scene.close());

const message = {
  content: { type: 'text', body: 'Hello {{name}}, we write to {{email}}' },
  ...{ variables: {}, businessName: 'Shop' },
} as const;

test('who has no value for a placeholder fails without a send; the others get it and the run completes', async () => {
  const ids = await scene.addContacts(6);
  const pool = scene.database.systemPool;
  await pool.query(`UPDATE contacts SET email = name || '@example.com' WHERE id = ANY($1)`, [ids.slice(1)]);
  const runNo = await scene.startRunOf({ message });
  await scene.engine();
  expect((await scene.finish(runNo)).counters).toMatchObject({ accepted: 5, refused: 1, pending: 0 });
  expect(JSON.stringify(scene.platform.ledger)).not.toContain('{{');
  const recipients = await readRecipients(scene, runNo);
  expect(recipients.filter(({ outcome }) => outcome === 'failed')).toMatchObject([{ code: 'value_missing' }]);
  const { shown, recounted } = await compareCounters(scene, runNo);
  expect(recounted).toEqual(shown);
});

test('what a person confirmed leaves as it is written', async () => {
  await scene.addContacts(2);
  const runNo = await scene.startRunOf({ message: { ...message, allowsMissingValues: true } });
  await scene.engine();
  expect((await scene.finish(runNo)).counters).toMatchObject({ accepted: 2, refused: 0 });
  expect(scene.platform.ledger[0]?.body).toMatchObject({ body: expect.stringContaining('{{email}}') });
});

test('missing values of many do not count as failures that pause a run', async () => {
  await scene.addContacts(150);
  const pool = scene.database.systemPool;
  await pool.query(
    `UPDATE workspaces SET settings = jsonb_set(settings, '{campaignGuard}', '{"isEnabled": true, "failurePercent": 10, "among": 100}')`,
  );
  const runNo = await scene.startRunOf({ message });
  await pool.query(
    `UPDATE delivery_recipients SET state = 3, failed_at = now(), error_code = 'value_missing' WHERE run_no = $1 AND seq < 120`,
    [runNo],
  );
  const stand = `UPDATE delivery_runs SET state = 'running', cursor = 120, refused = 120 WHERE run_no = $1`;
  await pool.query(stand, [runNo]);
  expect(await findFailingRuns(pool)).toEqual([]);
  await pool.query(`UPDATE delivery_recipients SET error_code = '131026' WHERE run_no = $1 AND seq < 120`, [
    runNo,
  ]);
  expect(await findFailingRuns(pool)).toMatchObject([{ runNo }]);
});
