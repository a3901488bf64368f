import { handOverConversations } from '../conversations/hand-over-conversations.ts';
import { handOverTeams } from '../teams/team-member-actions.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';

export type Heir = { id: string; name: string };

/** Somebody active who takes over; undefined when there is no such person, null when nobody shall. */
export async function findHeir(
  scope: WorkspaceScope,
  { from, to }: { from: string; to: string | null },
): Promise<Heir | null | undefined> {
  if (to === null) return null;
  const { rows } = await scope.query<Heir>(
    `SELECT u.id, u.name FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.workspace_id = $1 AND m.user_id = $2 AND m.is_active AND u.id <> $3`,
    [scope.workspaceId, to, from],
  );
  return rows[0];
}

/**
 * What becomes of all that somebody has in hand who goes: the one place for it. What they made, such as campaigns, keeps
 * its author.
 */
export async function handOver(scope: WorkspaceScope, from: string, heir: Heir | null): Promise<void> {
  await handOverTeams(scope, from, heir?.id ?? null);
  await handOverConversations(scope, from, heir?.id ?? null);
}
