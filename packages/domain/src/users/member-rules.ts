import type { Permission, Role } from '../auth/permissions.ts';
import { holdsAll } from './role-matrix.ts';

/** Works; waits for an admin after signing up; was deactivated. */
export const userStatuses = ['active', 'waiting', 'inactive'] as const;
export type UserStatus = (typeof userStatuses)[number];

export function statusOf(isActive: boolean, requestedRole: Role | null): UserStatus {
  if (isActive) return 'active';
  return requestedRole === null ? 'inactive' : 'waiting';
}

/** One step up at a time. */
const ladder = ['viewer', 'agent', 'manager', 'admin'] as const satisfies readonly Role[];

/** Undefined for an admin. */
export function roleAbove(role: Role): Role | undefined {
  return ladder[ladder.indexOf(role) + 1];
}

/** Undefined for a viewer. */
export function roleBelow(role: Role): Role | undefined {
  return ladder[ladder.indexOf(role) - 1];
}

type Actor = { id: string | null; permissions: readonly Permission[] };

/**
 * Why somebody may not act on a person: nobody changes their own place among people, nor that of somebody who may do
 * more than they may.
 */
export function findReasonAgainst(
  actor: Actor,
  person: { id: string; permissions: readonly Permission[] },
): 'user_is_self' | 'user_above' | null {
  if (actor.id === person.id) return 'user_is_self';
  return holdsAll(actor.permissions, person.permissions) ? null : 'user_above';
}

/** An invitation that nobody took ends after so many days. */
export const INVITATION_DAYS = 7;

/** Last sign-in within this time counts as "Active Today". */
export const ACTIVE_TODAY_MS = 24 * 3_600_000;

/** Sessions that are over are listed for so long. */
export const ENDED_SESSION_DAYS = 7;
