import { dayStartSql } from '@app/database/analytics/message-events';
import { bindTo } from '@app/database/bind-value';
import { isAttributedSql } from '@app/database/conversions/count-conversions';
import { readConversionSettings } from '@app/database/conversions/conversion-settings';
import { addDays, dayIn, DEFAULT_PERIOD_DAYS, daysBetween } from '@app/domain/analytics/report-period';
import { costOf } from '@app/domain/delivery/message-cost';
import { recipientState } from '@app/domain/delivery/recipient-state';
import { currencyOf, type Pricing } from '@app/domain/settings/budget';
import { countryOfNumber } from '@app/domain/settings/calling-codes';
import type { ReadScope } from '../platform/workspace-scope.ts';

const KIND = 'rcs';
const COUNTS = ['sent', 'delivered', 'read', 'failed', 'clicked', 'converted', 'fallback'] as const;
type Counts = Record<(typeof COUNTS)[number], number>;
type Figures = Counts & { cost: number };
type Group = Counts & { campaignId: string | null; day: string | null; prefix: string | null };
type Campaign = {
  id: string;
  contentId: string | null;
  name: string | null;
  price: number | null;
  currency: string | null;
};
type Asked = { from?: string | undefined; to?: string | undefined; zone: string };

/** What became of messages through RCS agents, by message, day and country. */
export async function readRcsAnalytics(scope: ReadScope, { zone, ...asked }: Asked) {
  const { workspaceId } = scope;
  const to = asked.to ?? dayIn(zone, scope.clock().getTime());
  const from = asked.from ?? addDays(to, 1 - DEFAULT_PERIOD_DAYS);
  const groups = await countGroups(scope, { from, to, zone });
  const campaigns = await nameCampaigns(scope, [
    ...new Set(groups.flatMap(({ campaignId }) => campaignId ?? [])),
  ]);
  const { rows } = await scope.query<{ settings: Pricing }>('SELECT settings FROM workspaces WHERE id = $1', [
    workspaceId,
  ]);
  const currency = currencyOf(rows[0]?.settings ?? {});
  const priceOf = ({ campaignId }: Group) => {
    const campaign = campaignId === null ? undefined : campaigns.get(campaignId);
    return campaign?.currency === currency ? campaign.price : null;
  };
  const add = (sum: Figures, group: Group) => {
    for (const name of COUNTS) sum[name] += group[name];
    sum.cost += costOf(group.delivered, priceOf(group) ?? 0);
  };
  const sumBy = <Key>(keyOf: (group: Group) => Key | undefined) => {
    const sums = new Map<Key, Figures>();
    for (const group of groups) {
      const key = keyOf(group);
      if (key === undefined) continue;
      const sum = sums.get(key) ?? none();
      add(sum, group);
      sums.set(key, sum);
    }
    return sums;
  };
  // Rows by day say nothing of the number, and those by number nothing of the day.
  const byDay = sumBy(({ day }) => day ?? undefined);
  const byCountry = sumBy(({ prefix }) => (prefix === null ? undefined : countryOfNumber(prefix)));
  const byMessage = sumBy(({ day, campaignId }) =>
    day === null
      ? undefined
      : campaignId === null
        ? SINGLE
        : (campaigns.get(campaignId)?.contentId ?? campaignId),
  );
  const total = none();
  let withoutCost = 0;
  for (const group of groups) {
    if (group.day === null) continue;
    add(total, group);
    if (group.campaignId !== null && priceOf(group) === null) withoutCost += group.delivered;
  }
  const names = new Map([...campaigns.values()].map(({ id, contentId, name }) => [contentId ?? id, name]));
  const contents = new Set([...campaigns.values()].flatMap(({ contentId }) => contentId ?? []));
  const mostSent = (one: Figures, other: Figures) => other.sent + other.failed - one.sent - one.failed;
  return {
    ...{ from, to, total, currency, withoutCost },
    days: Array.from({ length: daysBetween(from, to) }, (_, n) => {
      const day = addDays(from, n);
      return { day, ...(byDay.get(day) ?? none()) };
    }),
    messages: [...byMessage]
      .map(([key, sum]) => ({
        ...(key === SINGLE
          ? { id: null, kind: 'single' as const, name: null }
          : {
              ...{ id: key, kind: contents.has(key) ? ('message' as const) : ('campaign' as const) },
              name: names.get(key) ?? null,
            }),
        ...sum,
      }))
      .toSorted(mostSent),
    countries: [...byCountry].map(([country, sum]) => ({ country, ...sum })).toSorted(mostSent),
  };
}

const SINGLE = 'single';
const none = (): Figures => ({
  ...{ sent: 0, delivered: 0, read: 0, failed: 0, clicked: 0, converted: 0, fallback: 0, cost: 0 },
});

