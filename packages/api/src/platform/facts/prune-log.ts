import type { ApiDependencies } from '../request-context.ts';
import { pruneKept } from '../retention/prune-kept.ts';
import type { WorkspaceScope } from '../workspace-scope.ts';

const AT_ONCE = 5_000;

/** Entries of the log that were kept for as long as their workspace wants. */
export const pruneLog = (parts: ApiDependencies): Promise<void> => pruneKept(parts, 'audit', pruneSome);

async function pruneSome({ query, workspaceId }: WorkspaceScope, before: Date): Promise<boolean> {
  const { rowCount } = await query(
    `DELETE FROM activities WHERE workspace_id = $1 AND id IN (
       SELECT id FROM activities WHERE workspace_id = $1 AND occurred_at < $2 ORDER BY occurred_at LIMIT ${AT_ONCE})`,
    [workspaceId, before],
  );
  const { rowCount: named } = await query(
    `DELETE FROM activity_subjects WHERE workspace_id = $1 AND ctid IN (
       SELECT ctid FROM activity_subjects WHERE workspace_id = $1 AND occurred_at < $2 LIMIT ${AT_ONCE})`,
    [workspaceId, before],
  );
  return rowCount === AT_ONCE || named === AT_ONCE;
}
