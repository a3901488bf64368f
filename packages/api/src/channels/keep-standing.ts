import { channels } from '@app/database/channels/channels-tables';
import type { Channel } from '@app/database/channels/find-channel';
import { guardNumber } from '@app/delivery/guard-runs';
import { lockOpenRuns } from '@app/delivery/run-controls';
import type { AccountNumber } from '@app/domain/channels/channel-connector';
import { qualityDrop, type NumberStanding } from '@app/domain/channels/number-standing';
import { and, eq } from 'drizzle-orm';
import { canonicalJson } from '../platform/canonical-json.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { lockChannel } from './connect-channel.ts';

type Said = Pick<AccountNumber, 'quality' | 'health' | 'status' | 'peopleADay'>;

/** What is known of a number once the platform has said this. What it was not asked for stays. */
export function standingAfter(before: NumberStanding | null, said: Said): NumberStanding {
  const { quality, status, peopleADay } = said;
  return { ...{ quality, status, peopleADay }, health: said.health ?? before?.health ?? null };
}

export function isNewStanding({ standing }: Pick<Channel, 'standing'>, said: Said): boolean {
  return canonicalJson(standing) !== canonicalJson(standingAfter(standing, said));
}

/**
 * Keeps what the platform said of a number, asked `at` that moment, and pauses what goes through it where its quality dropped to what the
 * workspace bears no more. `isWhole` when it was asked for everything.
 */
export async function keepStanding(
  scope: WorkspaceScope,
  channelId: string,
  said: Said,
  { at, isWhole }: { at: Date; isWhole: boolean },
): Promise<void> {
  const { tx, workspaceId } = scope;
  // Runs before their number, as whoever resumes one; which pause is decided behind both.
  if (qualityDrop(null, said.quality)) await lockOpenRuns(scope, channelId);
  const channel = await lockChannel(scope, channelId);
  // Of two who asked at once the later answer holds.
  if (!channel?.isConnected || (channel.askedAt !== null && channel.askedAt > at)) return;
  const standing = standingAfter(channel.standing, said);
  await tx
    .update(channels)
    .set({ standing, ...(isWhole && { askedAt: at }) })
    .where(and(eq(channels.workspaceId, workspaceId), eq(channels.id, channelId)));
  if (!isNewStanding(channel, said)) return;
  const { displayName: name, standing: before } = channel;
  await scope.emit({
    ...{ type: 'channel.rated', subject: channelId },
    values: {
      ...{ name, quality: standing.quality, qualityBefore: before?.quality ?? null },
      ...{ health: standing.health, healthBefore: before?.health ?? null },
    },
  });
  const quality = qualityDrop(before?.quality ?? null, standing.quality);
  if (quality)
    await guardNumber(scope, (_, __, fact) => scope.emit(fact), {
      ...{ workspaceId, channelId, displayName: null, quality, at },
    });
}
