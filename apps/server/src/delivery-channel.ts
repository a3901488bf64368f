import { eq } from 'drizzle-orm';
import { openForPlatform, type MediaStore } from '@app/api/platform/media-store';
import type { ApiDependencies } from '@app/api/platform/request-context';
import { channels } from '@app/database/channels/channels-tables';
import { listChannels } from '@app/database/channels/find-channel';
import type { Database } from '@app/database/database';
import { workspaces } from '@app/database/workspaces/workspaces-tables';
import type { DeliveryChannel, FileUploads } from '@app/delivery/delivery-host';
import type { ChannelMedia } from '@app/domain/channels/open-channel';
import { shareOfMinute } from '@app/domain/channels/share-of-minute';
import { pricesOfBudget } from '@app/domain/settings/budget';
import type { ChannelRegistry } from './channel-registry.ts';

type Parts = Pick<ApiDependencies, 'db' | 'mediaStore' | 'channelKinds'>;

/** What opens a number and how much may leave through it, as it stands now; null when it is not connected. */
export async function findDeliveryChannel(
  { db, mediaStore, channelKinds }: Parts,
  registry: ChannelRegistry,
  channelId: string,
): Promise<DeliveryChannel | null> {
  const [row] = await db.inSystem((tx) =>
    tx
      .select({ channel: channels, settings: workspaces.settings })
      .from(channels)
      .innerJoin(workspaces, eq(workspaces.id, channels.workspaceId))
      .where(eq(channels.id, channelId)),
  );
  if (!row?.channel.isConnected) return null;
  const { messageLimits, marketingPerWeek = null } = row.settings;
  const perMinute = messageLimits?.isEnabled
    ? await readShare(db, row.channel, messageLimits.perMinute)
    : null;
  const channel = await registry.open(channelId);
  return {
    channel,
    ...(channel.media && { uploads: uploadsTo(channel.media, mediaStore) }),
    messagesPerSecond: row.channel.messagesPerSecond,
    takesUserIds: channelKinds.of(row.channel).capabilities.userIds,
    limits: {
      marketingPerWeek,
      priceOf: pricesOfBudget(row.settings),
      ...(messageLimits?.isEnabled && { perMinute, perDay: messageLimits.perDay }),
    },
  };
}

/** Of the limit for each minute; read anew when a number of the workspace begins to send, or does no more. */
async function readShare(
  db: Database,
  { id, workspaceId }: { id: string; workspaceId: string },
  perMinute: number,
): Promise<number> {
  const numbers = await db.inSystem((tx) => listChannels(tx, workspaceId));
  return shareOfMinute(perMinute, numbers, id);
}

function uploadsTo(media: ChannelMedia, mediaStore: MediaStore): FileUploads {
  return {
    async upload({ storageKey: key, mimeType, name, size }) {
      const file = await openForPlatform(mediaStore, { key, name, mimeType, size });
      return file ? media.upload(file) : { outcome: 'gone' };
    },
  };
}
