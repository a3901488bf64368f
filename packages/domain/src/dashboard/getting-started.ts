import { isPermitted } from '../auth/is-permitted.ts';
import type { Permission } from '../auth/permissions.ts';

/** The way to the first campaign of a business, in its order, and the permissions that each step needs. */
const businessSteps = {
  number: ['settings:read', 'settings:manage'],
  contacts: ['contacts:read', 'contacts:create'],
  template: ['templates:read', 'templates:create'],
  campaign: ['campaigns:read', 'campaigns:create', 'messages:create'],
} as const satisfies Record<string, readonly Permission[]>;

/** What shows the product in the sample: both sides of a chat, a campaign, and then the user's own business. */
const sampleSteps = {
  phone: ['messages:read'],
  reply: ['messages:read', 'messages:create'],
  campaign: businessSteps.campaign,
  real: ['settings:read', 'settings:manage'],
} as const satisfies Record<string, readonly Permission[]>;

export const startSteps = ['number', 'contacts', 'template', 'phone', 'reply', 'campaign', 'real'] as const;
export type StartStep = (typeof startSteps)[number];

/** The steps that a user with these permissions may take, in their order. */
export function offeredSteps(permissions: readonly Permission[], isSample: boolean): StartStep[] {
  const access: Partial<Record<StartStep, readonly Permission[]>> = isSample ? sampleSteps : businessSteps;
  return startSteps.filter((step) => access[step]?.every((needed) => isPermitted(permissions, needed)));
}
