import type { Permission, Role } from '@app/domain/auth/permissions';
import { actions, resources } from '@app/domain/auth/permissions';
import { errorMessageOf } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';

export function roleLabel(role: Role): string {
  return t(`common.role.${role}`);
}

/** What a refused act on people says. */
export const usersErrorMessage = errorMessageOf({
  user_not_found: 'users.error.user_not_found',
  user_changed: 'users.error.user_changed',
  user_is_self: 'users.error.user_is_self',
  user_above: 'users.error.user_above',
  user_waits: 'users.error.user_waits',
  user_elsewhere: 'users.error.user_elsewhere',
  user_fields_invalid: 'users.error.name',
  role_too_high: 'users.error.role_too_high',
  last_admin: 'users.error.last_admin',
  heir_not_found: 'users.error.heir_not_found',
  email_invalid: 'users.error.email_invalid',
  user_exists: 'users.error.user_exists',
  user_invited: 'users.error.user_invited',
  invitation_not_found: 'users.error.invitation_not_found',
  too_many_mails: 'users.error.too_many_mails',
  session_is_current: 'users.error.session_is_current',
  role_permissions_changed: 'users.error.role_permissions_changed',
  factors_missing: 'users.error.factors_missing',
  email_taken: 'users.error.email_taken',
  email_by_owner: 'users.error.email_by_owner',
  permission_not_held: 'users.error.permission_not_held',
});

/** A permission as the parts that people read; null for one of a newer server. */
export function readPermission(permission: string) {
  const resource = resources.find((name) => permission.startsWith(`${name}:`));
  const action = actions.find((name) => permission === `${resource}:${name}`);
  return resource && action ? { resource, action } : null;
}

/** Manage Contacts */
export function permissionName(permission: string): string {
  const parts = readPermission(permission);
  if (!parts) return permission;
  return t('users.matrix.cell', {
    action: t(`users.action.${parts.action}`),
    resource: t(`users.resource.${parts.resource}`),
  });
}

/** What a role may do to one resource: Manage, Read + Create, or None. */
export function cellText(permissions: readonly string[], resource: (typeof resources)[number]): string {
  const held = actions.filter((action) => permissions.includes(`${resource}:${action}` satisfies Permission));
  return held.length === 0
    ? t('users.action.none')
    : held.map((action) => t(`users.action.${action}`)).join(' + ');
}

/** How long ago, in the labels of sessions: now, 5m, 3h, 2d. */
export function ageLabel(instant: string, now = Date.now()): string {
  const minutes = Math.floor((now - Date.parse(instant)) / 60_000);
  if (minutes < 1) return t('users.age.now');
  if (minutes < 60) return t('users.age.minutes', { n: minutes });
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? t('users.age.hours', { n: hours }) : t('users.age.days', { n: Math.floor(hours / 24) });
}
