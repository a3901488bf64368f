import { contactFilterSql } from '@app/database/contacts/contact-filter';
import { bindTo, type BindValue } from '@app/database/bind-value';
import {
  bucketSourceSql,
  isOfOne,
  knowsLocal,
  rollupSourceSql,
  type ReportGrouping,
} from '@app/database/analytics/rollup-source';
import {
  countrySql,
  dayStartSql,
  messageConditions,
  messageCountsSql,
  messageEventsSql,
  runsOfPeriodSql,
  type EventColumn,
} from '@app/database/analytics/message-events';
import type { RunStretch } from '@app/database/campaigns/first-run';
import type { MessageFilter } from '@app/domain/analytics/report-filter';
import {
  addDays,
  dayIn,
  DEFAULT_PERIOD_DAYS,
  LONGEST_PERIOD,
  type VolumeBucket,
} from '@app/domain/analytics/report-period';
import { readGeneralSettings } from '@app/domain/settings/general-settings';
import type { SegmentRules } from '@app/domain/segments/segment-rules';
import { findSegment } from '../segments/segments-queries.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';

export type ReportInput = MessageFilter & {
  from?: string | undefined;
  to?: string | undefined;
  zone: string;
  tag?: string | undefined;
  segmentId?: string | undefined;
};

/** What is asked, with its days and the rules of its segment. */
export type Report = MessageFilter & {
  from: string;
  to: string;
  zone: string;
  tag?: string | undefined;
  rules?: SegmentRules | undefined;
  /** The time (HH:MM) of the last day at which it ends; without it that day counts whole. */
  until?: string | null;
};

export async function openReport(
  scope: ReadScope,
  input: ReportInput,
): Promise<Report | 'segment_not_found'> {
  const { segmentId, ...rest } = input;
  const period = periodOf(input, scope.clock());
  if (segmentId === undefined) return { ...rest, ...period };
  const segment = await findSegment(scope, scope.workspaceId, segmentId);
  return segment === null ? 'segment_not_found' : { ...rest, ...period, rules: segment.rules };
}

