import { findPeakHours } from '@app/domain/analytics/peak-hours';
import {
  addDays,
  chooseBucket,
  dayIn,
  daysBetween,
  DEFAULT_PERIOD_DAYS,
  listBuckets,
  LONGEST_PERIOD,
  type VolumeBucket,
} from '@app/domain/analytics/report-period';
import type { ReadScope } from '../platform/workspace-scope.ts';

export type ReportInput = {
  from?: string | undefined;
  to?: string | undefined;
  zone: string;
  campaignId?: string | undefined;
  templateId?: string | undefined;
  channelId?: string | undefined;
  channel?: string | undefined;
};

type Counts = { sent: number; delivered: number; read: number; failed: number; replied: number };
type Period = { from: string; to: string };

const COUNTS = ['sent', 'delivered', 'read', 'failed', 'replied'] as const;
/** Of numbers as PostgreSQL gives them, which fit: nobody sends more messages than a number of JavaScript has digits. */
const SUMS = COUNTS.map((name) => `coalesce(sum(r.${name}), 0)::float8 AS ${name}`).join(', ');

/** The days that are asked for; one that is missing follows from the other, else the last 30 days. */
function periodOf({ from, to, zone }: ReportInput, now: Date): Period {
  const end =
    to ??
    (from
      ? earlier(addDays(from, LONGEST_PERIOD - 1), dayIn(zone, now.getTime()), from)
      : dayIn(zone, now.getTime()));
  return { from: from ?? addDays(end, 1 - DEFAULT_PERIOD_DAYS), to: end };
}

function earlier(one: string, other: string, notBefore: string): string {
  const first = one < other ? one : other;
  return first < notBefore ? notBefore : first;
}

/**
 * Rollups of a period as `r`: a range of one index, whichever the zone, because quarters of an hour of UTC are quarters everywhere. `$1` is the
 * workspace, `$2` and `$3` are the first day and that after the last, `$4` is the zone.
 */
function rollupsOf({ campaignId, templateId, channelId, channel }: ReportInput, values: unknown[]): string {
  const is = (column: string, value: string | undefined) =>
    value === undefined ? [] : [`r.${column} = $${values.push(value)}`];
  const conditions = [
    'r.workspace_id = $1',
    'r.quarter >= $2::date::timestamp AT TIME ZONE $4',
    'r.quarter < $3::date::timestamp AT TIME ZONE $4',
    ...is('campaign_id', campaignId),
    ...is('template_id', templateId),
    ...is('channel_id', channelId),
    ...(channel === undefined
      ? []
      : [
          `r.channel_id IN (SELECT id FROM channels WHERE workspace_id = $1 AND kind = $${values.push(channel)})`,
        ]),
  ];
  return `message_rollups_now r WHERE ${conditions.join(' AND ')}`;
}

async function ask<Row extends object>(
  scope: ReadScope,
  input: ReportInput,
  { from, to }: Period,
  text: (rollups: string, value: (one: unknown) => string) => string,
): Promise<Row[]> {
  const values: unknown[] = [scope.workspaceId, from, addDays(to, 1), input.zone];
  const rollups = rollupsOf(input, values);
  const { rows } = await scope.query<Row>(
    text(rollups, (one) => `$${values.push(one)}`),
    values,
  );
  return rows;
}

type Sums = Counts & { received: number; reported: number };

/** `reported`: sent by ways of which the platform reports what became of it. */
async function readSums(scope: ReadScope, input: ReportInput, period: Period): Promise<Sums> {
  const [row] = await ask<Sums>(
    scope,
    input,
    period,
    (rollups) => `SELECT ${SUMS}, coalesce(sum(r.received), 0)::float8 AS received,
      coalesce(sum(r.sent) FILTER (WHERE r.author <> 'app'), 0)::float8 AS reported FROM ${rollups}`,
  );
  return row!; // an aggregate without GROUP BY gives one row
}

export async function readSummary(scope: ReadScope, input: ReportInput) {
  const period = periodOf(input, scope.clock());
  const days = daysBetween(period.from, period.to);
  const before = { from: addDays(period.from, -days), to: addDays(period.from, -1) };
  const now = await readSums(scope, input, period);
  const then = await readSums(scope, input, before);
  const rate = (part: keyof Sums, whole: keyof Sums) => ({
    value: percent(now[part], now[whole]),
    change:
      then[whole] === 0 ? null : round(percent(now[part], now[whole]) - percent(then[part], then[whole])),
  });
  const { sent, delivered, read, failed, replied, received } = now;
  return {
    ...period,
    messages: {
      value: now.sent,
      change: then.sent === 0 ? null : round(((now.sent - then.sent) / then.sent) * 100),
    },
    deliveryRate: rate('delivered', 'reported'),
    readRate: rate('read', 'delivered'),
    responseRate: rate('replied', 'delivered'),
    counts: { sent, delivered, read, failed, replied, received },
    isComplete: await isComplete(scope),
  };
}

