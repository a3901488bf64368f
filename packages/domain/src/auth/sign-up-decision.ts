import type { Role } from './permissions.ts';

/** Where somebody signs up: the first account of an empty installation, the open sample, or a team at work. */
export type SignUpPlace = 'empty' | 'sample' | 'workspace';

export type SignUpDecision = {
  role: Role;
  isActive: boolean;
  /** The role that an admin is asked to grant; null when the account has its role at once. */
  requestedRole: Role | null;
};

/**
 * The role somebody gets who signs up and chose `wanted`. Nobody makes themselves admin, except with the first
 * account of all; elsewhere the choice is a request and the account waits, inactive, for an admin.
 */
export function decideSignUp(place: SignUpPlace, wanted: Role): SignUpDecision {
  if (place === 'empty') return { role: 'admin', isActive: true, requestedRole: null };
  const isOpen = place === 'sample' && (wanted === 'agent' || wanted === 'viewer');
  return isOpen
    ? { role: wanted, isActive: true, requestedRole: null }
    : { role: 'viewer', isActive: false, requestedRole: wanted };
}
