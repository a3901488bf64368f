import type { ApiDependencies } from '../../platform/request-context.ts';
import { pruneKept } from '../../platform/retention/prune-kept.ts';
import { TOLD_IS_OVER } from '../../platform/retention/what-goes.ts';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';

const AT_ONCE = 5_000;

/** What platforms called and told beside messages, for as long as the workspace wants it. What was set aside is still to be stored. */
export const pruneTold = (parts: ApiDependencies): Promise<void> => pruneKept(parts, 'logs', pruneSome);

async function pruneSome({ query, workspaceId }: WorkspaceScope, before: Date): Promise<boolean> {
  const { rowCount } = await query(
    `DELETE FROM platform_events WHERE workspace_id = $1 AND id IN (
       SELECT id FROM platform_events p WHERE workspace_id = $1 AND received_at < $2 AND ${TOLD_IS_OVER} LIMIT ${AT_ONCE})`,
    [workspaceId, before],
  );
  await query('DELETE FROM webhook_calls WHERE workspace_id = $1 AND at < $2', [workspaceId, before]);
  return rowCount === AT_ONCE;
}
