import { reportConditions } from '@app/database/analytics/message-events';
import { outcomesSql, type OutcomePeriod } from '@app/database/analytics/outcome-source';
import { bindTo, type BindValue } from '@app/database/bind-value';
import { isAttributedSql } from '@app/database/conversions/count-conversions';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { contactsSql, isOfAllContacts, type Report } from './report-source.ts';

type Row = { campaignId: string | null; isAll: boolean; converted: number; revenue: number };

/**
 * Conversions of the period within `windowDays` after a click, by the time when they happened, in all and by campaign; null where members are asked for, who have
 * none. `period` is that of the report.
 */
export async function readConversions(
  scope: ReadScope,
  report: Report,
  { windowDays, currency, period }: { windowDays: number; currency: string; period: OutcomePeriod },
) {
  const { workspaceId } = scope;
  if (report.agentId !== undefined || report.teamId !== undefined) return null;
  const values: unknown[] = [];
  const bind = bindTo(values);
  const { rows } = await scope.query<Row>(
    isOfAllContacts(report)
      ? countedSql(report, { period, workspaceId, currency }, bind)
      : narrowedSql(report, { period, workspaceId, currency, windowDays }, bind),
    values,
  );
  const all = rows.find(({ isAll }) => isAll);
  return {
    ...{ converted: all?.converted ?? 0, revenue: all?.revenue ?? 0, revenueCurrency: currency },
    byCampaign: new Map(
      rows.flatMap(({ campaignId, isAll, converted, revenue }) =>
        isAll || campaignId === null ? [] : [[campaignId, { converted, revenue }] as const],
      ),
    ),
  };
}

type Asked = { period: OutcomePeriod; workspaceId: string; currency: string };

/** By what is counted once already; of one campaign both are the same. */
function countedSql(
  { campaignId }: Report,
  { period, workspaceId, currency }: Asked,
  bind: BindValue,
): string {
  const kinds = [
    'campaign_conversion',
    ...(campaignId === undefined ? (['conversion'] as const) : []),
  ] as const;
  const counted = outcomesSql({ workspace: bind(workspaceId, 'uuid'), period, kinds, id: campaignId }, bind);
  return `WITH found AS MATERIALIZED (
      SELECT o.id, sum(o.contacts)::int AS converted, coalesce(sum(o.value) FILTER (WHERE o.label = ${bind(currency, 'text')}), 0)::float8 AS revenue
        FROM (${counted}) AS o GROUP BY 1 HAVING sum(o.contacts) > 0)
    SELECT f.id AS "campaignId", false AS "isAll", f.converted, f.revenue FROM found f WHERE f.id IS NOT NULL
    UNION ALL SELECT NULL, true, f.converted, f.revenue FROM found f WHERE ${campaignId === undefined ? 'f.id IS NULL' : 'true'}`;
}

/** By the rows, of each campaign and contact first, so that nothing is sorted. */
function narrowedSql(
  report: Report,
  { period, workspaceId, currency, windowDays }: Asked & { windowDays: number },
  bind: BindValue,
): string {
  const since = bind(period.since, 'timestamptz');
  const before = bind(period.before, 'timestamptz');
  const conditions = reportConditions(report, { since, before, workspaceId }, bind);
  const contacts = contactsSql(report, workspaceId, bind);
  return `WITH pairs AS MATERIALIZED (
       SELECT r.campaign_id, coalesce(r.contact_id, r.id) AS who, sum(r.value) FILTER (WHERE r.currency = ${bind(currency, 'text')}) AS revenue
         FROM (SELECT v.*, v.occurred_at AS quarter FROM conversions v
                WHERE v.workspace_id = ${bind(workspaceId, 'uuid')} AND v.campaign_id IS NOT NULL AND ${isAttributedSql(bind(windowDays, 'integer'))}) r
        WHERE ${conditions}${contacts === undefined ? '' : ` AND r.contact_id IN (SELECT c.id FROM contacts c WHERE ${contacts})`} GROUP BY 1, 2)
     SELECT p.campaign_id AS "campaignId", false AS "isAll", count(*)::int AS converted, coalesce(sum(p.revenue), 0)::float8 AS revenue
       FROM pairs p GROUP BY 1
     UNION ALL
     SELECT NULL, true, (SELECT count(*) FROM (SELECT DISTINCT p.who FROM pairs p) AS w)::int,
            coalesce((SELECT sum(p.revenue) FROM pairs p), 0)::float8`;
}
