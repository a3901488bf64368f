import type { api } from '../../shared/api.ts';
import type { Conversation } from '../../shared/conversations/conversations-queries.ts';

export type Channel = Awaited<ReturnType<typeof api.channels.list>>['items'][number];

/** Why nothing can be written to the contact; `window` leaves templates. */
export type WritingBar = 'no_channel' | 'stopped' | 'blocked' | 'no_number' | 'window';

type Of = {
  conversation: Pick<Conversation, 'contact' | 'windowEndsAt'>;
  /** Undefined until it is known: then nothing speaks against writing, and the server says what does. */
  channel: Pick<Channel, 'connection' | 'stopped' | 'capabilities'> | null | undefined;
};

/** What stands in the way of an answer, the first reason; null when anything may be written. */
export function findWritingBar({ conversation, channel }: Of, now: number): WritingBar | null {
  if (channel === undefined) return null;
  if (channel === null || channel.connection === 'none') return 'no_channel';
  if (channel.stopped?.blocks === 'everything') return 'stopped';
  if (conversation.contact.isBlocked) return 'blocked';
  const { phone, hasUserId } = conversation.contact;
  if (phone === null && !(hasUserId && channel.capabilities.userIds)) return 'no_number';
  return windowLeft({ conversation, channel }, now) === 0 ? 'window' : null;
}

/** Milliseconds in which anything may be written; 0 when that is over, null where it does not end. */
export function windowLeft({ conversation, channel }: Of, now: number): number | null {
  if (!channel || channel.capabilities.freeTextHours === null) return null;
  if (conversation.windowEndsAt === null) return 0;
  return Math.max(0, Date.parse(conversation.windowEndsAt) - now);
}

const HOUR_MS = 3_600_000;

/** In how many milliseconds the clock is looked at again: each minute, and each second within the last two. */
export function nextTick(left: number): number {
  const step = left > 120_000 ? 60_000 : 1_000;
  return left % step || step;
}

/** The remainder as it is shown: minutes count within the last two hours, and seconds within the last two minutes. */
export function shownLeft(left: number): number {
  const step = left > 2 * HOUR_MS ? HOUR_MS : left > 120_000 ? 60_000 : 1_000;
  return left - (left % step);
}

/** Soon over: it is said so that nobody is surprised. */
export function isWindowShort(left: number): boolean {
  return left > 0 && left <= HOUR_MS;
}
