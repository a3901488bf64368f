import { isPermitted } from '../auth/is-permitted.ts';
import type { Permission } from '../auth/permissions.ts';

/** The way to the first campaign, in its order, and what each step asks of whoever takes it. */
const stepAccess = {
  number: ['settings:read', 'settings:manage'],
  contacts: ['contacts:read', 'contacts:create'],
  template: ['templates:read', 'templates:create'],
  campaign: ['campaigns:read', 'campaigns:create', 'messages:create'],
} as const satisfies Record<string, readonly Permission[]>;

export type StartStep = keyof typeof stepAccess;
export const startSteps = Object.keys(stepAccess) as [StartStep, ...StartStep[]]; // its keys

/** The steps that somebody with these permissions may take. */
export function offeredSteps(permissions: readonly Permission[]): StartStep[] {
  return startSteps.filter((step) => stepAccess[step].every((needed) => isPermitted(permissions, needed)));
}
