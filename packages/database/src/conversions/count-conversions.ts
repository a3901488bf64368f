import { readGeneralSettings } from '@app/domain/settings/general-settings';
import type { SqlQueries } from '../sql-queries.ts';
import { readConversionSettings } from './conversion-settings.ts';

/** Of `conversions v`: it counts for the click before it, with the attribution window as `days` (SQL). */
export function isAttributedSql(days: string): string {
  return `v.cancelled_at IS NULL AND v.clicked_at > v.occurred_at - make_interval(days => ${days})`;
}

export type ConversionFigures = {
  /** Different contacts with a conversion; one who was erased counts by each conversion. */
  converted: number;
  conversions: number;
  /** In units of `currency`, the one of the workspace. */
  revenue: number;
  currency: string;
  /** Values in other currencies, which are not part of the revenue. */
  notCounted: { currency: string; value: number; conversions: number }[];
};

/** In which currency revenue is counted: that of the general settings. */
export async function readRevenueCurrency(client: SqlQueries, workspaceId: string): Promise<string> {
  const { rows } = await client.query<{ settings: Record<string, unknown> }>(
    'SELECT settings FROM workspaces WHERE id = $1',
    [workspaceId],
  );
  return readGeneralSettings(rows[0]?.settings ?? {}).currency;
}

/** What came of campaigns within the attribution window, by campaign; one without any conversion is in it too. */
export async function countConversions(
  client: SqlQueries,
  { workspaceId, campaignIds }: { workspaceId: string; campaignIds: readonly string[] },
): Promise<Map<string, ConversionFigures>> {
  const { windowDays } = await readConversionSettings(client, workspaceId);
  const currency = await readRevenueCurrency(client, workspaceId);
  const { rows } = await client.query<{
    id: string;
    currency: string | null;
    conversions: number;
    value: number;
    converted: number;
  }>(
    `SELECT v.campaign_id AS id, v.currency, count(*)::int AS conversions, coalesce(sum(v.value), 0)::float8 AS value, max(people.n)::int AS converted
       FROM conversions v JOIN (
         SELECT v.campaign_id, count(DISTINCT coalesce(v.contact_id, v.id)) AS n FROM conversions v
          WHERE v.workspace_id = $1 AND v.campaign_id = ANY ($2::uuid[]) AND ${isAttributedSql('$3::int')} GROUP BY 1) people USING (campaign_id)
      WHERE v.workspace_id = $1 AND v.campaign_id = ANY ($2::uuid[]) AND ${isAttributedSql('$3::int')}
      GROUP BY 1, 2 ORDER BY 2`,
    [workspaceId, campaignIds, windowDays],
  );
  const none = (): ConversionFigures => ({
    converted: 0,
    conversions: 0,
    revenue: 0,
    currency,
    notCounted: [],
  });
  const figures = new Map(campaignIds.map((id) => [id, none()]));
  for (const row of rows) {
    const one = figures.get(row.id) ?? none();
    one.converted = row.converted;
    one.conversions += row.conversions;
    if (row.currency === currency) one.revenue = row.value;
    else if (row.currency !== null)
      one.notCounted.push({ currency: row.currency, value: row.value, conversions: row.conversions });
    figures.set(row.id, one);
  }
  return figures;
}
