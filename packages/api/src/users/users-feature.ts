import type { ServerFeature } from '../platform/features/server-feature.ts';
import { rolePermissionsApi } from './role-permissions-api.ts';
import { sessionsApi } from './sessions-api.ts';
import { usersApi } from './users-api.ts';

export const usersFeature = {
  name: 'users',
  router: { rolePermissions: rolePermissionsApi, sessions: sessionsApi, users: usersApi },
} satisfies ServerFeature;
