import { campaigns } from '@app/database/campaigns/campaigns-tables';
import { and, eq, sql, type SQL } from 'drizzle-orm';
import { changeAsSystem, type SystemParts } from '../platform/system-work.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import type { SendingParts } from '../sending/count-links.ts';
import { startCampaign } from '../sending/start-campaign.ts';

/** A template that is being reviewed may be approved in a moment; nobody should find the campaign paused for that. */
const WAITS_FOR_MS = 10 * 60_000;

type DueParts = SystemParts & SendingParts;

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
export function createDueStarts(parts: DueParts): DueStarts {
  const underWay = new Map<string, Promise<void>>();
  return {
    async begin() {
      const due = await findDueInAllWorkspaces(parts);
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

export async function startDueCampaigns(parts: DueParts): Promise<void> {
  const starts = createDueStarts(parts);
  await starts.begin();
  await starts.settle();
}

async function startInTurn(
  parts: DueParts,
  workspaceId: string,
  due: readonly { id: string }[],
): Promise<void> {
  for (const { id } of due) await tryToStart(parts, workspaceId, id);
}

/** The next round tries again; one campaign must not keep the others waiting. */
async function tryToStart(parts: DueParts, workspaceId: string, campaignId: string): Promise<void> {
  const start = (scope: WorkspaceScope) => startDueCampaign(scope, parts, campaignId);
  await changeAsSystem(parts, 'scheduler', workspaceId, start, 'starting').catch((error: unknown) =>
    parts.logger.error({ err: error, campaignId }, 'a scheduled campaign could not be started'),
  );
}

async function startDueCampaign(
  scope: WorkspaceScope,
  parts: SendingParts,
  campaignId: string,
): Promise<void> {
  const { tx, workspaceId, clock } = scope;
  const isIt = and(eq(campaigns.workspaceId, workspaceId), eq(campaigns.id, campaignId));
  // Asked again behind the lock: those before it in the round took their time, and somebody may have put it off meanwhile.
  const [campaign] = await tx
    .select()
    .from(campaigns)
    .where(and(isIt, isDue(clock())))
    .for('update');
  if (!campaign) return;
  const { name } = campaign;
  const started = await startCampaign(scope, parts, campaignId);
  if (started.outcome !== 'refused') {
    await scope.emit({ type: 'campaign.started', subject: campaignId, values: { name, isScheduled: true } });
    return;
  }
  const waited = clock().getTime() - (campaign.scheduledAt?.getTime() ?? 0);
  if (started.isPassing && waited < WAITS_FOR_MS) return;
  const { code: reason, detail } = started;
  await tx
    .update(campaigns)
    .set({ status: 'paused', pauseReason: reason, pauseDetail: detail ?? null })
    .where(isIt);
  await scope.emit({ type: 'campaign.start_failed', subject: campaignId, values: { name, reason } });
}

/** All campaigns whose time has come, oldest first. */
function findDueInAllWorkspaces({
  db,
  clock,
}: SystemParts): Promise<Pick<typeof campaigns.$inferSelect, 'id' | 'workspaceId'>[]> {
  return db.inSystem((tx) =>
    tx
      .select({ id: campaigns.id, workspaceId: campaigns.workspaceId })
      .from(campaigns)
      .where(isDue(clock()))
      .orderBy(campaigns.scheduledAt),
  );
}

function isDue(now: Date): SQL {
  return sql`${campaigns.status} = 'scheduled' AND ${campaigns.runNo} IS NULL AND ${campaigns.scheduledAt} <= ${now.toISOString()}::timestamptz`;
}
