import { randomUUID } from 'node:crypto';
import type { Logger } from '@app/api/platform/logger';
import type { ApiDependencies } from '@app/api/platform/request-context';
import { tellAsDelivery } from '@app/api/platform/facts/tell-delivery';
import type { SystemParts } from '@app/api/platform/system-work';
import type { DeliveryEvent } from '@app/delivery/delivery-events';
import type { DeliveryLogger } from '@app/delivery/delivery-host';
import { createDeliveryEngine } from '@app/delivery/engine/engine';
import { keepSchedule } from './campaign-schedule.ts';
import type { ChannelRegistry } from './channel-registry.ts';
import { findDeliveryChannel } from './delivery-channel.ts';

type Parts = SystemParts & Pick<ApiDependencies, 'liveEvents' | 'channelKinds' | 'mediaStore' | 'publicUrl'>;

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
    evictChannel: (channelId) => registry.forget(channelId),
    publish: (event) => announceProgress(dependencies, event),
    emit: tellAsDelivery(dependencies),
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
