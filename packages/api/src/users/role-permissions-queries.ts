import { saveRolePermissions } from '@app/database/auth/write-members';
import { isPermitted } from '@app/domain/auth/is-permitted';
import {
  defaultRolePermissions,
  resolvePermissions,
  roles,
  type Permission,
  type Role,
  type RolePermissionOverrides,
} from '@app/domain/auth/permissions';
import { findDifference, tidyPermissions, type EditableRole } from '@app/domain/users/role-matrix';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import type { MemberChange } from './member-change.ts';

type Stored = { overrides: RolePermissionOverrides; version: number };

export async function readMatrix(scope: ReadScope) {
  const { overrides, version } = await readStored(scope);
  const { rows } = await scope.query<{ role: Role; people: number }>(
    'SELECT role, count(*)::int AS people FROM memberships WHERE workspace_id = $1 GROUP BY role',
    [scope.workspaceId],
  );
  return {
    version,
    roles: roles.map((role) => ({
      role,
      permissions: [...resolvePermissions(role, overrides)],
      isEdited: role !== 'admin' && overrides[role] !== undefined,
      people: rows.find((row) => row.role === role)?.people ?? 0,
    })),
  };
}

export type MatrixChange = {
  version: number;
  changes: readonly { role: EditableRole; permissions: readonly Permission[] | null }[];
};

/**
 * Sets what roles may do. Nobody gives, or takes away, what they may not do themselves. Null when it is done.
 */
export async function changeMatrix(
  scope: WorkspaceScope,
  { permissions: held, permissionsOf }: MemberChange,
  { version, changes }: MatrixChange,
): Promise<'role_permissions_changed' | { missing: Permission } | null> {
  const stored = await readStored(scope);
  if (stored.version !== version) return 'role_permissions_changed';
  const overrides: RolePermissionOverrides = { ...stored.overrides };
  const changed = new Set<Role>();
  for (const { role, permissions } of changes) {
    const after = tidyPermissions(permissions ?? defaultRolePermissions[role]);
    const difference = findDifference(permissionsOf(role), after);
    const missing = difference.find((permission) => !isPermitted(held, permission));
    if (missing) return { missing };
    if (difference.length > 0) changed.add(role);
    // What is as it comes follows the product when that grows.
    if (findDifference(defaultRolePermissions[role], after).length === 0) delete overrides[role];
    else overrides[role] = after;
  }
  if (changed.size === 0) return null;
  await saveRolePermissions(scope, scope.workspaceId, overrides);
  await scope.emit({ type: 'role_permissions.changed', subject: null, values: { roles: [...changed] } });
  return null;
}

async function readStored(scope: ReadScope): Promise<Stored> {
  const { rows } = await scope.query<Stored>(
    'SELECT role_permissions AS overrides, role_permissions_version AS version FROM workspaces WHERE id = $1',
    [scope.workspaceId],
  );
  return rows[0] ?? { overrides: {}, version: 1 };
}
