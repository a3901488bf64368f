import { eq } from 'drizzle-orm';
import { openForPlatform, type MediaStore } from '@app/api/platform/media-store';
import type { ApiDependencies } from '@app/api/platform/request-context';
import { channels } from '@app/database/channels/channels-tables';
import { listChannels } from '@app/database/channels/find-channel';
import { workspaces } from '@app/database/workspaces/workspaces-tables';
import type { DeliveryChannel, FileUploads } from '@app/delivery/delivery-host';
import type { ChannelMedia } from '@app/domain/channels/open-channel';
import { limitsThrough } from '@app/domain/channels/channel-limits';
import { promotionCapOf } from '@app/domain/channels/promotion-cap';
import { pricesOfBudget } from '@app/domain/settings/budget';
import { readMessagingSettings } from '@app/domain/settings/messaging-settings';
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
  const settings = readMessagingSettings(row.settings);
  // Read anew when a number of the workspace begins to send, or does no more: they share the limits of each minute.
  const numbers = await db.inSystem((tx) => listChannels(tx, row.channel.workspaceId));
  const channel = await registry.open(channelId);
  return {
    channel,
    ...(channel.media && { uploads: uploadsTo(channel.media, mediaStore) }),
    messagesPerSecond: row.channel.messagesPerSecond,
    takesUserIds: channelKinds.of(row.channel).capabilities.userIds,
    ignoresRepeats: channelKinds.of(row.channel).capabilities.ignoresRepeats ?? false,
    limits: {
      ...limitsThrough(settings, numbers, row.channel),
      marketingPerWeek: settings.marketingPerWeek,
      promotionCap: promotionCapOf(settings, row.channel.kind),
      priceOf: pricesOfBudget(row.settings),
    },
  };
}

function uploadsTo(media: ChannelMedia, mediaStore: MediaStore): FileUploads {
  return {
    async upload({ storageKey: key, mimeType, name, size }) {
      const file = await openForPlatform(mediaStore, { key, name, mimeType, size });
      return file ? media.upload(file) : { outcome: 'gone' };
    },
  };
}
