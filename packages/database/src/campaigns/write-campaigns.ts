import { and, eq } from 'drizzle-orm';
import type { Queries } from '../database.ts';
import { campaigns } from './campaigns-tables.ts';

/** A bulk message is a campaign, too. */
export async function addCampaign(tx: Queries, campaign: typeof campaigns.$inferInsert): Promise<void> {
  await tx.insert(campaigns).values(campaign);
}

type Started = Partial<
  Pick<
    typeof campaigns.$inferInsert,
    | 'runNo'
    | 'pauseReason'
    | 'pauseDetail'
    | 'segments'
    | 'audienceSize'
    | 'pricePerMessage'
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
