import { findPeakHours } from '@app/domain/analytics/peak-hours';
import {
  chooseBucket,
  daysBetween,
  listBuckets,
  periodBefore,
  type VolumeBucket,
} from '@app/domain/analytics/report-period';
import { instantToZonedTime } from '@app/domain/campaigns/zoned-time';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { askBuckets, askReport, readsMessages, readWeekStart, sumsOf, type Report } from './report-source.ts';

type Counts = { sent: number; delivered: number; read: number; failed: number; replied: number };

const COUNTS = ['sent', 'delivered', 'read', 'failed', 'replied'] as const;
const SUMS = sumsOf(COUNTS);

type Sums = Counts & { received: number; refused: number; tried: number };

/**
 * Sums of `r` with the columns of a period, which have `suffix`. `tried`: sent or refused, by ways of which the platform reports what became of it. It adds two
 * sums: a message that was not refused has no number there, and would make the sum of both none.
 */
function sumsSql(suffix = ''): string {
  const names = [...COUNTS, 'received', 'refused'].map((name) => name + suffix);
  return `${sumsOf(names)}, coalesce(sum(r.reported${suffix}), 0)::float8 + coalesce(sum(r.refused${suffix}), 0)::float8 AS tried${suffix}`;
}

async function readSums(scope: ReadScope, report: Report): Promise<Sums> {
  const [row] = await askReport<Sums>(
    scope,
    report,
    'none',
    ({ counted }) => `SELECT ${sumsSql()} FROM ${counted}`,
  );
  return row!; // an aggregate without GROUP BY gives one row
}

/** The sums of a report, and of the period before it. Where messages are read, they are read once for both. */
async function readBothSums(
  scope: ReadScope,
  report: Report,
  compared: Pick<Report, 'from' | 'to' | 'until'>,
): Promise<[Sums, Sums]> {
  if (!readsMessages(report))
    return [await readSums(scope, report), await readSums(scope, { ...report, ...compared })];
  const [row] = await askReport<Record<keyof Sums | `${keyof Sums}_before`, number>>(
    scope,
    report,
    'none',
    ({ counted }) => `SELECT ${sumsSql()}, ${sumsSql('_before')} FROM ${counted}`,
    { compared },
  );
  const sums = row!; // an aggregate without GROUP BY gives one row
  return [
    sums,
    {
      sent: sums.sent_before,
      delivered: sums.delivered_before,
      read: sums.read_before,
      failed: sums.failed_before,
      replied: sums.replied_before,
      received: sums.received_before,
      refused: sums.refused_before,
      tried: sums.tried_before,
    },
  ];
}

/** The days that were counted. */
const daysOf = ({ from, to }: Report) => ({ from, to });

export async function readSummary(scope: ReadScope, report: Report) {
  const before = periodBefore(report, instantToZonedTime(scope.clock(), report.zone));
  const [now, then] = await readBothSums(scope, report, before);
  const rate = (part: keyof Sums, whole: keyof Sums) => {
    const [value, earlier] = [percent(now[part], now[whole]), percent(then[part], then[whole])];
    return { value, change: value === null || earlier === null ? null : round(value - earlier) };
  };
  const { sent, delivered, read, failed, replied, received, refused } = now;
  return {
    ...daysOf(report),
    before,
    messages: {
      value: now.sent,
      change: then.sent === 0 ? null : round(((now.sent - then.sent) / then.sent) * 100),
    },
    deliveryRate: rate('delivered', 'tried'),
    readRate: rate('read', 'delivered'),
    responseRate: rate('replied', 'delivered'),
    counts: { sent, delivered, read, failed, replied, received, refused },
    isComplete: await isComplete(scope, report),
  };
}

/** Whether all of the past is counted, for a country by country. */
async function isComplete(scope: ReadScope, { country }: Report): Promise<boolean> {
  const { rows } = await scope.query<{ isComplete: boolean }>(
    `SELECT NOT EXISTS (SELECT FROM rollup_backfill WHERE finished_at IS NULL AND ($2 OR source NOT LIKE '%countries'))
        AND NOT EXISTS (SELECT FROM delivery_runs WHERE workspace_id = $1 AND rolled_up_below < 2147483647)
        AND (NOT $2 OR NOT EXISTS (SELECT FROM delivery_runs WHERE workspace_id = $1 AND countries_below < 2147483647)) AS "isComplete"`,
    [scope.workspaceId, country !== undefined],
  );
  return rows[0]?.isComplete ?? true;
}

