import { isPermitted } from '../auth/is-permitted.ts';
import type { Permission } from '../auth/permissions.ts';

/** What a reader of the activity log must hold to see entries about a resource; null: every member sees them. */
const needed: Record<string, Permission | null> = {
  auth: null,
  dashboard: null,
  analytics: 'analytics:read',
  contacts: 'contacts:read',
  campaigns: 'campaigns:read',
  'bulk-message': 'campaigns:read',
  automation: 'campaigns:read',
  templates: 'templates:read',
  media: 'templates:read',
  messages: 'messages:read',
  channels: 'settings:read',
  settings: 'settings:read',
  'webhook-endpoints': 'settings:read',
  'api-keys': 'settings:read',
  users: 'users:read',
  teams: 'users:read',
};

/** The resources whose entries a member with these permissions sees. Entries about other resources show only to their own author. */
export function readableActivityResources(permissions: readonly Permission[]): string[] {
  return Object.keys(needed).filter((resource) => {
    const permission = needed[resource] ?? null;
    return permission === null || isPermitted(permissions, permission);
  });
}

/** Every resource that the log knows. */
export const activityResources: readonly string[] = Object.keys(needed);
