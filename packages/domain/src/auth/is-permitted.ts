import type { Permission } from './permissions.ts';

/** Passes when a held permission names the same resource and either the same action or `manage`. */
export function isPermitted(held: readonly Permission[], wanted: Permission): boolean {
  const resource = wanted.slice(0, wanted.indexOf(':'));
  return held.includes(wanted) || held.some((permission) => permission === `${resource}:manage`);
}
