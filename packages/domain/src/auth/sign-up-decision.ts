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

/**
 * The same for somebody who comes by the company's provider for the first time. Where its rules give a role the account has it at once; else it waits
 * like any other, also in the sample.
 */
export function decideCompanySignUp(place: SignUpPlace, mapped: Role | null): SignUpDecision {
  if (place === 'empty') return { role: 'admin', isActive: true, requestedRole: null };
  return mapped
    ? { role: mapped, isActive: true, requestedRole: null }
    : { role: 'viewer', isActive: false, requestedRole: 'agent' };
}
