import { runClasses } from '@app/flows/flow-host';
import { wakeFlows } from '@app/flows/flow-inputs';
import { z } from 'zod';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import type { ReadScope, WorkspaceScope } from '../../../platform/workspace-scope.ts';

/** Runs that are read in one transaction. */
const AT_ONCE = 1_000;
/** Runs that wait for a time of the clock (`RunWait`). `$2` is the time of now. */
const WAITS_FOR_CLOCK = `status = 'running' AND wait = 'time' AND state->'wait' ? 'since' AND due_at > $2`;

/** The zone of the workspace was changed: the engine checks all runs that wait for a time of the clock again. */
export const clockWaits = defineJob({
  ...{ name: 'workflow-clock-waits', as: 'upkeep', payload: z.object({}), repeat: 'while-waiting' },
  ...{ attempts: 5, pauseSeconds: 5, longestPauseSeconds: 60, timeoutSeconds: 1_800, atOnce: 1 },
  async run({ read, change }, { signal }) {
    const { rows: flows } = await read((scope) =>
      scope.query<{ id: string }>('SELECT id FROM flows WHERE workspace_id = $1 ORDER BY id', [
        scope.workspaceId,
      ]),
    );
    let woken = 0;
    for (const { id } of flows)
      for (let after: string | null = null; ;) {
        signal.throwIfAborted();
        const some = await change((scope) => wakeSome(scope, id, after));
        woken += some.woken;
        if (some.last === null) break;
        after = some.last;
      }
    return { woken };
  },
});

async function wakeSome(
  scope: WorkspaceScope,
  flowId: string,
  after: string | null,
): Promise<{ woken: number; last: string | null }> {
  const { rows } = await scope.query<{ id: string; waits: boolean }>(
    `SELECT id, ${WAITS_FOR_CLOCK} AS waits FROM flow_runs
      WHERE workspace_id = $1 AND flow_id = $3 AND status = 'running' AND ($4::uuid IS NULL OR id > $4) ORDER BY id LIMIT ${AT_ONCE}`,
    [scope.workspaceId, scope.clock(), flowId, after],
  );
  const ids = rows.filter(({ waits }) => waits).map(({ id }) => id);
  const woken = ids.length === 0 ? 0 : await wake(scope, 'id = ANY ($3::uuid[])', ids);
  return { woken, last: rows.length < AT_ONCE ? null : (rows.at(-1)?.id ?? null) };
}

/** The numbers of these contacts were changed, and with them perhaps their zones. */
export async function wakeClockWaits(scope: ReadScope, contactIds: readonly string[]): Promise<void> {
  if (contactIds.length > 0) await wake(scope, 'contact_id = ANY ($3::uuid[])', contactIds);
}

async function wake(scope: ReadScope, condition: string, ids: readonly string[]): Promise<number> {
  const { rowCount } = await scope.query(
    `UPDATE flow_runs SET due_at = $2 WHERE workspace_id = $1 AND ${condition} AND ${WAITS_FOR_CLOCK}`,
    [scope.workspaceId, scope.clock(), ids],
  );
  if (rowCount) await wakeFlows(scope, runClasses.bulk);
  return rowCount ?? 0;
}
