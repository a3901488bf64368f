import type { Mention } from '@app/domain/conversations/note-rules';
import { isPermitted } from '@app/domain/auth/is-permitted';
import { resolvePermissions, type Role, type RolePermissionOverrides } from '@app/domain/auth/permissions';
import type { ReadScope } from '../../platform/workspace-scope.ts';

export type Mentioned = { userIds: readonly string[]; teamIds: readonly string[] };

/**
 * Those whom a note names, and everybody whom that concerns: people in person and the members of teams, as far as they may read messages. Null
 * where one of the named does not work here, may not read messages, or is no team of the workspace.
 */
export async function findMentioned(
  scope: ReadScope,
  { userIds, teamIds }: Mentioned,
): Promise<{ mentions: Mention[]; userIds: string[] } | null> {
  if (userIds.length + teamIds.length === 0) return { mentions: [], userIds: [] };
  const { rows: people } = await scope.query<Person & { isNamed: boolean }>(
    `SELECT u.id, u.name, m.role, w.role_permissions AS overrides, u.id = ANY ($2::uuid[]) AS "isNamed"
       FROM memberships m JOIN users u ON u.id = m.user_id JOIN workspaces w ON w.id = m.workspace_id
      WHERE m.workspace_id = $1 AND m.is_active AND (u.id = ANY ($2::uuid[]) OR EXISTS (
        SELECT FROM team_members t WHERE t.workspace_id = $1 AND t.team_id = ANY ($3::uuid[]) AND t.user_id = u.id AND NOT t.is_waiting))
      ORDER BY u.name, u.id`,
    [scope.workspaceId, userIds, teamIds],
  );
  const readers = people.filter(mayRead);
  const named = readers.filter(({ isNamed }) => isNamed);
  const { rows: teams } = await scope.query<{ id: string; name: string }>(
    'SELECT id, name FROM teams WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) ORDER BY name, id',
    [scope.workspaceId, teamIds],
  );
  if (named.length < new Set(userIds).size || teams.length < new Set(teamIds).size) return null;
  return {
    mentions: [
      ...named.map(({ id, name }) => ({ kind: 'user' as const, id, name })),
      ...teams.map(({ id, name }) => ({ kind: 'team' as const, id, name })),
    ],
    userIds: readers.map(({ id }) => id),
  };
}

/** Whom a note can name: everybody who would be let through above, and all teams. */
export async function listMentionable(
  scope: ReadScope,
): Promise<{ people: { id: string; name: string }[]; teams: { id: string; name: string }[] }> {
  const { rows: people } = await scope.query<Person>(
    `SELECT u.id, u.name, m.role, w.role_permissions AS overrides
       FROM memberships m JOIN users u ON u.id = m.user_id JOIN workspaces w ON w.id = m.workspace_id
      WHERE m.workspace_id = $1 AND m.is_active ORDER BY lower(u.name), u.id`,
    [scope.workspaceId],
  );
  const { rows: teams } = await scope.query<{ id: string; name: string }>(
    'SELECT id, name FROM teams WHERE workspace_id = $1 ORDER BY lower(name), id',
    [scope.workspaceId],
  );
  return { people: people.filter(mayRead).map(({ id, name }) => ({ id, name })), teams };
}

function mayRead({ role, overrides }: Person): boolean {
  return isPermitted(resolvePermissions(role, overrides), 'messages:read');
}

type Person = {
  id: string;
  name: string;
  role: Role;
  overrides: RolePermissionOverrides;
};
