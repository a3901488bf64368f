import type { SqlQueries } from '../sql-queries.ts';

type Member = { workspaceId: string; userId: string };

/** When somebody was here last; whoever comes is not idle. */
export async function noteSeen(
  client: SqlQueries,
  { workspaceId, userId }: Member,
  { at, isBack = false }: { at: Date; isBack?: boolean },
): Promise<void> {
  await client.query(
    'UPDATE memberships SET last_seen_at = $3, is_idle = is_idle AND NOT $4 WHERE workspace_id = $1 AND user_id = $2',
    [workspaceId, userId, at, isBack],
  );
}

/** Whether they are there without doing anything; false when that is known already. */
export async function noteIdle(
  client: SqlQueries,
  { workspaceId, userId }: Member,
  isIdle: boolean,
): Promise<boolean> {
  const { rowCount } = await client.query(
    'UPDATE memberships SET is_idle = $3 WHERE workspace_id = $1 AND user_id = $2 AND is_idle <> $3',
    [workspaceId, userId, isIdle],
  );
  return rowCount === 1;
}

/** Gives a member a role; whatever they had asked for is answered by it. */
export async function saveRole(
  client: SqlQueries,
  { workspaceId, userId }: Member,
  role: string,
): Promise<void> {
  await client.query(
    `UPDATE memberships SET role = $3, requested_role = NULL, version = version + 1
      WHERE workspace_id = $1 AND user_id = $2`,
    [workspaceId, userId, role],
  );
}

/** Lets somebody in with a role, again or for the first time: into this workspace alone. */
export async function letMemberIn(
  client: SqlQueries,
  { workspaceId, userId }: Member,
  role: string,
): Promise<void> {
  await client.query(
    `UPDATE memberships SET is_active = true, role = $3, requested_role = NULL, version = version + 1
      WHERE workspace_id = $1 AND user_id = $2`,
    [workspaceId, userId, role],
  );
}

/** Keeps a member out of this workspace; what they are in others stays. */
export async function keepMemberOut(client: SqlQueries, { workspaceId, userId }: Member): Promise<void> {
  await client.query(
    'UPDATE memberships SET is_active = false, version = version + 1 WHERE workspace_id = $1 AND user_id = $2',
    [workspaceId, userId],
  );
}

/** What the roles of a workspace may do, where it differs from what they may do elsewhere. */
export async function saveRolePermissions(
  client: SqlQueries,
  workspaceId: string,
  permissions: object,
): Promise<void> {
  await client.query(
    'UPDATE workspaces SET role_permissions = $2, role_permissions_version = role_permissions_version + 1 WHERE id = $1',
    [workspaceId, JSON.stringify(permissions)],
  );
}
