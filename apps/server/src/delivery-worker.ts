import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Logger } from '@app/api/platform/logger';
import type { ApiDependencies } from '@app/api/platform/request-context';
import { tellFact } from '@app/api/platform/facts/tell-fact';
import { openForPlatform, type MediaStore } from '@app/api/platform/media-store';
import type { SystemParts } from '@app/api/platform/system-work';
import { channels } from '@app/database/channels/channels-tables';
import { listChannels } from '@app/database/channels/find-channel';
import { shareOfMinute } from '@app/domain/channels/share-of-minute';
import type { ChannelMedia } from '@app/domain/channels/open-channel';
import { workspaces } from '@app/database/workspaces/workspaces-tables';
import { systemCaller } from '@app/domain/auth/caller';
import type { DeliveryEvent } from '@app/delivery/delivery-events';
import type { DeliveryChannel, DeliveryLogger, FileUploads } from '@app/delivery/delivery-host';
import { pricesOfBudget } from '@app/domain/settings/budget';
import { createDeliveryEngine } from '@app/delivery/engine/engine';
import { keepSchedule } from './campaign-schedule.ts';
import type { ChannelRegistry } from './channel-registry.ts';

type Parts = SystemParts & Pick<ApiDependencies, 'liveEvents' | 'channelKinds' | 'mediaStore'>;

/**
 * Runs the delivery engine and the schedule of campaigns in this process; any number of processes may. The schedule
 * begins after `isReadyToSend`, however that ends.
 */
export async function startDeliveryWorker(
  dependencies: Parts,
  registry: ChannelRegistry,
  isReadyToSend: Promise<void>,
): Promise<{ stop(): Promise<void> }> {
  const { db, logger } = dependencies;
  const engine = createDeliveryEngine({
    systemPool: db.systemPool,
    channelFor: (channelId) => findDeliveryChannel(dependencies, registry, channelId),
    forgetChannel: (channelId) => registry.forget(channelId),
    publish: (event) => announceProgress(dependencies, event),
    tell: (client, workspaceId, fact) => {
      const caller = systemCaller('delivery', workspaceId);
      return tellFact(client, { caller, origin: null, cause: null, at: dependencies.clock() }, fact);
    },
    logger: toDeliveryLogger(logger),
    ownerId: randomUUID(),
  });
  await engine.start();
  let schedule: { stop(): Promise<void> } | undefined;
  let isStopped = false;
  const begin = () => {
    if (!isStopped) schedule = keepSchedule(dependencies);
  };
  void isReadyToSend.then(begin, begin);
  return {
    stop: async () => {
      isStopped = true;
      await schedule?.stop();
      await engine.stop();
    },
  };
}

async function findDeliveryChannel(
  { db, mediaStore, channelKinds }: Pick<Parts, 'db' | 'mediaStore' | 'channelKinds'>,
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
  db: Parts['db'],
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

/** Browsers merge these figures into what they show, so no fact stands for them; a change of state was told with it. */
async function announceProgress({ facts, liveEvents }: Parts, event: DeliveryEvent): Promise<void> {
  const { workspaceId, campaignId, state } = event;
  if (event.kind === 'run_state') facts.wake();
  await liveEvents.publish(workspaceId, 'campaign-progress', { campaignId, state, counts: countsOf(event) });
}

function countsOf({ counters }: DeliveryEvent) {
  return {
    total: counters.total,
    pending: counters.pending,
    sent: counters.accepted,
    delivered: counters.delivered,
    read: counters.read,
    failed: counters.refused + counters.failed,
    cancelled: counters.cancelled,
    unknown: counters.unknown,
  };
}

function toDeliveryLogger(logger: Logger): DeliveryLogger {
  return {
    info: (message, details = {}) => logger.info(details, message),
    warn: (message, details = {}) => logger.warn(details, message),
    error: (message, details = {}) => logger.error(details, message),
  };
}
