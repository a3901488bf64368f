import { isPermitted } from '../auth/is-permitted.ts';
import type { Permission } from '../auth/permissions.ts';

/** What may wait for somebody, the most urgent first, and what one must be allowed to be told of it. */
const attentionAccess = {
  /** The platform or a refusal stopped a number. */
  number_stopped: ['campaigns:update'],
  /** There are numbers, and none is connected. */
  number_disconnected: ['campaigns:update'],
  /** The platform said something against what opens a number, such as that its token expired. */
  number_trouble: ['campaigns:update'],
  /** Paused by itself, and does not go on by itself soon. */
  campaign_paused: ['campaigns:read', 'campaigns:update'],
  chats_mine: ['messages:read', 'contacts:read'],
  chats_unassigned: ['messages:read', 'contacts:read', 'messages:update'],
  person_waiting: ['users:read', 'users:update'],
  /** Ended lately with failures that may still succeed and that nobody sent again. */
  campaign_failed: ['campaigns:read', 'campaigns:create', 'messages:create'],
  template_rejected: ['templates:read', 'templates:update'],
  template_paused: ['templates:read', 'templates:update'],
} as const satisfies Record<string, readonly Permission[]>;

export type AttentionKind = keyof typeof attentionAccess;
export const attentionKinds = Object.keys(attentionAccess) as [AttentionKind, ...AttentionKind[]]; // its keys

export const attentionLimits = {
  /** More of a kind are counted as so many. */
  counted: 100,
  /** So many of a kind are named. */
  named: 3,
  /** Days for which a campaign that ended with failures is told. */
  failedDays: 7,
} as const;

/** Whether somebody with these permissions is told that something of this kind waits. */
export function mayAttend(permissions: readonly Permission[], kind: AttentionKind): boolean {
  return attentionAccess[kind].every((needed) => isPermitted(permissions, needed));
}
