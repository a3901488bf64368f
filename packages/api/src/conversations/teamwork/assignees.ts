import { ONLINE_WINDOW_MS } from '@app/domain/activity/activity-rules';
import { personOf } from '@app/domain/auth/caller';
import { isPermitted } from '@app/domain/auth/is-permitted';
import { resolvePermissions, type Role, type RolePermissionOverrides } from '@app/domain/auth/permissions';
import type { ReadScope, WorkspaceScope } from '../../platform/workspace-scope.ts';

export type Assignee = {
  id: string;
  name: string;
  avatar: string | null;
  isOnline: boolean;
  isAvailable: boolean;
  open: number;
  lastTurn: number | null;
  teamIds: string[];
};

type Row = Assignee & { role: Role; overrides: RolePermissionOverrides };

/** Who may answer, with what decides who gets the next conversation. Whoever left or is deactivated is not among them. */
export async function findAssignees(scope: ReadScope): Promise<Assignee[]> {
  const { rows } = await scope.query<Row>(
    `SELECT u.id, u.name, u.image AS avatar, m.role, w.role_permissions AS overrides,
            EXISTS (SELECT FROM presence_streams s WHERE s.workspace_id = $1 AND s.user_id = u.id AND s.seen_at > $2) AS "isOnline",
            coalesce(p.is_available, true) AS "isAvailable", p.last_turn::float8 AS "lastTurn",
            (SELECT count(*)::int FROM conversations c WHERE c.workspace_id = $1 AND c.assignee_id = u.id AND c.status = 'open') AS open,
            ARRAY(SELECT x.team_id::text FROM team_members x WHERE x.workspace_id = $1 AND x.user_id = u.id AND NOT x.is_waiting) AS "teamIds"
       FROM memberships m JOIN users u ON u.id = m.user_id JOIN workspaces w ON w.id = m.workspace_id
       LEFT JOIN inbox_people p ON p.workspace_id = m.workspace_id AND p.user_id = u.id
      WHERE m.workspace_id = $1 AND m.is_active ORDER BY lower(u.name), u.id`,
    [scope.workspaceId, new Date(scope.clock().getTime() - ONLINE_WINDOW_MS)],
  );
  return rows.filter(({ role, overrides }) =>
    isPermitted(resolvePermissions(role, overrides), 'messages:create'),
  );
}

export async function listAssignees(scope: ReadScope) {
  const people = await findAssignees(scope);
  const { rows: teams } = await scope.query<{ id: string; name: string }>(
    'SELECT id, name FROM teams WHERE workspace_id = $1 ORDER BY lower(name), id',
    [scope.workspaceId],
  );
  const me = people.find(({ id }) => id === personOf(scope.caller));
  return {
    people: people.map(({ id, name, avatar, isOnline, isAvailable, open }) => ({
      ...{ id, name, avatar, isOnline, isAvailable, open },
    })),
    teams: teams.map(({ id, name }) => ({
      ...{ id, name },
      memberCount: people.filter(({ teamIds }) => teamIds.includes(id)).length,
      isOwn: me?.teamIds.includes(id) === true,
    })),
  };
}

export async function setAvailable(
  scope: WorkspaceScope,
  isAvailable: boolean,
): Promise<{ isAvailable: boolean }> {
  const userId = personOf(scope.caller);
  if (userId === null) return { isAvailable: false };
  await scope.query(
    `INSERT INTO inbox_people (workspace_id, user_id, is_available) VALUES ($1, $2, $3)
     ON CONFLICT (workspace_id, user_id) DO UPDATE SET is_available = excluded.is_available`,
    [scope.workspaceId, userId, isAvailable],
  );
  await scope.emit({ type: 'inbox.available', subject: scope.workspaceId, values: { userId, isAvailable } });
  return { isAvailable };
}
