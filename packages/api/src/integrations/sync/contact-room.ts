import { advisoryLocks } from '@app/database/advisory-locks';
import { readPlan, usageOfPlan } from '@app/domain/settings/plan-usage';
import type { ReadScope, WorkspaceScope } from '../../platform/workspace-scope.ts';

/** How many contacts a sync may still add. */
export type Room = {
  /** False where none is left. */
  take(): boolean;
  left(): number;
};

/**
 * Syncs of a workspace take room one after the other, until their transactions end: otherwise two that read it at once would both fill it. Before any
 * row is locked.
 */
export async function lockRoom(scope: WorkspaceScope): Promise<void> {
  await scope.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, ${advisoryLocks.contactRoom}))`, [
    scope.workspaceId,
  ]);
}

/** What the plan of the workspace leaves for contacts, from counters. Infinite for a plan without a limit. */
export async function readRoom(scope: ReadScope): Promise<Room> {
  const { rows } = await scope.query<{ plan: string; contacts: number }>(
    `SELECT plan, (SELECT coalesce(sum(total), 0)::int FROM contact_counts WHERE workspace_id = w.id) AS contacts FROM workspaces w WHERE id = $1`,
    [scope.workspaceId],
  );
  const { plan, contacts } = rows[0]!; // the scope is of a workspace that is there
  const { most, used } = usageOfPlan(readPlan(plan), { messages: 0, contacts }).contacts;
  let left = most === null ? Infinity : Math.max(0, most - used);
  return {
    take() {
      if (left <= 0) return false;
      left -= 1;
      return true;
    },
    left: () => left,
  };
}

/** Lets as many records go on as there is room for. Answers with how many. */
export async function releaseHeld(scope: WorkspaceScope, integrationId: string): Promise<number> {
  const room = (await readRoom(scope)).left();
  if (room === 0) return 0;
  const { rowCount } = await scope.query(
    `UPDATE integration_records SET is_held = false WHERE workspace_id = $1 AND id IN
       (SELECT id FROM integration_records WHERE workspace_id = $1 AND integration_id = $2 AND is_held ORDER BY id LIMIT $3)`,
    [scope.workspaceId, integrationId, room === Infinity ? null : room],
  );
  return rowCount ?? 0;
}
