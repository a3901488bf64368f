import type { RunRow } from '../integration-rows.ts';
import { findIntegrationById } from '../integration-rows.ts';
import { storeItems } from '../items/store-items.ts';
import type { Sync } from './open-sync.ts';
import { moveTo, type InScope, type StepResult } from './read-steps.ts';
import { lockRun, storeProgress } from './sync-runs.ts';

/** Reads the next page of orders and the like. The cursor moves in the transaction that stores the page. */
export async function itemsStep(inScope: InScope, sync: Sync, run: RunRow, now: Date): Promise<StepResult> {
  if (!sync.items) return moveTo(inScope, run, 'push');
  const { items_cursor: cursor } = sync.integration;
  const reply = await sync.items.pull(cursor, now);
  if (!reply.ok) return reply;
  const { items, cursor: next, isLast } = reply.value;
  await inScope(async (scope) => {
    if (!(await lockRun(scope, run))) return;
    const row = await findIntegrationById(scope, sync.integration.id, 'FOR NO KEY UPDATE');
    if (!row || row.items_cursor !== cursor) return;
    await storeItems(scope, sync, items);
    await scope.query('UPDATE integrations SET items_cursor = $3 WHERE workspace_id = $1 AND id = $2', [
      ...[scope.workspaceId, sync.integration.id, next],
    ]);
    await storeProgress(scope, run.id, { ...run, phase: isLast ? 'push' : 'items', place: null });
  });
  return { ok: true, value: 'next' };
}