export async function readVolume(scope: ReadScope, report: Report, asked: VolumeBucket | 'auto') {
  const { from, to } = report;
  const bucket = asked === 'auto' ? chooseBucket(daysBetween(from, to)) : asked;
  const days = listBuckets(from, to, bucket, await readWeekStart(scope, bucket));
  const rows = await askBuckets<Counts & { place: number }>(scope, report, { days, counts: COUNTS });
  const found = new Map(rows.map(({ place, ...counts }) => [place, counts]));
  return {
    ...daysOf(report),
    bucket,
    points: days.map((day, place) => ({ day, ...(found.get(place + 1) ?? none) })),
  };
}

const none: Counts = { sent: 0, delivered: 0, read: 0, failed: 0, replied: 0 };

/** Parts of a whole, so that none is counted twice. What failed or arrived in the period may have been sent before it: nothing is below zero. */
export async function readStatuses(scope: ReadScope, report: Report) {
  const { tried, delivered, read, failed } = await readSums(scope, report);
  return {
    ...daysOf(report),
    read,
    delivered: Math.max(0, delivered - read),
    sent: Math.max(0, tried - delivered - failed),
    failed,
  };
}

type Named = Counts & { id: string; name: string | null; isDeleted: boolean; total: number };

/** Figures by campaign or template; whatever is deleted is called as it was. */
function readNamed(
  scope: ReadScope,
  report: Report,
  { table, order, limit }: { table: 'campaigns' | 'templates'; order: string; limit: number },
): Promise<Named[]> {
  const [grouping, column] =
    table === 'campaigns' ? (['campaign', 'campaign_id'] as const) : (['template', 'template_id'] as const);
  return askReport<Named>(
    scope,
    report,
    grouping,
    ({ counted, bind }) => `
    SELECT f.*, coalesce(k.name, d.name) AS name, k.id IS NULL AS "isDeleted" FROM (
      SELECT *, count(*) OVER ()::integer AS total FROM (
        SELECT r.${column} AS id, ${SUMS} FROM ${counted} AND r.${column} IS NOT NULL GROUP BY 1) AS s
       WHERE sent + delivered + read + failed + replied > 0 ORDER BY ${order}, id LIMIT ${bind(limit, 'integer')}) AS f
      LEFT JOIN ${table} k ON k.id = f.id AND k.workspace_id = ${bind(scope.workspaceId, 'uuid')}
      LEFT JOIN rollup_names d ON d.id = f.id AND d.workspace_id = ${bind(scope.workspaceId, 'uuid')} ORDER BY ${order}, f.id`,
  );
}

/** Without how many there are, which each row says. */
function shownOf({ id, name, isDeleted, sent, delivered, read, failed, replied }: Named) {
  return { id, name, isDeleted, sent, delivered, read, failed, replied };
}

export async function readCampaigns(scope: ReadScope, report: Report, limit: number) {
  const rows = await readNamed(scope, report, { table: 'campaigns', order: 'sent DESC', limit });
  return { ...daysOf(report), total: rows[0]?.total ?? 0, items: rows.map(shownOf) };
}

export async function readTemplates(scope: ReadScope, report: Report, limit: number) {
  const order = 'read / nullif(delivered, 0) DESC NULLS LAST, delivered DESC';
  const rows = await readNamed(scope, report, { table: 'templates', order, limit });
  return {
    ...daysOf(report),
    total: rows[0]?.total ?? 0,
    items: rows.map((row) => ({ ...shownOf(row), readRate: percent(row.read, row.delivered) })),
  };
}

export async function readBestTime(scope: ReadScope, report: Report) {
  const rows = await askReport<Counts & { hour: number }>(
    scope,
    report,
    'hour',
    ({ counted, local }) =>
      `SELECT date_part('hour', ${local()})::integer AS hour, ${SUMS} FROM ${counted} GROUP BY 1`,
  );
  const found = new Map(rows.map((row) => [row.hour, row]));
  const hours = Array.from({ length: 24 }, (_, hour) => found.get(hour) ?? { hour, ...none });
  return { ...daysOf(report), hours, peak: findPeakHours(hours.map(({ read }) => read)) };
}

/** With one decimal; null of nothing. */
function percent(part: number, whole: number): number | null {
  return whole === 0 ? null : round((part / whole) * 100);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