async function isComplete(scope: ReadScope): Promise<boolean> {
  const { rows } = await scope.query<{ isComplete: boolean }>(
    `SELECT NOT EXISTS (SELECT FROM rollup_backfill WHERE finished_at IS NULL)
        AND NOT EXISTS (SELECT FROM delivery_runs WHERE workspace_id = $1 AND rolled_up_below < 2147483647) AS "isComplete"`,
    [scope.workspaceId],
  );
  return rows[0]?.isComplete ?? true;
}

export async function readVolume(scope: ReadScope, input: ReportInput & { bucket: VolumeBucket | 'auto' }) {
  const period = periodOf(input, scope.clock());
  const bucket = input.bucket === 'auto' ? chooseBucket(daysBetween(period.from, period.to)) : input.bucket;
  const rows = await ask<Counts & { day: string }>(
    scope,
    input,
    period,
    (rollups, value) =>
      `SELECT to_char(date_trunc(${value(bucket)}, r.quarter AT TIME ZONE $4), 'YYYY-MM-DD') AS day, ${SUMS} FROM ${rollups} GROUP BY 1`,
  );
  const found = new Map(rows.map(({ day, ...counts }) => [day, counts]));
  return {
    ...period,
    bucket,
    points: listBuckets(period.from, period.to, bucket).map((day) => ({ day, ...(found.get(day) ?? none) })),
  };
}

const none: Counts = { sent: 0, delivered: 0, read: 0, failed: 0, replied: 0 };

/** Parts of a whole, so that none is counted twice. What failed or arrived in the period may have been sent before it: nothing is below zero. */
export async function readStatuses(scope: ReadScope, input: ReportInput) {
  const period = periodOf(input, scope.clock());
  const { reported, delivered, read, failed } = await readSums(scope, input, period);
  return {
    ...period,
    read,
    delivered: Math.max(0, delivered - read),
    sent: Math.max(0, reported - delivered - failed),
    failed,
  };
}

type Named = Counts & { id: string; name: string | null; isDeleted: boolean; total: number };

/** Figures by campaign or template; whatever is deleted is called as it was. */
function readNamed(
  scope: ReadScope,
  input: ReportInput & { limit: number },
  period: Period,
  { table, order }: { table: 'campaigns' | 'templates'; order: string },
): Promise<Named[]> {
  const column = table === 'campaigns' ? 'campaign_id' : 'template_id';
  return ask<Named>(
    scope,
    input,
    period,
    (rollups, value) => `
    SELECT f.*, coalesce(k.name, d.name) AS name, k.id IS NULL AS "isDeleted" FROM (
      SELECT *, count(*) OVER ()::integer AS total FROM (
        SELECT r.${column} AS id, ${SUMS} FROM ${rollups} AND r.${column} IS NOT NULL GROUP BY 1) AS s
       WHERE sent + delivered + read + failed + replied > 0 ORDER BY ${order}, id LIMIT ${value(input.limit)}::integer) AS f
      LEFT JOIN ${table} k ON k.id = f.id AND k.workspace_id = $1
      LEFT JOIN rollup_names d ON d.id = f.id AND d.workspace_id = $1 ORDER BY ${order}, f.id`,
  );
}

/** Without how many there are, which each row says. */
function shownOf({ id, name, isDeleted, sent, delivered, read, failed, replied }: Named) {
  return { id, name, isDeleted, sent, delivered, read, failed, replied };
}

export async function readCampaigns(scope: ReadScope, input: ReportInput & { limit: number }) {
  const period = periodOf(input, scope.clock());
  const rows = await readNamed(scope, input, period, { table: 'campaigns', order: 'sent DESC' });
  return { ...period, total: rows[0]?.total ?? 0, items: rows.map(shownOf) };
}

export async function readTemplates(scope: ReadScope, input: ReportInput & { limit: number }) {
  const period = periodOf(input, scope.clock());
  const order = 'read / nullif(delivered, 0) DESC NULLS LAST, delivered DESC';
  const rows = await readNamed(scope, input, period, { table: 'templates', order });
  return {
    ...period,
    total: rows[0]?.total ?? 0,
    items: rows.map((row) => ({ ...shownOf(row), readRate: percent(row.read, row.delivered) })),
  };
}

export async function readBestTime(scope: ReadScope, input: ReportInput) {
  const period = periodOf(input, scope.clock());
  const rows = await ask<Counts & { hour: number }>(
    scope,
    input,
    period,
    (rollups) =>
      `SELECT extract(hour FROM r.quarter AT TIME ZONE $4)::integer AS hour, ${SUMS} FROM ${rollups} GROUP BY 1`,
  );
  const found = new Map(rows.map((row) => [row.hour, row]));
  const hours = Array.from({ length: 24 }, (_, hour) => found.get(hour) ?? { hour, ...none });
  return { ...period, hours, peak: findPeakHours(hours.map(({ read }) => read)) };
}

/** With one decimal; 0 of nothing. */
function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : round((part / whole) * 100);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
