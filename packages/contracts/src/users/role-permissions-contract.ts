import { actionsOf, resources, type Permission } from '@app/domain/auth/permissions';
import { roles } from '@app/domain/auth/permissions';
import { editableRoles } from '@app/domain/users/role-matrix';
import { z } from 'zod';
import { endpoint, versioned } from '../endpoint.ts';

// The table of the domain, as words that a schema can list.
const permissions = resources.flatMap((resource) =>
  actionsOf(resource).map((action) => `${resource}:${action}` as const),
) as [Permission, ...Permission[]];
const permission = z.enum(permissions);

const matrix = z.object({
  version: z.number(),
  roles: z.array(
    z.object({
      role: z.enum(roles),
      permissions: z.array(permission),
      /** Differs from the role as it comes. */
      isEdited: z.boolean(),
      /** How many people have it. */
      people: z.number(),
    }),
  ),
});

export const rolePermissionsContract = {
  get: endpoint({
    method: 'GET',
    path: '/role-permissions',
    access: 'users:read',
    summary: 'What each role may do in this workspace',
    input: z.object({}),
    output: matrix,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/role-permissions',
    access: 'users:manage',
    needsReauthentication: true,
    repeat: versioned,
    summary:
      'Decides what roles may do, from the next request on; null is the role as it comes. That of admins is fixed',
    input: z.strictObject({
      version: z.number().int().min(1).max(2_000_000_000),
      changes: z
        .array(
          z.strictObject({
            role: z.enum(editableRoles),
            permissions: z.array(permission).max(permissions.length).nullable(),
          }),
        )
        .max(editableRoles.length),
    }),
    output: matrix,
    errors: ['role_permissions_changed', 'permission_not_held'],
  }),
};
