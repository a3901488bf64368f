import { settleSla } from '@app/database/conversations/settle-sla';
import { isPermitted } from '@app/domain/auth/is-permitted';
import { resolvePermissions, type Role, type RolePermissionOverrides } from '@app/domain/auth/permissions';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import { changeConversation, type Missed, type Versioned } from '../change-conversation.ts';
import { findConversation, type Conversation } from '../conversations-queries.ts';

type Assignment = { assigneeId: string | null; teamId?: string | null | undefined };
type Unknown = 'conversation_assignee_unknown' | 'conversation_team_unknown';

/** By hand. What is given to a team alone is given on to one of its people as the team wants it, and waits for one where nobody is there. */
export async function assignConversation(
  scope: WorkspaceScope,
  { assigneeId, teamId, ...of }: Versioned & Assignment,
): Promise<Conversation | Missed | Unknown> {
  const found = await findConversation(scope, of.conversationId);
  if (!found) return 'conversation_not_found';
  const isOther = assigneeId !== (found.assignee?.id ?? null);
  if (assigneeId !== null && isOther && !(await worksHere(scope, assigneeId)))
    return 'conversation_assignee_unknown';
  const kept = found.team?.id ?? null;
  if (teamId && teamId !== kept && !(await isTeam(scope, teamId))) return 'conversation_team_unknown';
  const changed = { assignee: assigneeId, keepsTeam: teamId === undefined, team: teamId ?? null };
  const assigned = await changeConversation(
    scope,
    of,
    `assignee_id = ($4::jsonb->>'assignee')::uuid,
     team_id = CASE WHEN ($4::jsonb->>'keepsTeam')::boolean THEN team_id ELSE ($4::jsonb->>'team')::uuid END,
     awaits_assignee = $4::jsonb->>'assignee' IS NULL AND $4::jsonb->>'team' IS NOT NULL`,
    JSON.stringify(changed),
    ({ contactIds, before }) => {
      const team = teamId === undefined ? before.team_id : teamId;
      if (before.assignee_id === assigneeId && before.team_id === team) return null;
      return {
        type: 'conversation.assigned',
        subject: of.conversationId,
        values: { contactIds, assigneeId, before: before.assignee_id, teamId: team },
      };
    },
  );
  if (typeof assigned === 'string' || teamId === undefined || teamId === kept) return assigned;
  const settled = { conversationIds: [of.conversationId], begun: new Set<string>(), aims: true };
  await settleSla(scope, { ...settled, now: scope.clock() });
  return (await findConversation(scope, of.conversationId)) ?? 'conversation_not_found';
}

/** Whether somebody works here, is let in and may answer; they stay so until the act is done. */
export async function worksHere(scope: WorkspaceScope, userId: string): Promise<boolean> {
  return (await holdPeople(scope, [userId])).has(userId);
}

/**
 * Those of them who work here, are let in and may answer; they stay so until the act is done. Who is deactivated just now is waited for,
 * and their account is read afterwards, as it is by then.
 */
export async function holdPeople(
  { query, workspaceId }: WorkspaceScope,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const of = [workspaceId, userIds];
  await query(
    'SELECT FROM memberships WHERE workspace_id = $1 AND user_id = ANY ($2::uuid[]) ORDER BY user_id FOR SHARE',
    of,
  );
  const { rows } = await query<{ id: string; role: Role; overrides: RolePermissionOverrides }>(
    `SELECT m.user_id AS id, m.role, w.role_permissions AS overrides
       FROM memberships m JOIN workspaces w ON w.id = m.workspace_id
      WHERE m.workspace_id = $1 AND m.user_id = ANY ($2::uuid[]) AND m.is_active`,
    of,
  );
  const mayAnswer = rows.filter(({ role, overrides }) =>
    isPermitted(resolvePermissions(role, overrides), 'messages:create'),
  );
  return new Set(mayAnswer.map(({ id }) => id));
}

export async function isTeam({ query, workspaceId }: WorkspaceScope, teamId: string): Promise<boolean> {
  const { rowCount } = await query('SELECT FROM teams WHERE workspace_id = $1 AND id = $2 FOR KEY SHARE', [
    workspaceId,
    teamId,
  ]);
  return rowCount !== 0;
}