/** The days that are asked for; one that is missing follows from the other, else the last 30 days. */
function periodOf({ from, to, zone }: ReportInput, now: Date): { from: string; to: string } {
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

type RowOptions = {
  /** Messages that failed in the period, with their `error_code`, of which rollups know nothing. */
  isOfFailures?: boolean;
  /** A period before that of the report, for a report that `readsMessages`: its counts are there too, behind the names `…_before`. */
  compared?: Period | undefined;
};

type Period = Pick<Report, 'from' | 'to' | 'until'>;

/**
 * Asks the figures of a report: `counted` is what stands behind FROM, with `r` in the columns of `rollupSourceSql` and the conditions of the
 * report behind WHERE; `local` is the wall clock of the zone at each quarter of an hour, for the grouping `hour`. Rollups are asked, unless the
 * report is narrowed to contacts or writers, of whom they know nothing.
 */
export async function askReport<Row extends object>(
  scope: ReadScope,
  report: Report,
  grouping: ReportGrouping,
  text: (parts: { counted: string; local: () => string; bind: BindValue }) => string,
  { isOfFailures = false, compared }: RowOptions = {},
): Promise<Row[]> {
  const values: unknown[] = [];
  const bind = bindTo(values);
  const { workspaceId } = scope;
  const isRolledUp = !isOfFailures && !readsMessages(report);
  const known = isRolledUp ? undefined : await readPeriod(scope, report, compared);
  const since = known ? bind(known.since, 'timestamptz') : dayStartSql(report.from, report.zone, bind);
  const before = known ? bind(known.before, 'timestamptz') : endSql(report, bind);
  const ofRows = () => {
    const { agentId, teamId } = report;
    const contacts = contactsSql(report, workspaceId, bind);
    const { runs, first, end } = known!;
    const bounds = { since, before, ...(end && { since: bind(first, 'timestamptz') }) };
    const periods = [
      { since, before, suffix: '' },
      ...(end ? [{ since: bounds.since, before: bind(end, 'timestamptz'), suffix: '_before' }] : []),
    ];
    const asked = { workspaceId, ...bounds, contacts, agentId, teamId, isFailed: isOfFailures, runs };
    const columns: EventColumn[] = [
      ...(grouping === 'template' || report.templateId !== undefined ? (['template_id'] as const) : []),
      ...(isOfFailures ? (['error_code'] as const) : []),
    ];
    const conditions = messageConditions(report, workspaceId, bind);
    return grouping === 'time' || grouping === 'hour'
      ? `(${messageEventsSql(asked, columns, conditions, bind)}) r WHERE true`
      : `(${messageCountsSql(asked, columns, bind, periods)}) r WHERE ${conditions}`;
  };
  const counted = isRolledUp
    ? `${rollupSourceSql(report, { workspaceId, since, before, grouping, zone: report.zone }, bind)} r WHERE true`
    : ofRows();
  // Bound where it is used: PostgreSQL takes no value that the statement does not name.
  const local = () =>
    isRolledUp && grouping === 'hour' && knowsLocal(report)
      ? 'r.local'
      : `r.quarter AT TIME ZONE ${bind(report.zone, 'text')}`;
  const { rows } = await scope.query<Row>(text({ counted, local, bind }), values);
  return rows;
}

/**
 * When a period begins and ends, when the compared one before it begins (`first`) and ends (`end`, null without one), and the runs of both: as values, so
 * that the planner knows how much there is to read.
 */
async function readPeriod(
  scope: ReadScope,
  report: Report,
  compared: Period | undefined,
): Promise<{ since: Date; before: Date; first: Date; end: Date | null; runs: RunStretch }> {
  const values: unknown[] = [];
  const bind = bindTo(values);
  const startSql = ({ from }: Period) => dayStartSql(from, report.zone, bind);
  const [since, before] = [startSql(report), endSql(report, bind)];
  const first = compared ? startSql(compared) : since;
  const end = compared ? endSql({ ...report, ...compared }, bind) : 'NULL::timestamptz';
  const runs = runsOfPeriodSql({ workspaceId: scope.workspaceId, since: first, before }, bind);
  const { rows } = await scope.query<
    RunStretch & { since: Date; before: Date; first: Date; end: Date | null }
  >(
    `SELECT ${since} AS since, ${before} AS before, ${first} AS first, ${end} AS "end", r.* FROM (${runs}) AS r`,
    values,
  );
  const { since: begins, before: ends, first: firstOfAll, end: endOfCompared, ...stretch } = rows[0]!; // an aggregate without GROUP BY gives one row
  return { since: begins, before: ends, first: firstOfAll, end: endOfCompared, runs: stretch };
}

function endSql({ to, until = null, zone }: Report, bind: BindValue): string {
  if (until === null) return dayStartSql(addDays(to, 1), zone, bind);
  return `(${bind(`${to} ${until}`, 'timestamp')} AT TIME ZONE ${bind(zone, 'text')})`;
}

/** The same by days, weeks or months, which begin on `days`: each row has its `place` among them, from 1 on, and the sums of `counts`. */
export async function askBuckets<Row extends { place: number }>(
  scope: ReadScope,
  report: Report,
  { days, counts }: { days: readonly string[]; counts: readonly string[] },
): Promise<Row[]> {
  const { workspaceId } = scope;
  const { zone } = report;
  const sums = sumsOf(counts);
  const values: unknown[] = [];
  const bind = bindTo(values);
  if (!readsMessages(report) && !isOfOne(report)) {
    const [since, before] = [dayStartSql(report.from, zone, bind), endSql(report, bind)];
    const source = bucketSourceSql(report, { workspaceId, since, before, zone, days, counts }, bind);
    return (await scope.query<Row>(`SELECT r.place, ${sums} FROM ${source} r GROUP BY 1`, values)).rows;
  }
  return askReport<Row>(
    scope,
    report,
    'time',
    (parts) =>
      `SELECT ${bucketPlaceSql(days, zone, parts.bind)} AS place, ${sums} FROM ${parts.counted} GROUP BY 1`,
  );
}

/** Sums of `r` as numbers of JavaScript: they are exact, because nobody sends more messages than such a number has digits, and no row of the answer is converted. */
export function sumsOf(counts: readonly string[]): string {
  return counts.map((name) => `coalesce(sum(r.${name}::float8), 0) AS ${name}`).join(', ');
}

/**
 * In which bucket the quarter of `r` is, from 1 on, by the first days of all of them in a time zone. The calendar is asked once for each bucket and
 * not for each row.
 */
export function bucketPlaceSql(days: readonly string[], zone: string, bind: BindValue): string {
  return `width_bucket(r.quarter, ARRAY(SELECT day_start(d.day, ${bind(zone, 'text')})
    FROM unnest(${bind(days, 'date[]')}) WITH ORDINALITY AS d (day, n) ORDER BY d.n))`;
}

/** Whether it is narrowed to contacts or writers, of whom the rollups know nothing: the messages themselves are read. */
export function readsMessages({ tag, rules, agentId, teamId }: Report): boolean {
  return [tag, rules, agentId, teamId].some((part) => part !== undefined);
}

/** Whether clicks and costs are known: the rollups have them, but not by country. */
export function knowsClicks(report: Report): boolean {
  return !readsMessages(report) && report.country === undefined;
}

/** The same, or to a country, which is that of the contact where contacts are counted. */
export function asksForContacts(report: Report): boolean {
  return readsMessages(report) || report.country !== undefined;
}

/** Whether it is about everything, or one campaign: of these, contacts are counted once already. */
export function isOfAllContacts(report: Report): boolean {
  const { channelId, channel, templateId } = report;
  return !asksForContacts(report) && [channelId, channel, templateId].every((part) => part === undefined);
}

export function contactsSql(
  { tag, rules, country }: Report,
  workspaceId: string,
  bind: BindValue,
): string | undefined {
  if (tag === undefined && rules === undefined && country === undefined) return undefined;
  const filter = contactFilterSql({ tags: tag === undefined ? undefined : [tag], rules }, bind, {
    workspaceId,
  });
  return country === undefined ? filter : `${filter} AND ${countrySql(country, bind)}`;
}

/** On which day of the week (0 is Sunday) the weeks of the workspace begin; asked only where a chart shows weeks. */
export async function readWeekStart(scope: ReadScope, bucket: VolumeBucket): Promise<number> {
  if (bucket !== 'week') return 1;
  const { rows } = await scope.query<{ settings: Record<string, unknown> | null }>(
    'SELECT settings FROM workspaces WHERE id = $1',
    [scope.workspaceId],
  );
  return readGeneralSettings({ ...rows[0]?.settings }).weekStartsOn;
}
