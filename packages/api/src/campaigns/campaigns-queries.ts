import { costOf } from '@app/domain/delivery/message-cost';
import { containsPattern } from '@app/database/contains-pattern';
import { campaigns, campaignsNow } from '@app/database/campaigns/campaigns-tables';
import { chargeOf, currencyOf, fromMillionths, type Pricing } from '@app/domain/settings/budget';
import { recipientState } from '@app/domain/delivery/recipient-state';
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
    abTest: row.abTest,
    bestTime: row.bestTime,
    hours: row.bestTime ? await readHours(scope, row) : null,
    fallback: row.fallback,
    fallbackCost: row.fallback && row.runNo !== null ? await readFallbackCost(scope, row.id) : null,
    countsLinks: await readCountsLinks(scope, row.id),
    fallbackCounts: row.fallback && row.runNo !== null ? await countFallbacks(scope, row) : null,
    pricePerMessage,
    priceCurrency,
    plannedCost: costOf(addressed || audienceSize, pricePerMessage),
    actualCost: costOf(delivered, pricePerMessage),
  };
}

/** Whether its links are counted, where the workspace counts any. */
export async function readCountsLinks({ tx, workspaceId }: ReadScope, campaignId: string): Promise<boolean> {
  const [row] = await tx
    .select({ countsLinks: campaigns.countsLinks })
    .from(campaigns)
    .where(and(eq(campaigns.workspaceId, workspaceId), eq(campaigns.id, campaignId)));
  return row?.countsLinks ?? true;
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

/** How many leave in which hour. */
async function readHours(scope: ReadScope, { runNo }: CampaignRow) {
  if (runNo === null) return null;
  const { rows } = await scope.query<{ gates: { at: number; upto: number }[] | null }>(
    'SELECT gates FROM delivery_runs WHERE workspace_id = $1 AND run_no = $2',
    [scope.workspaceId, runNo],
  );
  const gates = rows[0]?.gates ?? null;
  return (
    gates &&
    gates.map(({ at, upto }, place) => ({
      at: new Date(at).toISOString(),
      count: upto - (gates[place - 1]?.upto ?? 0),
    }))
  );
}

/** Who failed and has no decision yet waits for it, or is left out once nobody can follow: so each failure is counted at every moment. */
async function countFallbacks({ query, workspaceId }: ReadScope, campaign: CampaignRow) {
  const { accepted, refused } = recipientState;
  const secondFailed = `(m.state IN ('refused', 'cancelled') OR (m.failed_at IS NOT NULL AND coalesce(m.delivered_at, m.read_at) IS NULL))`;
  const { rows } = await query<
    Record<
      'waiting' | 'sent' | 'delivered' | 'read' | 'failed' | 'arrived' | 'leftOut' | 'unknown' | 'decided',
      number
    >
  >(
    `SELECT count(*) FILTER (WHERE f.state IN ('revoking', 'ready'))::int AS waiting,
            count(*) FILTER (WHERE f.state = 'sent' AND ${secondFailed} IS NOT TRUE AND m.state IS DISTINCT FROM 'unknown')::int AS sent,
            count(*) FILTER (WHERE coalesce(m.delivered_at, m.read_at) IS NOT NULL)::int AS delivered,
            count(*) FILTER (WHERE m.read_at IS NOT NULL)::int AS read,
            count(*) FILTER (WHERE ${secondFailed})::int AS failed,
            count(*) FILTER (WHERE f.state = 'arrived' OR (f.state = 'unknown' AND coalesce(r.delivered_at, r.read_at) IS NOT NULL))::int AS arrived,
            count(*) FILTER (WHERE f.state = 'left_out')::int AS "leftOut",
            count(*) FILTER (WHERE m.state = 'unknown'
              OR (f.state = 'unknown' AND coalesce(r.delivered_at, r.read_at) IS NULL))::int AS unknown,
            count(*) FILTER (WHERE r.run_no IS NULL OR r.state = ${refused}
              OR (r.state = ${accepted} AND r.failed_at IS NOT NULL AND r.delivered_at IS NULL AND r.read_at IS NULL))::int AS decided
       FROM campaign_fallbacks f LEFT JOIN delivery_recipients r ON r.run_no = f.run_no AND r.seq = f.seq
       LEFT JOIN messages m ON m.workspace_id = f.workspace_id AND m.id = f.message_id
      WHERE f.workspace_id = $1 AND f.campaign_id = $2`,
    [workspaceId, campaign.id],
  );
  const { decided, ...counts } = rows[0]!; // an aggregate has one row
  const undecided = Math.max(0, campaign.failed - decided);
  return campaign.fallbackDoneAt === null
    ? { ...counts, waiting: counts.waiting + undecided }
    : { ...counts, leftOut: counts.leftOut + undecided };
}

/** Of the second messages that were delivered, by the country of each number. */
async function readFallbackCost({ query, workspaceId }: ReadScope, campaignId: string) {
  const { rows: workspaces } = await query<{ settings: Pricing }>(
    'SELECT settings FROM workspaces WHERE id = $1',
    [workspaceId],
  );
  const pricing = workspaces[0]?.settings ?? {};
  // The longest codes of countries have seven digits.
  const { rows } = await query<{ phone: string; isMarketing: boolean; n: number }>(
    `SELECT min(r.address) AS phone, m.is_marketing AS "isMarketing", count(*)::int AS n
       FROM campaign_fallbacks f JOIN messages m ON m.workspace_id = f.workspace_id AND m.id = f.message_id
       JOIN delivery_recipients r ON r.run_no = f.run_no AND r.seq = f.seq
      WHERE f.workspace_id = $1 AND f.campaign_id = $2 AND coalesce(m.delivered_at, m.read_at) IS NOT NULL
      GROUP BY left(r.address, 8), 2`,
    [workspaceId, campaignId],
  );
  const millionths = rows.reduce(
    (sum, { phone, isMarketing, n }) =>
      sum + n * chargeOf(pricing, phone, isMarketing ? 'marketing' : 'utility'),
    0,
  );
  return { amount: fromMillionths(millionths), currency: currencyOf(pricing) };
}

function matches(workspaceId: string, { search, status, channelKind }: ListFilter) {
  return and(
    eq(campaignsNow.workspaceId, workspaceId),
    search ? ilike(campaignsNow.name, containsPattern(search)) : undefined,
    status ? eq(campaignsNow.status, status) : undefined,
    isOfKind(channelKind),
  );
}
