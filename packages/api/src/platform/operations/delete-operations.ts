import { DAYS_OPERATION_STORED } from '@app/domain/operations/operation-kinds';
import { overStates } from '@app/domain/operations/operation-state';
import type { ApiDependencies } from '../request-context.ts';
import { changeAcrossWorkspaces } from '../system-work.ts';

const DAY_MS = 86_400_000;
/** One transaction stays short, however many are due; the next time takes the next ones. */
const AT_ONCE = 1_000;

/** What is over goes after a while, with all pieces of files that it may still have. */
export async function deleteOldOperations(parts: ApiDependencies): Promise<void> {
  await changeAcrossWorkspaces(parts, 'upkeep', async ({ client }) => {
    await client.query(
      `DELETE FROM operations WHERE id IN (
         SELECT id FROM operations WHERE ended_at < $1 AND state = ANY ($2) ORDER BY ended_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)`,
      [new Date(parts.clock().getTime() - DAYS_OPERATION_STORED * DAY_MS), overStates],
    );
  });
}
