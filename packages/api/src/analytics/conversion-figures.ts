import { dayStartSql, reportConditions } from '@app/database/analytics/message-events';
import { bindTo } from '@app/database/bind-value';
import { isAttributedSql, readRevenueCurrency } from '@app/database/conversions/count-conversions';
import { addDays } from '@app/domain/analytics/report-period';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { contactsSql, type Report } from './report-source.ts';

type Row = { campaignId: string | null; isAll: boolean; converted: number; revenue: number };

/** Conversions of the period within `windowDays` after a click, by the time when they happened, in all and by campaign; null where members are asked for, who have none. */
export async function readConversions(scope: ReadScope, report: Report, windowDays: number) {
  const { workspaceId } = scope;
  const currency = await readRevenueCurrency(scope, workspaceId);
  if (report.agentId !== undefined || report.teamId !== undefined) return null;
  const values: unknown[] = [];
  const bind = bindTo(values);
  const since = dayStartSql(report.from, report.zone, bind);
  const before = dayStartSql(addDays(report.to, 1), report.zone, bind);
  const conditions = reportConditions(report, { since, before, workspaceId }, bind);
  const contacts = contactsSql(report, workspaceId, bind);
  const { rows } = await scope.query<Row>(
    // Of each campaign and contact first, so that nothing is sorted.
    `WITH pairs AS MATERIALIZED (
       SELECT r.campaign_id, coalesce(r.contact_id, r.id) AS who, sum(r.value) FILTER (WHERE r.currency = ${bind(currency, 'text')}) AS revenue
         FROM (SELECT v.*, v.occurred_at AS quarter FROM conversions v
                WHERE v.workspace_id = ${bind(workspaceId, 'uuid')} AND v.campaign_id IS NOT NULL AND ${isAttributedSql(bind(windowDays, 'integer'))}) r
        WHERE ${conditions}${contacts === undefined ? '' : ` AND r.contact_id IN (SELECT c.id FROM contacts c WHERE ${contacts})`} GROUP BY 1, 2)
     SELECT p.campaign_id AS "campaignId", false AS "isAll", count(*)::int AS converted, coalesce(sum(p.revenue), 0)::float8 AS revenue
       FROM pairs p GROUP BY 1
     UNION ALL
     SELECT NULL, true, (SELECT count(*) FROM (SELECT DISTINCT p.who FROM pairs p) AS w)::int,
            coalesce((SELECT sum(p.revenue) FROM pairs p), 0)::float8`,
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
