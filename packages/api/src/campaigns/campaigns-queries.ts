import { costOf } from '@app/domain/delivery/message-cost';
import { containsPattern } from '@app/database/contains-pattern';
import { campaigns, campaignsNow } from '@app/database/campaigns/campaigns-tables';
import type { CampaignStatus } from '@app/domain/campaigns/campaign-status';
import { and, desc, eq, ilike, sql } from 'drizzle-orm';
import { cutPage, readTimeCursor } from '../platform/keyset.ts';
import { describeSegments } from '../sending/audience-segments.ts';
import { isOfKind, presentCampaign, type CampaignRow } from '../sending/campaign-overview.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

type ListFilter = {
  search?: string | undefined;
  status?: CampaignStatus | undefined;
  channelKind?: string | undefined;
};

export async function listCampaigns(
  { tx, workspaceId }: ReadScope,
  { search, status, channelKind, limit, cursor }: ListFilter & { limit: number; cursor?: string | undefined },
) {
  const after = readTimeCursor(cursor);
  const rows = await tx
    .select()
    .from(campaignsNow)
    .where(
      and(
        matches(workspaceId, { search, status, channelKind }),
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
    .where(matches(workspaceId, { search, status, channelKind }));
  return { items: items.map(presentCampaign), nextCursor, matching: count?.matching ?? 0 };
}

export async function findCampaign(
  { tx, workspaceId }: ReadScope,
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
export async function lockCampaign(scope: WorkspaceScope, campaignId: string): Promise<CampaignRow | null> {
  const [held] = await scope.tx
    .select({ id: campaigns.id })
    .from(campaigns)
    .where(and(eq(campaigns.workspaceId, scope.workspaceId), eq(campaigns.id, campaignId)))
    .for('update');
  return held ? findCampaign(scope, campaignId) : null;
}

export async function presentCampaignDetails(scope: ReadScope, row: CampaignRow) {
  const { audience, quietHours, pricePerMessage, priceCurrency, audienceSize, delivered } = row;
  const addressed = row.total - row.excluded;
  return {
    ...presentCampaign(row),
    audience,
    segments: await describeSegments(scope, row),
    languages: await findLanguages(scope, row),
    quietHours,
    pricePerMessage,
    priceCurrency,
    plannedCost: costOf(addressed || audienceSize, pricePerMessage),
    actualCost: costOf(delivered, pricePerMessage),
  };
}

/** In which languages it is sent, that of the template first; null where it is one for all. */
async function findLanguages(scope: ReadScope, { runNo }: CampaignRow): Promise<string[] | null> {
  if (runNo === null) return null;
  const { rows } = await scope.query<{ main: string; others: string[] }>(
    `SELECT coalesce(message->'content'->>'language', message->>'language', '') AS main,
            ARRAY(SELECT jsonb_object_keys(message->'inLanguages')) AS others
       FROM delivery_runs WHERE workspace_id = $1 AND run_no = $2 AND message ? 'inLanguages'`,
    [scope.workspaceId, runNo],
  );
  return rows[0] ? [rows[0].main, ...rows[0].others] : null;
}

function matches(workspaceId: string, { search, status, channelKind }: ListFilter) {
  return and(
    eq(campaignsNow.workspaceId, workspaceId),
    search ? ilike(campaignsNow.name, containsPattern(search)) : undefined,
    status ? eq(campaignsNow.status, status) : undefined,
    isOfKind(channelKind),
  );
}
