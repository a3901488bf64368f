import { ORPCError } from '@orpc/server';
import { advisoryLocks } from '@app/database/advisory-locks';
import { findMissingPermission, personOf } from '@app/domain/auth/caller';
import {
  resolvePermissions,
  type Permission,
  type Role,
  type RolePermissionOverrides,
} from '@app/domain/auth/permissions';
import { findReasonAgainst, statusOf, type UserStatus } from '@app/domain/users/member-rules';
import { holdsAll } from '@app/domain/users/role-matrix';
import { requireReauthentication, sayMissing } from '../platform/guard-access.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';

/** Somebody who is acted upon, with their row of the workspace locked. */
export type Person = {
  id: string;
  name: string;
  firstName: string;
  lastName: string;
  email: string;
  phoneNumber: string | null;
  role: Role;
  requestedRole: Role | null;
  isActive: boolean;
  status: UserStatus;
  version: number;
};

/** An act on the people of a workspace, as its caller may do it at this moment. */
export type MemberChange = {
  permissions: readonly Permission[];
  permissionsOf(role: Role): readonly Permission[];
  /** Whether the caller may give this role. */
  mayAssign(role: Role): boolean;
  /** The person, or why the caller may not act on them. */
  findPerson(userId: string): Promise<Person | 'user_not_found' | 'user_is_self' | 'user_above'>;
};

/**
 * Begins an act on the people of a workspace. One at a time: what a person may do is read anew behind the lock, so that of
 * two who take away each other's role one comes too late. `wanted` is null for what everybody may do to themselves.
 * @throws for a caller who may not do this any more
 */
export async function beginMemberChange(
  scope: WorkspaceScope,
  wanted: Permission | null,
): Promise<MemberChange> {
  await scope.query(
    `SELECT pg_advisory_xact_lock(hashtextextended($1, ${advisoryLocks.membersOfWorkspace}))`,
    [scope.workspaceId],
  );
  const overrides = await readOverrides(scope);
  const permissionsOf = (role: Role) => resolvePermissions(role, overrides);
  const permissions = await readOwnPermissions(scope, permissionsOf);
  const missing = findMissingPermission({ permissions }, wanted === null ? [] : [wanted]);
  if (missing) throw new ORPCError('FORBIDDEN', { message: sayMissing(missing) });
  return {
    permissions,
    permissionsOf,
    mayAssign: (role) => holdsAll(permissions, permissionsOf(role)),
    async findPerson(userId) {
      const person = await lockPerson(scope, userId);
      if (!person) return 'user_not_found';
      const caller = { id: personOf(scope.caller), permissions };
      // Who waits has nothing yet.
      const theirs = person.status === 'waiting' ? [] : permissionsOf(person.role);
      return findReasonAgainst(caller, { id: person.id, permissions: theirs }) ?? person;
    },
  };
}

/** Whoever can do everything is made with a recent re-authentication alone: else an open browser makes an admin of anybody. */
export function beforeGiving(context: SignedInContext): (role: Role) => void {
  return (role) => {
    if (role === 'admin') requireReauthentication(context);
  };
}

/** Whether somebody is left who can do everything. Asked behind each change that could take away the last one. */
export async function hasAdmin(scope: WorkspaceScope): Promise<boolean> {
  const { rowCount } = await scope.query(
    `SELECT FROM memberships m
      WHERE m.workspace_id = $1 AND m.role = 'admin' AND m.is_active LIMIT 1`,
    [scope.workspaceId],
  );
  return rowCount === 1;
}

async function readOverrides(scope: WorkspaceScope): Promise<RolePermissionOverrides> {
  const { rows } = await scope.query<{ role_permissions: RolePermissionOverrides }>(
    'SELECT role_permissions FROM workspaces WHERE id = $1',
    [scope.workspaceId],
  );
  return rows[0]?.role_permissions ?? {};
}

/** Of a person those of this moment; everybody else brings what they have. */
async function readOwnPermissions(
  scope: WorkspaceScope,
  permissionsOf: (role: Role) => readonly Permission[],
): Promise<readonly Permission[]> {
  const userId = personOf(scope.caller);
  if (userId === null) return scope.caller.permissions;
  const { rows } = await scope.query<{ role: Role }>(
    `SELECT m.role FROM memberships m
      WHERE m.workspace_id = $1 AND m.user_id = $2 AND m.is_active`,
    [scope.workspaceId, userId],
  );
  return rows[0] ? permissionsOf(rows[0].role) : [];
}

async function lockPerson(scope: WorkspaceScope, userId: string): Promise<Person | null> {
  const { rows } = await scope.query<Omit<Person, 'status'>>(
    `SELECT u.id, u.name, u.first_name AS "firstName", u.last_name AS "lastName", u.email, u.phone_number AS "phoneNumber",
            m.role, m.requested_role AS "requestedRole", m.is_active AS "isActive", m.version
       FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.workspace_id = $1 AND m.user_id = $2 FOR UPDATE OF m`,
    [scope.workspaceId, userId],
  );
  const [row] = rows;
  return row ? { ...row, status: statusOf(row.isActive, row.requestedRole) } : null;
}
