import { campaigns } from '@app/database/campaigns/campaigns-tables';
import { and, eq } from 'drizzle-orm';
import { recordActivity } from '../platform/audit-log.ts';
import { startCampaign } from '../platform/messaging/start-campaign.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import { findDueCampaigns } from './campaign-changes.ts';

/** A template that is being reviewed may be approved in a moment; nobody should find the campaign paused for that. */
const WAITS_FOR_MS = 10 * 60_000;

/**
 * Starts every scheduled campaign whose time has come. One that cannot begin (template gone, number disconnected)
 * pauses and says why; what passes by itself is waited for. Any number of processes may call this at once.
 */
export async function startDueCampaigns(
  dependencies: Pick<ApiDependencies, 'db' | 'clock' | 'liveEvents' | 'logger'>,
): Promise<void> {
  const { db, clock, logger } = dependencies;
  for (const { id, workspaceId } of await db.inSystem((tx) => findDueCampaigns(tx, clock()))) {
    try {
      await startDueCampaign(dependencies, workspaceId, id);
    } catch (error) {
      // The next round tries again; one campaign must not keep the others waiting.
      logger.error({ err: error, campaignId: id }, 'a scheduled campaign could not be started');
    }
  }
}

async function startDueCampaign(
  { db, clock, liveEvents }: Pick<ApiDependencies, 'db' | 'clock' | 'liveEvents'>,
  workspaceId: string,
  campaignId: string,
): Promise<void> {
  const isDecided = await db.inWorkspaceFor('long', workspaceId, async (tx, client) => {
    const isIt = and(eq(campaigns.workspaceId, workspaceId), eq(campaigns.id, campaignId));
    const [campaign] = await tx.select().from(campaigns).where(isIt).for('update');
    if (campaign?.status !== 'scheduled' || campaign.runNo !== null) return false;
    const started = await startCampaign(tx, client, workspaceId, campaignId, clock());
    if (started.outcome === 'refused') {
      const waited = clock().getTime() - (campaign.scheduledAt?.getTime() ?? 0);
      if (started.isPassing && waited < WAITS_FOR_MS) return false;
      await tx
        .update(campaigns)
        .set({ status: 'paused', pauseReason: started.code, pauseDetail: started.detail ?? null })
        .where(isIt);
    }
    await recordActivity(
      tx,
      { workspaceId, userId: null, userName: 'Scheduler', ipAddress: null, userAgent: null },
      {
        type: 'send',
        resource: 'campaigns',
        description: `${started.outcome === 'refused' ? 'Could not start' : 'Started'} scheduled campaign ${campaign.name}`,
      },
      clock(),
    );
    return true;
  });
  if (!isDecided) return;
  await liveEvents.publish(workspaceId, 'campaigns', { campaignId });
  await liveEvents.publish(workspaceId, 'activities');
}
