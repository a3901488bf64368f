import type { SqlQueries } from '@app/database/sql-queries';
import { resolvePermissions, type Role, type RolePermissionOverrides } from '@app/domain/auth/permissions';
import { holdsAll } from '@app/domain/users/role-matrix';

export type Invitation = {
  id: string;
  workspaceId: string;
  workspaceName: string;
  email: string;
  role: Role;
  teamId: string | null;
  invitedByName: string;
};

type InvitationRow = Invitation & {
  isSample: boolean;
  state: string;
  expiresAt: Date;
  inviterRole: Role | null;
  overrides: RolePermissionOverrides;
};

/** As the business calls itself. */
const businessName = `coalesce(w.settings->>'businessName', w.name)`;

/**
 * An invitation that can be taken now: open, not too old, and from somebody who is still there and may give its role. With
 * `lock` it stays so until the transaction ends.
 */
export async function findOpenInvitation(
  client: SqlQueries,
  invitationId: string,
  { now, isSampleOpen, lock = false }: { now: Date; isSampleOpen: boolean; lock?: boolean },
): Promise<Invitation | null> {
  const { rows } = await client.query<InvitationRow>(
    `SELECT i.id, i.workspace_id AS "workspaceId", ${businessName} AS "workspaceName", i.email, i.role, i.team_id AS "teamId", u.name AS "invitedByName",
            w.is_sample AS "isSample", i.state, i.expires_at AS "expiresAt", w.role_permissions AS overrides,
            CASE WHEN m.is_active THEN m.role END AS "inviterRole"
       FROM invitations i JOIN workspaces w ON w.id = i.workspace_id
       LEFT JOIN memberships m ON m.workspace_id = i.workspace_id AND m.user_id = i.invited_by
       LEFT JOIN users u ON u.id = m.user_id
      WHERE i.id = $1 ${lock ? 'FOR UPDATE OF i' : ''}`,
    [invitationId],
  );
  const [row] = rows;
  if (!row || row.state !== 'open' || row.expiresAt <= now) return null;
  if (row.isSample && !isSampleOpen) return null;
  return isBacked(row) ? row : null;
}

/** An invitation that this person has taken, and by which they are here. */
export async function findTakenBy(
  client: SqlQueries,
  invitationId: string,
  userId: string,
): Promise<Invitation | null> {
  const { rows } = await client.query<Invitation>(
    `SELECT i.id, i.workspace_id AS "workspaceId", ${businessName} AS "workspaceName", i.email, i.role, i.team_id AS "teamId",
            i.invited_by_name AS "invitedByName"
       FROM invitations i JOIN workspaces w ON w.id = i.workspace_id JOIN users u ON u.email = i.email
       JOIN memberships m ON m.workspace_id = i.workspace_id AND m.user_id = u.id AND m.is_active
      WHERE i.id = $1 AND u.id = $2 AND i.state = 'taken'`,
    [invitationId, userId],
  );
  return rows[0] ?? null;
}

/** Whether whoever invited could still do so. */
export function isBacked({
  role,
  inviterRole,
  overrides,
}: Pick<InvitationRow, 'role' | 'inviterRole' | 'overrides'>): boolean {
  if (inviterRole === null) return false;
  const theirs = resolvePermissions(inviterRole, overrides);
  return holdsAll(theirs, ['users:create']) && holdsAll(theirs, resolvePermissions(role, overrides));
}
