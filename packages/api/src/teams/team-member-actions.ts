import { advisoryLocks } from '@app/database/advisory-locks';
import { personOf } from '@app/domain/auth/caller';
import { findNextOwner, type TeamRole } from '@app/domain/teams/team-rules';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { countMembers } from './team-actions.ts';
import { lockTeam, type LockedTeam } from './teams-queries.ts';

type Place = { teamId: string; userId: string };
type Refusal = 'team_not_found' | 'team_not_yours';
type Member = { role: TeamRole; is_waiting: boolean; name: string };

/** Adds somebody, or lets the caller join. */
export async function addTeamMember(
  scope: WorkspaceScope,
  { teamId, userId }: Place,
): Promise<Refusal | 'team_full' | 'user_not_found' | null> {
  await keepPeople(scope);
  const team = await lockTeam(scope, teamId);
  if (!team) return 'team_not_found';
  const isSelf = userId === personOf(scope.caller);
  if (await findMember(scope, { teamId, userId })) return null;
  if (!(isSelf ? team.rights.mayJoin : team.rights.mayAdd)) return 'team_not_yours';
  const name = await findName(scope, userId);
  if (name === undefined) return 'user_not_found';
  const isWaiting = team.rights.needsApproval;
  if (!isWaiting && (await isFull(scope, team))) return 'team_full';
  await scope.query(
    `INSERT INTO team_members (workspace_id, team_id, user_id, role, is_waiting, joined_at)
     VALUES ($1, $2, $3, 'member', $4, $5)`,
    [scope.workspaceId, teamId, userId, isWaiting, scope.clock()],
  );
  const values = { team: team.name, name };
  await scope.emit(
    isWaiting
      ? { type: 'team.member_asked', subject: teamId, values }
      : { type: 'team.member_added', subject: teamId, values: { ...values, userId } },
  );
  return null;
}

/** What an invitation to a team comes to; nothing where the team is gone or full. */
export async function placeInTeam(scope: WorkspaceScope, { teamId, userId }: Place): Promise<void> {
  await keepPeople(scope);
  const team = await lockTeam(scope, teamId);
  const name = await findName(scope, userId);
  if (!team || name === undefined || (await isFull(scope, team))) return;
  const { rowCount } = await scope.query(
    `INSERT INTO team_members (workspace_id, team_id, user_id, role, joined_at) VALUES ($1, $2, $3, 'member', $4)
     ON CONFLICT DO NOTHING`,
    [scope.workspaceId, teamId, userId, scope.clock()],
  );
  if (rowCount === 1)
    await scope.emit({
      type: 'team.member_added',
      subject: teamId,
      values: { team: team.name, name, userId },
    });
}

/** Takes somebody out who leads nothing there: who owns a team or helps to lead it was put there by people. */
export async function leaveTeamAsMember(scope: WorkspaceScope, { teamId, userId }: Place): Promise<void> {
  const team = await lockTeam(scope, teamId);
  const member = await findMember(scope, { teamId, userId });
  if (!team || member?.role !== 'member') return;
  await scope.query('DELETE FROM team_members WHERE workspace_id = $1 AND team_id = $2 AND user_id = $3', [
    ...[scope.workspaceId, teamId, userId],
  ]);
  const values = { team: team.name, name: member.name };
  await scope.emit({ type: 'team.member_removed', subject: teamId, values });
}

/** Lets in who waits, and sets what a member is. A team has one owner: a new one takes the place of the old. */
export async function setTeamMember(
  scope: WorkspaceScope,
  { teamId, userId, role }: Place & { role: TeamRole },
): Promise<Refusal | 'team_full' | 'team_member_not_found' | 'team_needs_owner' | null> {
  await keepPeople(scope);
  const team = await lockTeam(scope, teamId);
  if (!team) return 'team_not_found';
  const member = await findMember(scope, { teamId, userId });
  if (!member) return team.rights.mayManage ? 'team_member_not_found' : 'team_not_yours';
  const isNewRole = member.role !== role;
  if (!team.rights.mayManage || (isNewRole && !team.rights.mayOwn)) return 'team_not_yours';
  if (!isNewRole && !member.is_waiting) return null;
  if (member.role === 'owner') return 'team_needs_owner';
  if (member.is_waiting && (await isFull(scope, team))) return 'team_full';
  if (role === 'owner')
    await scope.query(
      `UPDATE team_members SET role = 'admin' WHERE workspace_id = $1 AND team_id = $2 AND role = 'owner'`,
      [scope.workspaceId, teamId],
    );
  await scope.query(
    `UPDATE team_members SET role = $4, is_waiting = false, joined_at = CASE WHEN is_waiting THEN $5 ELSE joined_at END
      WHERE workspace_id = $1 AND team_id = $2 AND user_id = $3`,
    [scope.workspaceId, teamId, userId, role, scope.clock()],
  );
  const values = { team: team.name, name: member.name };
  await scope.emit(
    isNewRole
      ? { type: 'team.member_role_changed', subject: teamId, values: { ...values, role } }
      : { type: 'team.member_added', subject: teamId, values: { ...values, userId } },
  );
  return null;
}