/** Once by day and campaign, and once by the beginning of the number and campaign: the longest code of a country has seven digits. */
async function countGroups(
  scope: ReadScope,
  { from, to, zone }: { from: string; to: string; zone: string },
): Promise<Group[]> {
  const { workspaceId } = scope;
  const { windowDays } = await readConversionSettings(scope, workspaceId);
  const values: unknown[] = [];
  const bind = bindTo(values);
  const workspace = bind(workspaceId, 'uuid');
  const since = dayStartSql(from, zone, bind);
  const before = dayStartSql(addDays(to, 1), zone, bind);
  const { accepted, refused } = recipientState;
  const { rows } = await scope.query<Group>(
    `WITH agents AS (SELECT id FROM channels WHERE workspace_id = ${workspace} AND kind = '${KIND}'),
     runs AS (SELECT run_no, campaign_id FROM delivery_runs WHERE workspace_id = ${workspace} AND channel_id IN (SELECT id FROM agents)
                 AND created_at < ${before} AND (completed_at IS NULL OR completed_at >= ${since})),
     clicks AS (SELECT DISTINCT owner, seq FROM link_clicks WHERE workspace_id = ${workspace} AND owner IN (SELECT 'r' || run_no FROM runs)),
     converted AS (SELECT DISTINCT v.campaign_id, v.contact_id FROM conversions v
        WHERE v.workspace_id = ${workspace} AND v.campaign_id IN (SELECT campaign_id FROM runs) AND ${isAttributedSql(bind(windowDays, 'integer'))}),
     sendings AS (
       SELECT runs.campaign_id, r.address, coalesce(r.accepted_at, r.sent_at, r.failed_at) AS at,
              r.state = ${accepted} AND NOT (r.failed_at IS NOT NULL AND r.delivered_at IS NULL AND r.read_at IS NULL) AS sent,
              coalesce(r.delivered_at, r.read_at) IS NOT NULL AS delivered, r.read_at IS NOT NULL AS read,
              r.state = ${refused} OR (r.failed_at IS NOT NULL AND r.delivered_at IS NULL AND r.read_at IS NULL) AS failed,
              k.owner IS NOT NULL AS clicked, v.contact_id IS NOT NULL AS converted, f.state IS NOT NULL AS fallback
         FROM runs JOIN delivery_recipients r ON r.run_no = runs.run_no AND r.state IN (${accepted}, ${refused})
         LEFT JOIN clicks k ON k.owner = 'r' || r.run_no AND k.seq = r.seq
         LEFT JOIN converted v ON v.campaign_id = runs.campaign_id AND v.contact_id = r.contact_id
         LEFT JOIN campaign_fallbacks f ON f.run_no = r.run_no AND f.seq = r.seq AND f.state = 'sent'
        WHERE r.workspace_id = ${workspace}
       UNION ALL
       SELECT NULL, c.phone, coalesce(m.accepted_at, m.failed_at),
              m.state = 'accepted' AND NOT (m.failed_at IS NOT NULL AND m.delivered_at IS NULL AND m.read_at IS NULL),
              coalesce(m.delivered_at, m.read_at) IS NOT NULL, m.read_at IS NOT NULL,
              m.state = 'refused' OR (m.failed_at IS NOT NULL AND m.delivered_at IS NULL AND m.read_at IS NULL), false, false, false
         FROM messages m JOIN contacts c ON c.id = m.contact_id
        WHERE m.workspace_id = ${workspace} AND m.channel_id IN (SELECT id FROM agents) AND m.direction = 'out' AND m.state IN ('accepted', 'refused'))
     SELECT campaign_id AS "campaignId", day::text, prefix,
            ${COUNTS.map((name) => `count(*) FILTER (WHERE ${name})::int AS ${name}`).join(', ')}
       FROM (SELECT *, (at AT TIME ZONE ${bind(zone, 'text')})::date AS day, left(ltrim(address, '+'), 8) AS prefix
               FROM sendings WHERE at >= ${since} AND at < ${before}) AS counted
      GROUP BY GROUPING SETS ((campaign_id, day), (campaign_id, prefix))`,
    values,
  );
  return rows;
}

/** With what they carried and at what price; one that was deleted has its last name and no price. */
async function nameCampaigns(scope: ReadScope, ids: readonly string[]): Promise<Map<string, Campaign>> {
  const { rows } = await scope.query<Campaign>(
    `SELECT f.id, k.content_id AS "contentId", coalesce(m.name, k.content_name, k.name, d.name) AS name, k.price_per_message AS price,
            k.price_currency AS currency
       FROM unnest($2::uuid[]) AS f (id) LEFT JOIN campaigns k ON k.id = f.id AND k.workspace_id = $1
       LEFT JOIN rcs_messages m ON m.id = k.content_id AND m.workspace_id = $1
       LEFT JOIN rollup_names d ON d.id = f.id AND d.workspace_id = $1`,
    [scope.workspaceId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
