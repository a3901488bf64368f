import { afterEach, beforeEach, expect, test } from 'vitest';
import { previewAudience } from '../src/audience-preview.ts';
import { cancelRun } from '../src/run-controls.ts';
import { compareCounters, type DeliveryScene, openDeliveryScene } from './support/delivery-scene.ts';
import { readRecipients } from './support/read-recipients.ts';

let scene: DeliveryScene;
beforeEach(async () => {
  scene = await openDeliveryScene();
  const ids = await scene.addContacts(60);
  const change = (set: string, from: number, to: number) =>
    scene.database.systemPool.query(`UPDATE contacts SET ${set} WHERE id = ANY($1)`, [ids.slice(from, to)]);
  await change(`status = 'blocked'`, 0, 2);
  await change('opted_out_at = now()', 2, 5);
  await change(`phone = NULL, platform_user_id = id::text`, 5, 6);
  await change(`window_expires_at = now() + interval '1 hour'`, 10, 14);
  await scene.database.systemPool.query(
    `INSERT INTO marketing_holds (workspace_id, contact_id, until) SELECT $1, unnest($2::uuid[]), now() + interval '1 hour'`,
    [scene.workspaceId, ids.slice(20, 27)],
  );
});
afterEach(() => scene.close());

const reasonsOf = async (runNo: number) => {
  const counts: Record<string, number> = {};
  for (const { code } of await readRecipients(scene, runNo)) if (code) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
};

test.each([
  ['marketing', { blocked: 2, opted_out: 3, no_number: 1, held: 7 }],
  ['utility', { blocked: 2, no_number: 1 }],
  ['service', { blocked: 2, no_number: 1, window_closed: 53 }],
] as const)(
  'whoever is left out of a %s run is counted and named with the reason',
  async (category, reasons) => {
    const audience = { filter: {} };
    const { workspaceId, channelId } = scene;
    const preview = await previewAudience(scene.database.systemPool, {
      workspaceId,
      audience,
      category,
      channelId,
    });
    const runNo = await scene.startRunOf({ audience, category });
    await scene.engine();
    const { counters } = await scene.finish(runNo);
    const excluded = Object.values(reasons).reduce((sum: number, count) => sum + count, 0);
    expect(counters).toMatchObject({ total: 60, accepted: 60 - excluded, cancelled: excluded, pending: 0 });
    expect(preview.receiving).toBe(60 - excluded);
    expect(await reasonsOf(runNo)).toEqual(reasons);
    expect(scene.platform.ledger).toHaveLength(60 - excluded);
    const { shown, recounted } = await compareCounters(scene, runNo);
    expect(recounted).toEqual(shown);
  },
);

test('of a large run they are named when the rest is frozen, and a cancelled one counts each once', async () => {
  const started = await scene.start({ largeFrom: 50, headSize: 10 });
  const runNo = started.outcome === 'started' ? started.runNo : 0;
  await cancelRun(scene.database.systemPool, runNo);
  await scene.engine();
  expect((await scene.finish(runNo, 'cancelled')).counters).toMatchObject({
    total: 60,
    cancelled: 60,
    pending: 0,
  });
  const { shown, recounted } = await compareCounters(scene, runNo);
  expect(recounted).toEqual(shown);
  expect(await reasonsOf(runNo)).toEqual({
    blocked: 2,
    opted_out: 3,
    no_number: 1,
    held: 7,
    run_cancelled: 47,
  });
});
