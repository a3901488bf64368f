import type { StopScope } from '../messaging/rejection.ts';

/** What a single message is: who wrote it decides what may still hold it back. */
export const messagePurposes = ['reply', 'bot', 'automation', 'test'] as const;
export type MessagePurpose = (typeof messagePurposes)[number];

/** Why a single message must not leave. */
export const messageErrors = [
  'channel_not_connected',
  'channel_stopped',
  'contact_not_found',
  'contact_blocked',
  'contact_has_no_number',
  'contact_opted_out',
  'contact_held',
  'window_closed',
] as const;
export type MessageError = (typeof messageErrors)[number];

export type MessageToGuard = {
  purpose: MessagePurpose;
  isTemplate: boolean;
  isMarketing: boolean;
  /** A workflow sends it, and the contact wrote nothing that it answers since the opt-out. */
  isUnasked?: boolean;
  /** Null for a message to a number alone. */
  contact: {
    isThere: boolean;
    isBlocked: boolean;
    hasNumber: boolean;
    isOptedOut: boolean;
    /** Milliseconds; no marketing before. */
    heldUntil: number | null;
  } | null;
  /** Until when free text may be sent, in milliseconds; null when nobody wrote. */
  windowEndsAt: number | null;
  channel: { isConnected: boolean; stoppedFor: StopScope | null; hasWindow: boolean };
};

/** The first reason, or null. A test message tries whether the channel works, and the platform says itself what it makes of the rest. */
export function guardMessage(
  { purpose, isTemplate, isMarketing, isUnasked = false, contact, windowEndsAt, channel }: MessageToGuard,
  now: number,
): MessageError | null {
  if (!channel.isConnected) return 'channel_not_connected';
  if (purpose === 'test') return null;
  const isWindowOpen = (windowEndsAt ?? 0) > now;
  const isAnswer = !isMarketing && (!isTemplate || isWindowOpen);
  if (channel.stoppedFor === 'everything' || (channel.stoppedFor && !isAnswer)) return 'channel_stopped';
  if (!contact?.isThere) return 'contact_not_found';
  if (contact.isBlocked) return 'contact_blocked';
  if (!contact.hasNumber) return 'contact_has_no_number';
  if ((isMarketing || (isUnasked && !isTemplate)) && contact.isOptedOut) return 'contact_opted_out';
  if (isMarketing && (contact.heldUntil ?? 0) > now) return 'contact_held';
  if (channel.hasWindow && !isTemplate && !isWindowOpen) return 'window_closed';
  return null;
}
