import type { Role } from '@app/domain/auth/permissions';

/**
 * The permission matrix as the specification has it, with its column for messages: written a second time, so that a slip in
 * the product's own table is found.
 */
export const specification: Record<Role, string> = {
  admin:
    'users:manage campaigns:manage contacts:manage analytics:read settings:manage templates:manage messages:manage',
  manager: 'users:read campaigns:manage contacts:manage analytics:read templates:manage messages:manage',
  agent: 'campaigns:read campaigns:create contacts:manage templates:read templates:create messages:manage',
  viewer: 'campaigns:read contacts:read templates:read messages:read',
};

export const resources = [
  ...['users', 'campaigns', 'analytics', 'contacts', 'messages', 'settings', 'templates'],
] as const;

/** Every permission that there is: the resources of the specification and its actions, and the one that the product adds. */
export const everyPermission: readonly string[] = [
  ...resources.flatMap((resource) =>
    ['manage', 'read', 'create', 'update', 'delete'].map((action) => `${resource}:${action}`),
  ),
  'contacts:export',
];

/** Of what a route needs, all that somebody with these permissions lacks. */
export function lackOf(held: readonly string[], needed: readonly string[]): string[] {
  return needed.filter((permission) => {
    const [resource] = permission.split(':');
    return !held.includes(permission) && !held.includes(`${resource}:manage`);
  });
}

export function permissionsIn(line: string): string[] {
  return line.split(' ').filter((word) => word !== '');
}
