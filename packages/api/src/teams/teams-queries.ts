import type { team, teamDetails } from '@app/contracts/teams/teams-contract';
import { containsPattern } from '@app/database/contains-pattern';
import { personOf } from '@app/domain/auth/caller';
import { isPermitted } from '@app/domain/auth/is-permitted';
import type { Role } from '@app/domain/auth/permissions';
import { rightsIn, type TeamRights, type TeamRole } from '@app/domain/teams/team-rules';
import type { z } from 'zod';
import { cutPage, readCursor } from '../platform/keyset.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

export type Team = z.infer<typeof team>;
export type TeamDetails = z.infer<typeof teamDetails>;

export type TeamRow = {
  id: string;
  name: string;
  description: string;
  allow_invites: boolean;
  require_approval: boolean;
  max_members: number;
  features: string[];
  version: number;
  created_at: Date;
};

type ListedRow = TeamRow & {
  member_count: number;
  waiting_count: number;
  owner_id: string | null;
  own_role: TeamRole | null;
  own_is_waiting: boolean | null;
  people: { id: string; name: string; avatar: string | null }[];
  sort_key: string;
};

const SHOWN_PEOPLE = 6;

/** `$1` is the workspace, `$2` the caller. */
const select = `SELECT t.*, lower(t.name) AS sort_key, own.role AS own_role, own.is_waiting AS own_is_waiting,
    (SELECT count(*)::int FROM team_members x WHERE x.team_id = t.id AND NOT x.is_waiting) AS member_count,
    (SELECT count(*)::int FROM team_members x WHERE x.team_id = t.id AND x.is_waiting) AS waiting_count,
    (SELECT x.user_id FROM team_members x WHERE x.team_id = t.id AND x.role = 'owner') AS owner_id,
    (SELECT coalesce(json_agg(p), '[]') FROM (
       SELECT u.id, u.name, u.image AS avatar FROM team_members x JOIN users u ON u.id = x.user_id
        WHERE x.team_id = t.id AND NOT x.is_waiting ORDER BY x.joined_at, u.id LIMIT ${SHOWN_PEOPLE}) p) AS people
  FROM teams t LEFT JOIN team_members own ON own.team_id = t.id AND own.user_id = $2
 WHERE t.workspace_id = $1`;

export async function listTeams(
  scope: ReadScope,
  { search, limit, cursor }: { search?: string | undefined; limit: number; cursor?: string | undefined },
): Promise<{ items: Team[]; nextCursor: string | null }> {
  const after = readCursor(cursor);
  const { rows } = await scope.query<ListedRow>(
    `${select} AND ($3::text IS NULL OR t.name ILIKE $3 OR t.description ILIKE $3)
        AND ($4::text IS NULL OR (lower(t.name), t.id) > ($4, $5::uuid))
      ORDER BY lower(t.name), t.id LIMIT $6`,
    [
      ...[scope.workspaceId, personOf(scope.caller)],
      ...[search?.trim() ? containsPattern(search.trim()) : null, after?.key ?? null, after?.id ?? null],
      limit + 1,
    ],
  );
  const { items, nextCursor } = cutPage(rows, limit, ({ sort_key: key, id }) => ({ key, id }));
  return { items: items.map((row) => present(scope, row)), nextCursor };
}

type MemberRow = {
  user_id: string;
  name: string;
  email: string;
  image: string | null;
  workspace_role: Role;
  is_active: boolean;
  role: TeamRole;
  is_waiting: boolean;
  joined_at: Date;
};

export async function findTeam(scope: ReadScope, teamId: string): Promise<TeamDetails | null> {
  const { rows } = await scope.query<ListedRow>(`${select} AND t.id = $3`, [
    ...[scope.workspaceId, personOf(scope.caller), teamId],
  ]);
  const [row] = rows;
  if (!row) return null;
  const members = await scope.query<MemberRow>(
    `SELECT x.user_id, u.name, u.email, u.image, m.role AS workspace_role, m.is_active, x.role, x.is_waiting, x.joined_at
       FROM team_members x JOIN users u ON u.id = x.user_id
       JOIN memberships m ON m.user_id = x.user_id AND m.workspace_id = x.workspace_id
      WHERE x.workspace_id = $1 AND x.team_id = $2
      ORDER BY x.is_waiting DESC, array_position(ARRAY['owner', 'admin', 'member'], x.role), lower(u.name), u.id`,
    [scope.workspaceId, teamId],
  );
  return { ...present(scope, row), members: members.rows.map(presentMember) };
}

export type LockedTeam = TeamRow & { rights: TeamRights; ownRole: TeamRole | null };

/** A team whose row stays as it is until the transaction ends, with what the caller may do in it. */
export async function lockTeam(scope: WorkspaceScope, teamId: string): Promise<LockedTeam | null> {
  const { rows } = await scope.query<TeamRow>(
    'SELECT * FROM teams WHERE workspace_id = $1 AND id = $2 FOR UPDATE',
    [scope.workspaceId, teamId],
  );
  const [row] = rows;
  if (!row) return null;
  const own = await scope.query<{ role: TeamRole }>(
    'SELECT role FROM team_members WHERE workspace_id = $1 AND team_id = $2 AND user_id = $3 AND NOT is_waiting',
    [scope.workspaceId, teamId, personOf(scope.caller)],
  );
  const ownRole = own.rows[0]?.role ?? null;
  return { ...row, ownRole, rights: rightsOf(scope, row, ownRole) };
}

function rightsOf(
  { caller }: ReadScope,
  row: Pick<TeamRow, 'allow_invites' | 'require_approval'>,
  role: TeamRole | null,
): TeamRights {
  return rightsIn(
    { role, managesUsers: isPermitted(caller.permissions, 'users:update') },
    { allowInvites: row.allow_invites, requireApproval: row.require_approval },
  );
}

function present(scope: ReadScope, row: ListedRow): Team {
  const { id, name, description, version, people } = row;
  const role = row.own_is_waiting ? null : row.own_role;
  const { mayManage, mayOwn, mayAdd, mayJoin } = rightsOf(scope, row, role);
  return {
    ...{ id, name, description, version, people },
    ownerId: row.owner_id,
    memberCount: row.member_count,
    waitingCount: row.waiting_count,
    settings: {
      allowInvites: row.allow_invites,
      requireApproval: row.require_approval,
      maxMembers: row.max_members,
      features: row.features,
    },
    own: { role, isWaiting: row.own_is_waiting === true, mayManage, mayOwn, mayAdd, mayJoin },
    createdAt: row.created_at.toISOString(),
  };
}

function presentMember(row: MemberRow): TeamDetails['members'][number] {
  return {
    userId: row.user_id,
    name: row.name,
    email: row.email,
    avatar: row.image,
    workspaceRole: row.workspace_role,
    isActive: row.is_active,
    role: row.role,
    isWaiting: row.is_waiting,
    joinedAt: row.joined_at.toISOString(),
  };
}
