import { and, eq } from 'drizzle-orm';
import type { Queries } from '../database.ts';
import type { SqlQueries } from '../sql-queries.ts';
import { campaigns, type CampaignAbResult } from './campaigns-tables.ts';

/** A bulk message is a campaign, too. */
export async function addCampaign(tx: Queries, campaign: typeof campaigns.$inferInsert): Promise<void> {
  await tx.insert(campaigns).values(campaign);
}

type Started = Partial<
  Pick<
    typeof campaigns.$inferInsert,
    | 'runNo'
    | 'channelId'
    | 'pauseReason'
    | 'pauseDetail'
    | 'segments'
    | 'audienceSize'
    | 'pricePerMessage'
    | 'priceCurrency'
    | 'beforeStart'
    | 'abResult'
    | 'version'
    | 'updatedAt'
  >
>;

/** What a campaign was started with. */
export async function noteStart(
  tx: Queries,
  { workspaceId, campaignId }: { workspaceId: string; campaignId: string },
  started: Started,
): Promise<void> {
  await tx
    .update(campaigns)
    .set(started)
    .where(and(eq(campaigns.workspaceId, workspaceId), eq(campaigns.id, campaignId)));
}

/** Puts back what a held start changed. Who took back a start that came before its hour means it: an hour that is over by now is none. */
export async function undoStart(
  tx: Queries,
  { workspaceId, campaignId }: { workspaceId: string; campaignId: string },
  now: Date,
): Promise<void> {
  const isIt = and(eq(campaigns.workspaceId, workspaceId), eq(campaigns.id, campaignId));
  const [started] = await tx.select().from(campaigns).where(isIt);
  if (!started?.beforeStart) throw new Error('A start without what was before it cannot be undone.');
  const { status, scheduledAt } = started;
  const { startedBy: _, ...before } = started.beforeStart;
  await tx
    .update(campaigns)
    .set({
      ...before,
      ...(status === 'scheduled' &&
        scheduledAt !== null &&
        scheduledAt <= now && { status: 'draft' as const, scheduledAt: null }),
      ...{ beforeStart: null, runNo: null, abResult: null, version: started.version + 1, updatedAt: now },
    })
    .where(isIt);
}

/**
 * After a restore: whose time has come since the backup may have begun already, so a person starts it. Answers with how many that are. Call it
 * in the transaction of the restore.
 */
export async function holdRestoredCampaigns(client: SqlQueries): Promise<number> {
  const { rowCount } = await client.query(
    `UPDATE campaigns SET status = 'paused', pause_reason = 'restored', version = version + 1, updated_at = now()
      WHERE status = 'scheduled' AND scheduled_at <= now() AND run_no IS NULL`,
  );
  // The backup does not know who got the second message since: nothing of it is sent again.
  await client.query(
    `UPDATE campaigns SET fallback_done_at = now() WHERE fallback IS NOT NULL AND run_no IS NOT NULL AND fallback_done_at IS NULL`,
  );
  return rowCount ?? 0;
}

/** What became of the test of a campaign, once more is known; within the lock on its row. */
export async function noteAbResult(
  client: SqlQueries,
  { workspaceId, campaignId }: { workspaceId: string; campaignId: string },
  result: CampaignAbResult,
): Promise<void> {
  await client.query('UPDATE campaigns SET ab_result = $3 WHERE workspace_id = $1 AND id = $2', [
    ...[workspaceId, campaignId, JSON.stringify(result)],
  ]);
}

/** Stops the second message for all recipients of the campaign. */
export async function endFallback(
  client: SqlQueries,
  { workspaceId, campaignId, at }: { workspaceId: string; campaignId: string; at: Date },
): Promise<void> {
  await client.query('UPDATE campaigns SET fallback_done_at = $3 WHERE workspace_id = $1 AND id = $2', [
    ...[workspaceId, campaignId, at],
  ]);
}
