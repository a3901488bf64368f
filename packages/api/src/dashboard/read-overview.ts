import { isTimeZone } from '@app/domain/campaigns/quiet-hours';
import { campaignsNow } from '@app/database/campaigns/campaigns-tables';
import { isPermitted } from '@app/domain/auth/is-permitted';
import { compareMonths, type MonthFigures } from '@app/domain/dashboard/month-figures';
import { desc, eq, sql } from 'drizzle-orm';
import { countByStatus, presentCampaign } from '../sending/campaign-overview.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';

const RECENT = 5;

/** Figures of the dashboard home; everything is read from counters, nothing is counted message by message. */
export async function readOverview(scope: ReadScope, timeZone: string) {
  const { tx, workspaceId, caller } = scope;
  const now = scope.clock();
  const zone = isTimeZone(timeZone) ? timeZone : 'UTC';
  const months = await readMonths(scope, now, zone);
  const mayReadCampaigns = isPermitted(caller.permissions, 'campaigns:read');
  const recent = mayReadCampaigns
    ? await tx
        .select()
        .from(campaignsNow)
        .where(eq(campaignsNow.workspaceId, workspaceId))
        .orderBy(desc(campaignsNow.createdAt), desc(campaignsNow.id))
        .limit(RECENT)
    : [];
  return {
    ...compareMonths(months),
    week: await readWeek(scope, now, zone),
    campaignStatus: await countByStatus(scope),
    recentCampaigns: recent.map(presentCampaign),
  };
}

/** This month so far and as much of the month before, in the time zone of the reader: half a month never looks like a fall. */
async function readMonths(scope: ReadScope, now: Date, zone: string): Promise<MonthFigures> {
  const { tx, workspaceId } = scope;
  const at = now.toISOString();
  const { rows } = await tx.execute<
    Record<keyof Omit<MonthFigures, 'contacts' | 'contactsBefore'>, string>
  >(sql`
    WITH month AS (
      SELECT start, before, before + (${at}::timestamptz - start) AS before_end
        FROM (SELECT date_trunc('month', ${at}::timestamptz, ${zone}) AS start) AS this
        CROSS JOIN LATERAL (SELECT (start AT TIME ZONE ${zone} - interval '1 month') AT TIME ZONE ${zone} AS before) AS last
    )
    SELECT coalesce(sum(accepted) FILTER (WHERE hour >= start), 0) AS sent,
           coalesce(sum(accepted + refused) FILTER (WHERE hour >= start), 0) AS tried,
           coalesce(sum(delivered) FILTER (WHERE hour >= start), 0) AS delivered,
           coalesce(sum(read) FILTER (WHERE hour >= start), 0) AS read,
           coalesce(sum(accepted) FILTER (WHERE hour < before_end), 0) AS "sentBefore",
           coalesce(sum(accepted + refused) FILTER (WHERE hour < before_end), 0) AS "triedBefore",
           coalesce(sum(delivered) FILTER (WHERE hour < before_end), 0) AS "deliveredBefore",
           coalesce(sum(read) FILTER (WHERE hour < before_end), 0) AS "readBefore"
      FROM message_stats_now, month
     WHERE workspace_id = ${workspaceId}
       AND hour >= before AND (hour >= start OR hour < before_end)`);
  const figures = Object.fromEntries(
    Object.entries(rows[0] ?? {}).map(([name, value]) => [name, Number(value)]),
  );
  return { ...figures, ...(await readContactMonth(scope, at, zone)) } as MonthFigures; // the query names its fields
}

const APPLY_FROM = 5_000;

/** How many contacts there are, and how many of them there were when the month began. */
async function readContactMonth({ tx, workspaceId }: ReadScope, at: string, zone: string) {
  const { rows } = await tx.execute<{ contacts: number; added: number; parts: number }>(sql`
    SELECT (SELECT coalesce(sum(total), 0)::int FROM contact_counts WHERE workspace_id = ${workspaceId}) AS contacts,
           coalesce(sum(contacts), 0)::int AS added, count(*)::int AS parts
      FROM contact_growth
     WHERE workspace_id = ${workspaceId} AND quarter >= date_trunc('month', ${at}::timestamptz, ${zone})`);
  const { contacts, added, parts } = rows[0]!; // an aggregate without GROUP BY gives one row
  if (parts > APPLY_FROM) await tx.execute(sql`SELECT fold_contact_growth(${workspaceId})`);
  return { contacts, contactsBefore: contacts - added };
}

async function readWeek({ tx, workspaceId }: ReadScope, now: Date, zone: string) {
  const { rows } = await tx.execute<{ day: string; sent: string; delivered: string; read: string }>(sql`
    SELECT to_char(day, 'YYYY-MM-DD') AS day, coalesce(sum(accepted), 0) AS sent, coalesce(sum(delivered), 0) AS delivered,
           coalesce(sum(read), 0) AS read
      FROM generate_series((${now.toISOString()}::timestamptz AT TIME ZONE ${zone})::date - 6,
                           (${now.toISOString()}::timestamptz AT TIME ZONE ${zone})::date, interval '1 day') AS day
      LEFT JOIN message_stats_now s ON s.workspace_id = ${workspaceId}
        AND s.hour >= day AT TIME ZONE ${zone} AND s.hour < (day + interval '1 day') AT TIME ZONE ${zone}
     GROUP BY day ORDER BY day`);
  return rows.map(({ day, sent, delivered, read }) => ({
    day,
    sent: Number(sent),
    delivered: Number(delivered),
    read: Number(read),
  }));
}
