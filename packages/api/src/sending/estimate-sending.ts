import { readChannelLoad, type ChannelLoad } from '@app/delivery/pace/read-pace';
import { utcDayOf } from '@app/delivery/pace/daily-allowance';
import type { DailyLimits } from '@app/domain/channels/channel-limits';
import { estimateFinish } from '@app/domain/campaigns/estimate-finish';
import type { QuietHours } from '@app/domain/campaigns/quiet-hours';
import type { ReadScope } from '../platform/workspace-scope.ts';
import type { Sender } from './find-sender.ts';

export type SendingPlan = {
  quietHours: QuietHours | null;
  /** Null for now. */
  startsAt: Date | null;
};

/** The tighter of both limits. */
function dayOf(
  { perDay, ofKind }: DailyLimits,
  { usedToday, usedOfKind }: Pick<ChannelLoad, 'usedToday' | 'usedOfKind'>,
): { limit: number; leftToday: number } | null {
  const [most, mostOfKind] = [perDay ?? Infinity, ofKind?.perDay ?? Infinity];
  const limit = Math.min(most, mostOfKind);
  if (limit === Infinity) return null;
  return { limit, leftToday: Math.max(0, Math.min(most - usedToday, mostOfKind - usedOfKind)) };
}

export const sendsNow: SendingPlan = { quietHours: null, startsAt: null };

/** How long it takes until the last of `count` has left and when that is; null when it cannot be told. */
export async function estimateSending(
  scope: ReadScope,
  { channel, daily, messagesPerMinute }: Sender,
  { count, quietHours, startsAt }: SendingPlan & { count: number },
): Promise<{ estimatedSeconds: number | null; finishesAt: string | null }> {
  const unknown = { estimatedSeconds: null, finishesAt: null };
  if (!channel?.isConnected || channel.stoppedReason !== null || count === 0) return unknown;
  const now = scope.clock().getTime();
  const from = Math.max(now, startsAt?.getTime() ?? now);
  const { workspaceId } = scope;
  const load = await readChannelLoad(scope, { workspaceId, channelId: channel.id, count, now });
  // What runs now is nobody's concern later.
  const isLater = from > now;
  const isToday = utcDayOf(from).day === utcDayOf(now).day;
  const finish = estimateFinish(count + (isLater ? 0 : load.between), from, {
    perSecond: load.perSecond,
    perMinute: messagesPerMinute,
    perDay: dayOf(daily, isToday ? load : { usedToday: 0, usedOfKind: 0 }),
    quietHours,
  });
  if (finish === null) return unknown;
  return {
    estimatedSeconds: Math.ceil((finish - from) / 1000),
    finishesAt: new Date(finish).toISOString(),
  };
}
