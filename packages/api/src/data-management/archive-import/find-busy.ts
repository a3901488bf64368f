import { findOpenOperations } from '../../platform/operations/operation-rows.ts';
import type { ReadScope } from '../../platform/workspace-scope.ts';

/** Acts that add people, take them away or move them. */
const MOVING = [
  ...(['contact-import', 'contact-removal', 'contact-restore', 'contact-consents', 'contact-edit'] as const),
  ...(['data-import', 'data-replacement', 'data-clear', 'archive-replacement'] as const),
] as const;

/** What goes on that must be over before the workspace is replaced, beside the act that is meant to do it; null where nothing does. */
export async function findBusy(
  scope: ReadScope,
  ownId?: string,
): Promise<'runs_under_way' | 'acts_under_way' | null> {
  const { rowCount } = await scope.query(
    `SELECT FROM delivery_runs WHERE workspace_id = $1 AND state IN ('ready', 'running') LIMIT 1`,
    [scope.workspaceId],
  );
  if (rowCount !== 0) return 'runs_under_way';
  for (const kind of MOVING)
    if ((await findOpenOperations(scope, kind)).some(({ id }) => id !== ownId)) return 'acts_under_way';
  return null;
}