/** Takes somebody out, or lets the caller leave. The owner hands the team over first. */
export async function removeTeamMember(
  scope: WorkspaceScope,
  { teamId, userId }: Place,
): Promise<Refusal | 'team_member_not_found' | 'team_needs_owner' | null> {
  const team = await lockTeam(scope, teamId);
  if (!team) return 'team_not_found';
  const isSelf = userId === personOf(scope.caller);
  if (!isSelf && !team.rights.mayManage) return 'team_not_yours';
  const member = await findMember(scope, { teamId, userId });
  if (!member) return 'team_member_not_found';
  if (member.role === 'owner') return 'team_needs_owner';
  await scope.query('DELETE FROM team_members WHERE workspace_id = $1 AND team_id = $2 AND user_id = $3', [
    scope.workspaceId,
    teamId,
    userId,
  ]);
  const values = { team: team.name, name: member.name };
  await scope.emit(
    isSelf
      ? { type: 'team.member_left', subject: teamId, values: { team: team.name } }
      : { type: 'team.member_removed', subject: teamId, values },
  );
  return null;
}

/**
 * The teams that somebody owns who goes from the workspace get another owner: the heir where they are in the team, else
 * whoever leads it longest.
 */
export async function handOverTeams(
  scope: WorkspaceScope,
  from: string,
  heirId: string | null,
): Promise<void> {
  const { rows: owned } = await scope.query<{ id: string; team: string }>(
    `SELECT t.id, t.name AS team FROM teams t JOIN team_members x ON x.team_id = t.id
      WHERE t.workspace_id = $1 AND x.user_id = $2 AND x.role = 'owner' ORDER BY t.id FOR UPDATE OF t`,
    [scope.workspaceId, from],
  );
  for (const { id, team } of owned) {
    const { rows: others } = await scope.query<{
      id: string;
      name: string;
      role: TeamRole;
      isWaiting: boolean;
      joinedAt: Date;
    }>(
      `SELECT x.user_id AS id, u.name, x.role, x.is_waiting AS "isWaiting", x.joined_at AS "joinedAt"
         FROM team_members x JOIN users u ON u.id = x.user_id
         JOIN memberships m ON m.workspace_id = x.workspace_id AND m.user_id = x.user_id
        WHERE x.workspace_id = $1 AND x.team_id = $2 AND x.user_id <> $3 AND m.is_active`,
      [scope.workspaceId, id, from],
    );
    const next = others.find((other) => other.id === heirId && !other.isWaiting) ?? findNextOwner(others);
    if (!next) continue;
    await scope.query(
      `UPDATE team_members SET role = CASE WHEN user_id = $3 THEN 'owner' ELSE 'member' END
        WHERE workspace_id = $1 AND team_id = $2 AND user_id IN ($3, $4)`,
      [scope.workspaceId, id, next.id, from],
    );
    const values = { team, name: next.name, role: 'owner' as const };
    await scope.emit({ type: 'team.member_role_changed', subject: id, values });
  }
}

/** Nobody leaves the workspace meanwhile: in everybody's order, its people come before its teams. */
async function keepPeople(scope: WorkspaceScope): Promise<void> {
  await scope.query(
    `SELECT pg_advisory_xact_lock_shared(hashtextextended($1, ${advisoryLocks.membersOfWorkspace}))`,
    [scope.workspaceId],
  );
}

async function isFull(scope: WorkspaceScope, team: LockedTeam): Promise<boolean> {
  return (await countMembers(scope, team.id)) >= team.max_members;
}

async function findMember(scope: WorkspaceScope, { teamId, userId }: Place): Promise<Member | undefined> {
  const { rows } = await scope.query<Member>(
    `SELECT x.role, x.is_waiting, u.name FROM team_members x JOIN users u ON u.id = x.user_id
      WHERE x.workspace_id = $1 AND x.team_id = $2 AND x.user_id = $3`,
    [scope.workspaceId, teamId, userId],
  );
  return rows[0];
}

/** Of somebody who works here. */
async function findName(scope: WorkspaceScope, userId: string): Promise<string | undefined> {
  const { rows } = await scope.query<{ name: string }>(
    `SELECT u.name FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.workspace_id = $1 AND m.user_id = $2 AND m.is_active`,
    [scope.workspaceId, userId],
  );
  return rows[0]?.name;
}
