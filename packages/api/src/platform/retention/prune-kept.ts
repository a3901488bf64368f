import { keptSinceOfAll, type RetentionKind } from '@app/domain/data-management/retention';
import { readFailureCode } from '../jobs/job-failure.ts';
import type { ApiDependencies } from '../request-context.ts';
import { changeAsSystem } from '../system-work.ts';
import type { WorkspaceScope } from '../workspace-scope.ts';
import { readRetention } from './read-retention.ts';

/** The others wait for the next time: nobody waits for them. */
const MOST_ROUNDS = 50;

/**
 * Deletes what workspaces have kept for long enough, some at a time, each in a transaction of its own: `pruneSome` answers whether there
 * may be more. What goes wrong in one workspace is no matter of the others; it is tried again the next time.
 */
export async function pruneKept(
  parts: ApiDependencies,
  kind: RetentionKind,
  pruneSome: (scope: WorkspaceScope, before: Date) => Promise<boolean>,
): Promise<void> {
  const { rows } = await parts.db.systemPool.query<{ id: string; settings: Record<string, unknown> }>(
    `SELECT id, settings FROM workspaces WHERE settings ? 'retention'`,
  );
  for (const { id, settings } of rows) {
    const before = keptSinceOfAll(readRetention(settings), parts.clock())[kind];
    if (before === null) continue;
    try {
      for (let round = 0; round < MOST_ROUNDS; round += 1) {
        const isMore = await changeAsSystem(parts, 'upkeep', id, (scope) => pruneSome(scope, before));
        if (!isMore) break;
      }
    } catch (error) {
      if (parts.stopping.aborted) return;
      const fields = { workspace: id, kind, code: readFailureCode(error) };
      parts.logger.warn(fields, 'what was kept for long enough could not be deleted');
    }
  }
}
