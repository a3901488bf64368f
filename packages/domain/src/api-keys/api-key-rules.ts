import { isPermitted } from '../auth/is-permitted.ts';
import { actions, resources, type Permission } from '../auth/permissions.ts';

/** More than anybody has programs. */
export const MOST_API_KEYS = 20;
export const LONGEST_KEY_NAME = 80;
export const MOST_ALLOWED_ADDRESSES = 20;
export const LONGEST_KEY_YEARS = 5;
/** What one key may ask for in a minute. */
export const REQUESTS_PER_MINUTE = 600;
/** Its last use is written this often at most. */
export const LAST_USE_EVERY_MS = 60_000;

/** Keys begin like this, so that they are known where they were left by mistake. */
export const KEY_START = 'wmp_';

/** All that a key can be for. */
export const keyScopes: readonly Permission[] = resources.flatMap((resource) =>
  actions.map((action) => `${resource}:${action}` as const),
);

/**
 * What a key may do now: what it was made for, and no more than its owner may at this moment. Of a whole resource that its
 * owner has only parts of, it has those parts.
 */
export function permissionsOfKey(
  held: readonly Permission[],
  scopes: readonly Permission[],
): readonly Permission[] {
  const permissions = scopes.flatMap((scope) => (isPermitted(held, scope) ? [scope] : partsOf(held, scope)));
  return [...new Set(permissions)];
}

/** Keys are made for what their owner may do, for so long. */
export function checkKeyExpiry(expiresAt: Date | null, now: Date): 'right' | 'wrong' {
  if (expiresAt === null) return 'right';
  const latest = new Date(now);
  latest.setUTCFullYear(latest.getUTCFullYear() + LONGEST_KEY_YEARS);
  return expiresAt > now && expiresAt <= latest ? 'right' : 'wrong';
}

function partsOf(held: readonly Permission[], scope: Permission): readonly Permission[] {
  const [resource, action] = scope.split(':');
  return action === 'manage' ? held.filter((permission) => permission.startsWith(`${resource}:`)) : [];
}
