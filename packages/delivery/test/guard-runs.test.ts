import { newId } from '@app/database/new-id';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findFailingRuns, pauseForQuality } from '../src/guard-runs.ts';
import { pauseRunFor, resumeRun } from '../src/run-controls.ts';
import { openDeliveryScene, type DeliveryScene } from './support/delivery-scene.ts';

let scene: DeliveryScene;
const query = (text: string, values: unknown[] = []) => scene.database.systemPool.query(text, values);

beforeAll(async () => {
  scene = await openDeliveryScene();
  await scene.addContacts(120);
});
afterAll(() => scene.close());
beforeEach(async () => {
  await query('DELETE FROM delivery_runs');
  await query(`UPDATE workspaces SET settings = '{}'`);
});

type Outcome = 'refused' | 'failed' | 'delivered' | 'accepted';
const COLUMNS: Record<Outcome, string> = {
  refused: 'state = 3, failed_at = now()',
  failed: 'state = 2, accepted_at = now(), failed_at = now()',
  delivered: 'state = 2, accepted_at = now(), delivered_at = now()',
  accepted: 'state = 2, accepted_at = now()',
};

/** A run under way whose places came out as it says, in order. */
async function runWith(...outcomes: (readonly [count: number, outcome: Outcome])[]): Promise<number> {
  const runNo = await scene.startRunOf();
  let seq = 0;
  for (const [count, outcome] of outcomes) {
    await query(
      `UPDATE delivery_recipients SET ${COLUMNS[outcome]} WHERE run_no = $1 AND seq >= $2 AND seq < $3`,
      [runNo, seq, seq + count],
    );
    seq += count;
  }
  await query(
    `UPDATE delivery_runs SET state = 'running', cursor = $2,
       failed = (SELECT count(*) FROM delivery_recipients WHERE run_no = $1 AND failed_at IS NOT NULL) WHERE run_no = $1`,
    [runNo, seq],
  );
  return runNo;
}
const found = async () => (await findFailingRuns(scene.database.systemPool)).map(({ runNo }) => runNo);
const setGuard = (guard: object) =>
  query(`UPDATE workspaces SET settings = jsonb_build_object('campaignGuard', $1::jsonb)`, [
    JSON.stringify(guard),
  ]);

describe('of failures', () => {
  test.each<[string, boolean, Parameters<typeof runWith>]>([
    [
      'a quarter of a hundred',
      true,
      [
        [75, 'delivered'],
        [25, 'failed'],
      ],
    ],
    [
      'refusals as well',
      true,
      [
        [75, 'delivered'],
        [15, 'refused'],
        [10, 'failed'],
      ],
    ],
    [
      'one less',
      false,
      [
        [76, 'delivered'],
        [24, 'failed'],
      ],
    ],
    ['all of a few', false, [[60, 'failed']]],
    [
      'what is only on its way says nothing',
      false,
      [
        [60, 'accepted'],
        [60, 'failed'],
      ],
    ],
    [
      'what failed long before',
      false,
      [
        [20, 'failed'],
        [100, 'delivered'],
      ],
    ],
  ])('%s: %s', async (_, isFailing, outcomes) => {
    const runNo = await runWith(...outcomes);
    expect(await found()).toEqual(isFailing ? [runNo] : []);
  });

  test('by the thresholds of the workspace, or not at all', async () => {
    const runNo = await runWith([10, 'delivered'], [10, 'failed']);
    expect(await found()).toEqual([]);
    await setGuard({ isEnabled: true, failurePercent: 50, among: 20 });
    expect(await found()).toEqual([runNo]);
    await setGuard({ isEnabled: false, failurePercent: 50, among: 20 });
    expect(await found()).toEqual([]);
  });

  test('what was there when somebody resumed stops it no more', async () => {
    const runNo = await runWith([50, 'delivered'], [50, 'failed']);
    await pauseRunFor(scene.database.systemPool, runNo, { reason: 'failures' });
    expect(await found()).toEqual([]);
    await resumeRun(scene.database.systemPool, runNo);
    await query(`UPDATE delivery_runs SET state = 'running' WHERE run_no = $1`, [runNo]);
    expect(await found()).toEqual([]);
  });
});

test('a template of poor quality pauses the campaigns with it, of this workspace alone, and no others', async () => {
  const { systemPool } = scene.database;
  const [withIt, other] = [await scene.startRunOf(), await scene.startRunOf()];
  const [templateId, campaignId] = [newId(), newId()];
  const at = new Date(Date.now() + 1_000);
  const drop = (workspaceId: string) =>
    pauseForQuality(systemPool, { workspaceId, templateId, quality: 'red' }, at);
  expect(await drop(scene.workspaceId)).toEqual([]);
  await query(
    `INSERT INTO templates (id, workspace_id, name, content, components)
     VALUES ($1, $2, 'Spring', 'Hello', '[]')`,
    [templateId, scene.workspaceId],
  );
  await query(`INSERT INTO campaigns (id, workspace_id, name, template_id) VALUES ($1, $2, 'Spring', $3)`, [
    campaignId,
    scene.workspaceId,
    templateId,
  ]);
  await query('UPDATE delivery_runs SET campaign_id = $2 WHERE run_no = $1', [withIt, campaignId]);
  expect(await drop(newId())).toEqual([]);
  expect(await drop(scene.workspaceId)).toEqual([withIt]);
  expect(await scene.progress(withIt)).toMatchObject({
    state: 'paused',
    pause: { reason: 'template_quality' },
  });
  expect(await scene.progress(other)).toMatchObject({ state: 'ready' });
});

test('a drop in quality pauses what goes through that number, unless somebody resumed since', async () => {
  const other = await scene.startRunOf({ channelId: await scene.addChannel() });
  const runNo = await scene.startRunOf();
  const { systemPool } = scene.database;
  const drop = (at: Date, quality: 'yellow' | 'red' = 'red') =>
    pauseForQuality(systemPool, { workspaceId: scene.workspaceId, channelId: scene.channelId, quality }, at);
  const said = new Date();
  expect(await drop(said)).toEqual([runNo]);
  expect(await scene.progress(runNo)).toMatchObject({ state: 'paused', pause: { reason: 'number_quality' } });
  expect(await scene.progress(other)).toMatchObject({ state: 'ready' });
  await resumeRun(systemPool, runNo);
  expect(await drop(new Date(said.getTime() - 2_000))).toEqual([]);
  await setGuard({ isEnabled: false, failurePercent: 25, among: 100 });
  expect(await drop(new Date(Date.now() + 1_000))).toEqual([]);
});

test.each([
  ['red by itself', {}, [false, true]],
  ['red', { quality: 'red' }, [false, true]],
  ['yellow', { quality: 'yellow' }, [true, true]],
] as const)('where campaigns pause at %s, a drop to yellow and one to red do', async (_, guard, pauses) => {
  await setGuard({ isEnabled: true, ...guard });
  const { systemPool } = scene.database;
  for (const [place, quality] of (['yellow', 'red'] as const).entries()) {
    await query('DELETE FROM delivery_runs');
    const runNo = await scene.startRunOf();
    const { workspaceId, channelId } = scene;
    const paused = await pauseForQuality(systemPool, { workspaceId, channelId, quality }, new Date());
    expect(paused).toEqual(pauses[place] ? [runNo] : []);
  }
});
