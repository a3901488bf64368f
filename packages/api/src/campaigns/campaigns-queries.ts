import { costOf } from '@app/domain/delivery/message-cost';
import { containsPattern } from '@app/database/contains-pattern';
import type { Queries } from '@app/database/database';
import { campaigns, campaignsNow } from '@app/database/campaigns/campaigns-tables';
import type { CampaignStatus } from '@app/domain/campaigns/campaign-status';
import { and, desc, eq, ilike, sql } from 'drizzle-orm';
import { cutPage, readTimeCursor } from '../platform/keyset.ts';
import { describeSegments } from '../sending/audience-segments.ts';
import { presentCampaign, type CampaignRow } from '../sending/campaign-overview.ts';
import type { SignedInContext } from '../platform/request-context.ts';

type ListFilter = { search?: string | undefined; status?: CampaignStatus | undefined };

export async function listCampaigns(
  tx: Queries,
  workspaceId: string,
  { search, status, limit, cursor }: ListFilter & { limit: number; cursor?: string | undefined },
) {
  const after = readTimeCursor(cursor);
  const rows = await tx
    .select()
    .from(campaignsNow)
    .where(
      and(
        matches(workspaceId, { search, status }),
        after
          ? sql`(${campaignsNow.createdAt}, ${campaignsNow.id}) < (${after.key}::timestamptz, ${after.id}::uuid)`
          : undefined,
      ),
    )
    .orderBy(desc(campaignsNow.createdAt), desc(campaignsNow.id))
    .limit(limit + 1);
  const { items, nextCursor } = cutPage(rows, limit, ({ createdAt, id }) => ({
    key: createdAt.toISOString(),
    id,
  }));
  const [count] = await tx
    .select({ matching: sql<number>`count(*)::int` })
    .from(campaignsNow)
    .where(matches(workspaceId, { search, status }));
  return { items: items.map(presentCampaign), nextCursor, matching: count?.matching ?? 0 };
}

export async function findCampaign(
  tx: Queries,
  workspaceId: string,
  campaignId: string,
): Promise<CampaignRow | null> {
  const [row] = await tx
    .select()
    .from(campaignsNow)
    .where(and(eq(campaignsNow.workspaceId, workspaceId), eq(campaignsNow.id, campaignId)));
  return row ?? null;
}

/**
 * The campaign as it is now, with its row held until the transaction ends: what an act decides by its status is still true
 * when it is done, whoever else acts, the scheduler included.
 */
export async function lockCampaign(
  tx: Queries,
  workspaceId: string,
  campaignId: string,
): Promise<CampaignRow | null> {
  const [held] = await tx
    .select({ id: campaigns.id })
    .from(campaigns)
    .where(and(eq(campaigns.workspaceId, workspaceId), eq(campaigns.id, campaignId)))
    .for('update');
  return held ? findCampaign(tx, workspaceId, campaignId) : null;
}

export async function presentCampaignDetails(
  { inWorkspace }: Pick<SignedInContext, 'inWorkspace'>,
  row: CampaignRow,
) {
  const { audience, quietHours, pricePerMessage, total, audienceSize, delivered } = row;
  return {
    ...presentCampaign(row),
    audience,
    segments:
      row.segments.length === 0 ? [] : await inWorkspace((_, client) => describeSegments(client, row)),
    quietHours,
    pricePerMessage,
    plannedCost: costOf(total || audienceSize, pricePerMessage),
    actualCost: costOf(delivered, pricePerMessage),
  };
}

function matches(workspaceId: string, { search, status }: ListFilter) {
  return and(
    eq(campaignsNow.workspaceId, workspaceId),
    search ? ilike(campaignsNow.name, containsPattern(search)) : undefined,
    status ? eq(campaignsNow.status, status) : undefined,
  );
}
