import { permissionsOfKey } from '@app/domain/api-keys/api-key-rules';
import { findMissingPermission, type Caller } from '@app/domain/auth/caller';
import {
  resolvePermissions,
  type Permission,
  type Role,
  type RolePermissionOverrides,
} from '@app/domain/auth/permissions';
import { rulesOf, type OperationKindName } from '@app/domain/operations/operation-kinds';
import type { ReadScope } from '../workspace-scope.ts';
import { OperationFailed } from './operation-kind.ts';

/**
 * An act goes on when the tab of whoever began it is closed, and when they sign out; but not when they may not do such a thing any more, are not
 * of the workspace, or the key was revoked or has expired. What it did until then stays, and is told.
 * @throws {OperationFailed}
 */
export async function checkStarter(
  scope: ReadScope,
  kind: OperationKindName,
  starter: Caller,
): Promise<void> {
  const permissions = await readPermissions(scope, starter);
  if (permissions && findMissingPermission({ permissions }, rulesOf(kind).access))
    throw new OperationFailed('starter_not_allowed');
}

type Row = {
  role: Role;
  role_permissions: RolePermissionOverrides;
  scopes: Permission[];
};

/** As they are at this moment; null for parts of the product, and for flows, bots and integrations, whose permissions are fixed. */
export async function readPermissions(
  { query, workspaceId, clock }: ReadScope,
  starter: Caller,
): Promise<readonly Permission[] | null> {
  if (starter.kind === 'person') {
    const { rows } = await query<Row>(
      `SELECT m.role, w.role_permissions FROM memberships m JOIN workspaces w ON w.id = m.workspace_id
        WHERE m.workspace_id = $1 AND m.user_id = $2 AND m.is_active`,
      [workspaceId, starter.id],
    );
    return rows.flatMap((row) => resolvePermissions(row.role, row.role_permissions));
  }
  if (starter.kind !== 'api-key') return null;
  const { rows } = await query<Row>(
    `SELECT m.role, w.role_permissions, k.scopes FROM api_keys k
       JOIN memberships m ON m.user_id = k.user_id AND m.workspace_id = k.workspace_id
       JOIN workspaces w ON w.id = k.workspace_id
      WHERE k.workspace_id = $1 AND k.id = $2 AND m.is_active AND (k.expires_at IS NULL OR k.expires_at > $3)`,
    [workspaceId, starter.id, clock()],
  );
  return rows.flatMap((row) =>
    permissionsOfKey(resolvePermissions(row.role, row.role_permissions), row.scopes),
  );
}
