import { campaigns } from '@app/database/campaigns/campaigns-tables';
import { and, eq } from 'drizzle-orm';
import { recordActivity } from '../platform/audit-log.ts';
import { startCampaign } from '../sending/start-campaign.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import { findDueCampaigns, isDue } from './campaign-changes.ts';

/** A template that is being reviewed may be approved in a moment; nobody should find the campaign paused for that. */
const WAITS_FOR_MS = 10 * 60_000;

type Parts = Pick<ApiDependencies, 'db' | 'clock' | 'liveEvents' | 'logger'>;

export type DueStarts = {
  /** Begins with what is due and does not wait for its end; what an earlier round of this process is at is left to that. */
  begin(): Promise<void>;
  settle(): Promise<void>;
};

/**
 * Starts every scheduled campaign whose time has come. One that cannot begin (template gone, number disconnected)
 * pauses and says why; what passes by itself is waited for. Any number of processes may do this at once. Workspaces stand
 * side by side: one that waits for its own long work keeps no other waiting.
 */
export function createDueStarts(parts: Parts): DueStarts {
  const underWay = new Map<string, Promise<void>>();
  return {
    async begin() {
      const due = await parts.db.inSystem((tx) => findDueCampaigns(tx, parts.clock()));
      for (const [workspaceId, campaignsOfOne] of Map.groupBy(due, (campaign) => campaign.workspaceId)) {
        if (underWay.has(workspaceId)) continue;
        const starting = startInTurn(parts, workspaceId, campaignsOfOne);
        underWay.set(
          workspaceId,
          starting.finally(() => underWay.delete(workspaceId)),
        );
      }
    },
    settle: async () => void (await Promise.all(underWay.values())),
  };
}

export async function startDueCampaigns(parts: Parts): Promise<void> {
  const starts = createDueStarts(parts);
  await starts.begin();
  await starts.settle();
}

async function startInTurn(parts: Parts, workspaceId: string, due: readonly { id: string }[]): Promise<void> {
  for (const { id } of due) await tryToStart(parts, workspaceId, id);
}

/** The next round tries again; one campaign must not keep the others waiting. */
async function tryToStart(parts: Parts, workspaceId: string, campaignId: string): Promise<void> {
  await startDueCampaign(parts, workspaceId, campaignId).catch((error: unknown) =>
    parts.logger.error({ err: error, campaignId }, 'a scheduled campaign could not be started'),
  );
}

async function startDueCampaign(
  { db, clock, liveEvents }: Parts,
  workspaceId: string,
  campaignId: string,
): Promise<void> {
  const isDecided = await db.inWorkspaceFor('starting', workspaceId, async (tx, client) => {
    const isIt = and(eq(campaigns.workspaceId, workspaceId), eq(campaigns.id, campaignId));
    // Asked again behind the lock: those before it in the round took their time, and somebody may have put it off meanwhile.
    const [campaign] = await tx
      .select()
      .from(campaigns)
      .where(and(isIt, isDue(clock())))
      .for('update');
    if (!campaign) return false;
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
