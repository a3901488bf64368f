import type { FlowTransaction } from '@app/flows/flow-host';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';

/** One failure of a flow in so long a time is news; the run log has them all. */
const TOLD_AGAIN_MS = 6 * 3_600_000;

/** Emits the first of these failures of each flow, at most every few hours: the owner is notified by that fact. */
export async function noteFailures(
  transaction: FlowTransaction<WorkspaceScope>,
  failed: readonly { flowId: string; runId: string; code: string }[],
  now: Date,
): Promise<void> {
  const first = [...Map.groupBy(failed, ({ flowId }) => flowId).values()].map(([one]) => one!);
  const { rows } = await transaction.query<{ id: string; name: string }>(
    `UPDATE flows SET failure_told_at = $3 WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) AND kind = 'workflow'
        AND (failure_told_at IS NULL OR failure_told_at < $4) RETURNING id, name`,
    [
      ...[transaction.workspaceId, first.map(({ flowId }) => flowId)],
      ...[now, new Date(now.getTime() - TOLD_AGAIN_MS)],
    ],
  );
  for (const { id, name } of rows) {
    const { runId, code } = first.find(({ flowId }) => flowId === id)!; // it was asked for
    const scope = transaction.as({ flowId: id, flowName: name, kind: 'workflow', runId, depth: 0 });
    await scope.emit({ type: 'workflow.run_failed', subject: id, values: { name, runId, code } });
  }
}
