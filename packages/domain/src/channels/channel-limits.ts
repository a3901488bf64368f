import type { MessagingSettings } from '../settings/messaging-settings.ts';
import { shareOfMinute, type SharingNumber } from './share-of-minute.ts';

/** How many messages may leave in a day (UTC); null for any number. */
export type DailyLimits = {
  /** Of the workspace, over all its channels. */
  perDay: number | null;
  /** Of its channels of one kind together; null where the kind has no limits of its own. */
  ofKind: { name: string; perDay: number | null } | null;
};

/** What one channel may send: its share of each minute, and the limits of the day. */
export type ChannelLimits = DailyLimits & { perMinute: number | null };

export const NO_LIMITS: ChannelLimits = { perMinute: null, perDay: null, ofKind: null };

/** The limits of one of a workspace's channels: those of the workspace and those of its kind hold at the same time. */
export function limitsThrough(
  { messageLimits, kindLimits }: Pick<MessagingSettings, 'messageLimits' | 'kindLimits'>,
  channels: readonly (SharingNumber & { kind: string })[],
  { id, kind }: { id: string; kind: string },
): ChannelLimits {
  const own = Object.hasOwn(kindLimits, kind) ? kindLimits[kind] : undefined;
  const shares: number[] = [];
  if (messageLimits.isEnabled) shares.push(shareOfMinute(messageLimits.perMinute, channels, id));
  if (own?.isEnabled) {
    const ofKind = channels.filter((channel) => channel.kind === kind);
    shares.push(shareOfMinute(own.perMinute, ofKind, id));
  }
  return {
    perMinute: shares.length === 0 ? null : Math.min(...shares),
    perDay: messageLimits.isEnabled ? messageLimits.perDay : null,
    ofKind: own ? { name: kind, perDay: own.isEnabled ? own.perDay : null } : null,
  };
}
