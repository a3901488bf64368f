import type { Permission } from '../auth/permissions.ts';

/**
 * The permission that is missing to change or delete a workflow. Who may create workflows may also change and delete their own drafts, as long as
 * these were never published.
 */
export function missingForFlow(
  action: 'update' | 'delete',
  { may, isOwnDraft }: { may: (permission: Permission) => boolean; isOwnDraft: boolean },
): Permission | undefined {
  const permission: Permission = `campaigns:${action}`;
  return may(permission) || (isOwnDraft && may('campaigns:create')) ? undefined : permission;
}
