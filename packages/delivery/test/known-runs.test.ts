import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatDeliveryTag } from '@app/domain/delivery/delivery-tag';
import type { ReportProof, StatusReport } from '../src/core/aggregate-statuses.ts';
import type { SqlClient } from '../src/sql-client.ts';
import { applyStatuses } from '../src/statuses/apply-statuses.ts';
import { KnownRuns } from '../src/statuses/known-runs.ts';
import { inTransaction } from '../src/transaction.ts';
import { compareCounters, type DeliveryScene, openDeliveryScene } from './support/delivery-scene.ts';

let scene: DeliveryScene;
beforeAll(async () => {
  scene = await openDeliveryScene();
  await scene.addContacts(20);
});
afterAll(() => scene.close());

const report = (runNo: number, seq: number, provenBy: ReportProof): StatusReport => ({
  ...{ workspaceId: scene.workspaceId, tag: formatDeliveryTag({ runNo, seq, attempt: 1 }), provenBy },
  ...{ status: 'delivered', occurredAt: Date.UTC(2026, 5, 1), messageId: `wamid.${runNo}.${seq}` },
  ...{ error: null, action: null },
});

/** Applies one batch; answers with what was found and how many statements it took. */
async function apply(known: KnownRuns, ...reports: StatusReport[]) {
  let statements = 0;
  const { matched } = await inTransaction(scene.database.systemPool, (client) => {
    const counting: SqlClient = {
      query(...statement) {
        statements += 1;
        return client.query(...statement);
      },
    };
    return applyStatuses(counting, reports, known);
  });
  return { matched, statements };
}

test('whose reports are proven is asked once for each run, and still decided for each report', async () => {
  const known = new KnownRuns();
  const ours = { kind: 'fake', channelId: null };
  const strange = { kind: 'another kind', channelId: null };
  const [first, second] = [await scene.startRunOf(), await scene.startRunOf()];
  expect(await apply(known, report(first, 0, ours))).toEqual({ matched: 1, statements: 2 });
  expect(await apply(known, report(first, 1, ours), report(first, 2, strange))).toEqual({
    matched: 1,
    statements: 1,
  });
  expect(await apply(known, report(first, 3, ours), report(second, 0, ours))).toEqual({
    matched: 2,
    statements: 3,
  });
  expect(await apply(known, report(first, 4, strange), report(second, 1, strange))).toEqual({
    matched: 0,
    statements: 0,
  });
  for (const [runNo, delivered] of [
    [first, 3],
    [second, 1],
  ] as const) {
    const { shown, recounted } = await compareCounters(scene, runNo);
    expect(shown).toEqual(recounted);
    expect(shown).toMatchObject({ delivered });
  }
});

test('a run that comes to be later is found when it is there', async () => {
  const known = new KnownRuns();
  const ours = { kind: 'fake', channelId: null };
  const runNo = await scene.startRunOf();
  expect(await apply(known, report(runNo + 1, 0, ours))).toMatchObject({ matched: 0 });
  expect(await scene.startRunOf()).toBe(runNo + 1);
  expect(await apply(known, report(runNo + 1, 0, ours))).toMatchObject({ matched: 1 });
});
