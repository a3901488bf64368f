export const roles = ['admin', 'manager', 'agent', 'viewer'] as const;
export type Role = (typeof roles)[number];

export const resources = [
  'users',
  'campaigns',
  'contacts',
  'analytics',
  'settings',
  'templates',
  'messages',
] as const;
export type Resource = (typeof resources)[number];

/** `export`: a copy of many rows leaves the product as a file. Reading them on the screen does not include it. */
export const actions = ['manage', 'read', 'create', 'update', 'delete', 'export'] as const;
export type Action = (typeof actions)[number];

/** The actions that a role can be given on a resource, in the order in which the matrix shows them. */
export function actionsOf(resource: Resource): readonly Action[] {
  return actions.filter((action) => action !== 'export' || resource === 'contacts');
}

/** `resource:action`, for instance `contacts:read`. */
export type Permission = `${Resource}:${Action}`;

/** What each role may do unless its workspace has edited the matrix. */
export const defaultRolePermissions: Record<Role, readonly Permission[]> = {
  admin: [
    'users:manage',
    'campaigns:manage',
    'contacts:manage',
    'analytics:read',
    'settings:manage',
    'templates:manage',
    'messages:manage',
  ],
  manager: [
    'users:read',
    'campaigns:manage',
    'contacts:manage',
    'analytics:read',
    'templates:manage',
    'messages:manage',
  ],
  agent: [
    'campaigns:read',
    'campaigns:create',
    'contacts:manage',
    'templates:read',
    'templates:create',
    'messages:manage',
  ],
  viewer: ['campaigns:read', 'contacts:read', 'templates:read', 'messages:read'],
};

/** A workspace's own matrix: the roles that its admins edited, the others follow the default. */
export type RolePermissionOverrides = Partial<Record<Role, readonly Permission[]>>;

/** What a role may do in a workspace. The admin role cannot be narrowed, so that nobody is locked out. */
export function resolvePermissions(
  role: Role,
  overrides: RolePermissionOverrides | null,
): readonly Permission[] {
  if (role === 'admin') return defaultRolePermissions.admin;
  return overrides?.[role] ?? defaultRolePermissions[role];
}
