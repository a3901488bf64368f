import type { MessageFilter } from '@app/domain/analytics/report-filter';
import type { BindValue } from '../bind-value.ts';
import { countryDaysSql, countryLiveSql, countryQuartersSql } from './country-source.ts';
import { reportConditions } from './message-events.ts';

/** What a report is about to group by: `none` is one sum of everything, `hour` the hour of the day. */
export type ReportGrouping = 'none' | 'time' | 'hour' | 'campaign' | 'template';

type Asked = {
  workspaceId: string;
  /** When the period begins and ends, as expressions. */
  since: string;
  before: string;
  grouping: ReportGrouping;
  /** Of the hours of the day. */
  zone: string;
};

const SUMMED = ['delivered', 'read', 'failed', 'received', 'replied', 'clicked', 'cost', 'refused'];
const ID_COLUMNS = { campaign: 'campaign_id', template: 'template_id' } as const;

/**
 * The rollups of a report as a table, with `quarter`, `campaign_id`, `template_id`, `sent`, `reported` (sent by ways of which the platform reports what
 * became of it), `delivered`, `read`, `failed`, `received`, `replied`, `clicked`, `cost` and `refused` (failed, and never sent). It reads the fewest rows that give exactly the same sums:
 * whole days of UTC as they are added up in `message_rollup_sums`, and what is before the first and behind the last of them by quarters of an hour.
 * `campaign_id` and `template_id` are there only where they are grouped by or filtered; `quarter` only for `time`. For `hour` there is `local`, the wall clock,
 * where `knowsLocal` says so.
 */
export function rollupSourceSql(
  filter: MessageFilter,
  asked: Asked,
  bind: BindValue,
  /** `live`: only what is not in the rollups yet. */
  which: 'all' | 'live' = 'all',
): string {
  const { since, before, grouping } = asked;
  if (filter.country !== undefined) return countrySourceSql(filter, filter.country, asked, bind, which);
  const conditions = (from: string, to: string) =>
    `r.workspace_id = ${bind(asked.workspaceId, 'uuid')} AND ${reportConditions(filter, { ...asked, since: from, before: to }, bind)}`;
  const rollups = (table: string, from: string, to: string) =>
    `SELECT r.quarter, r.campaign_id, r.template_id, r.sent, CASE WHEN r.author <> 'app' THEN r.sent ELSE 0 END AS reported, ${SUMMED.map((one) => `r.${one}`).join(', ')}
       FROM ${table} r WHERE ${conditions(from, to)}`;
  const live = rollups('message_rollup_deltas', since, before);
  if (which === 'live') return `(${live})`;
  const sums = (level: Level, from: string, to: string) =>
    sumsSql(filter, { ...asked, level, from, to }, bind);
  // Of one template the days are added up too.
  const hasDays = isOfTemplate(filter) && (grouping === 'none' || grouping === 'template');
  if (isOfOne(filter) && !hasDays) return `(${rollups('message_rollups', since, before)} UNION ALL ${live})`;
  if (grouping === 'time') return `(${sums('quarter', since, before)} UNION ALL ${live})`;
  if (grouping === 'hour')
    return `(${hoursSql(filter, asked, bind)} UNION ALL SELECT l.*, l.quarter AT TIME ZONE ${bind(asked.zone, 'text')} FROM (${live}) AS l)`;
  if (grouping === 'none' && !hasDays) return `(${[...wholeDaysSql(asked, sums), live].join(' UNION ALL ')})`;
  const { first, last } = wholeDays(asked);
  const by = grouping === 'none' ? 'template' : grouping;
  const edge = (from: string, to: string) =>
    `${rollups('message_rollups', from, to)} AND r.${ID_COLUMNS[by]} IS NOT NULL`;
  return `(${[
    ...(by === 'template' ? templateSums({ first, last }, sums) : [sums(by, first, last)]),
    edge(since, `least(${first}, ${before})`),
    edge(last, before),
    live,
  ].join(' UNION ALL ')})`;
}

/** Of a country: its whole days where one sum is asked, else its quarters of an hour. Clicks and costs are not known by country. */
function countrySourceSql(
  filter: MessageFilter,
  country: string,
  { workspaceId, since, before, grouping }: Asked,
  bind: BindValue,
  which: 'all' | 'live',
): string {
  const asked = { workspaceId, filter, country };
  const quarters = (from: string, to: string) => countryQuartersSql(asked, from, to, bind);
  const live = countryLiveSql(asked, since, before, bind);
  if (which === 'live') return `(${live})`;
  if (grouping !== 'none' || isOfOne(filter)) return `(${quarters(since, before)} UNION ALL ${live})`;
  const { first, last } = wholeDays({ since, before });
  return `(${[
    countryDaysSql(asked, first, last, bind),
    quarters(since, `least(${first}, ${before})`),
    quarters(last, before),
    live,
  ].join(' UNION ALL ')})`;
}

/** Whole days as stretches of 30 days, and the days around them. */
function templateSums(
  { first, last }: { first: string; last: string },
  sums: (level: Level, from: string, to: string) => string,
): string[] {
  const { firstMonth, lastMonth } = wholeMonths({ first, last });
  return [
    sums('template_month', firstMonth, lastMonth),
    sums('template', first, `least(${firstMonth}, ${last})`),
    sums('template', lastMonth, last),
  ];
}

/** The first whole stretch of 30 days among whole days, and the end of the last one. */
export function wholeMonths({ first, last }: { first: string; last: string }): {
  firstMonth: string;
  lastMonth: string;
} {
  const firstMonth = `next_thirty_days_of(${first})`;
  return { firstMonth, lastMonth: `greatest(${firstMonth}, thirty_days_of(${last}))` };
}

/**
 * The same by days, weeks or months: a table with `place`, which of the buckets that begin on `days` it is, from 1 on, and `counts`. Not for one campaign or
 * template. A bucket is the days of UTC between the midnights of UTC that are next to its ends. What lies between an end and that midnight, half a day at
 * most, is added on one side of the end and taken away on the other.
 */
export function bucketSourceSql(
  filter: MessageFilter,
  asked: Omit<Asked, 'grouping'> & { days: readonly string[]; counts: readonly string[] },
  bind: BindValue,
): string {
  const { country } = filter;
  const { workspaceId, since, before, counts, days } = asked;
  const each = (say: (count: string) => string) => counts.map(say).join(', ');
  const ofCountry = country === undefined ? null : { workspaceId, filter, country };
  const sums = (level: Level, from: string, to: string) =>
    sumsSql(filter, { ...asked, level, from, to }, bind);
  const wholeDays = (from: string, to: string) =>
    ofCountry ? countryDaysSql(ofCountry, from, to, bind) : sums('day', from, to);
  // Countries have no sums of hours.
  const between = ofCountry
    ? countryQuartersSql(ofCountry, 'least(e.at, e.midnight)', 'greatest(e.at, e.midnight)', bind)
    : `${sums('hour', 'e.first_hour', 'e.last_hour')} UNION ALL ${sums('quarter', 'e.first_quarter', 'e.last_quarter')}`;
  const places = bind(days.length, 'integer');
  const place = (at: string, thresholds: string) => `width_bucket(${at}, ARRAY(${thresholds}))`;
  const live = rollupSourceSql(filter, { ...asked, grouping: 'time' }, bind, 'live');
  return `(WITH ${startsSql(asked, bind)}, ${endsSql({ since, before, places })}
    SELECT ${place('d.quarter', 'SELECT e.midnight FROM ends e ORDER BY e.place')} AS place, ${each((one) => `d.${one}::float8 AS ${one}`)}
      FROM (${wholeDays(midnightNextTo(since), midnightNextTo(before))}) AS d
    UNION ALL
    SELECT x.place + side.place, ${each((one) => `x.sign * side.sign * x.${one}`)} FROM (
        SELECT e.place, e.sign, x.* FROM ends e
         CROSS JOIN LATERAL (SELECT ${each((one) => `sum(b.${one}::float8) AS ${one}`)} FROM (${between}) AS b OFFSET 0) AS x WHERE e.at <> e.midnight OFFSET 0) AS x
     CROSS JOIN (VALUES (0, 1), (-1, -1)) AS side (place, sign) WHERE x.place + side.place BETWEEN 1 AND ${places}
    UNION ALL
    SELECT ${place('l.quarter', 'SELECT t.at FROM starts AS t ORDER BY t.at')}, ${each((one) => `l.${one}`)} FROM ${live} AS l)`;
}

/** The midnight of UTC next to an instant. */
export const midnightNextTo = (at: string) => `day_of(${at} + interval '12 hours')`;

/**
 * Where the buckets behind `startsSql` begin, as `ends` of a WITH, and at the last place where all of them end: each with the `midnight` of UTC next to it,
 * the sign of what lies between, and how that is cut at hours.
 */
export function endsSql({
  since,
  before,
  places,
}: {
  since: string;
  before: string;
  places: string;
}): string {
  const whole = `hour_of(e.at + interval '1 hour' - interval '1 microsecond')`;
  const cut = (early: string, late: string) => `CASE WHEN e.at < e.midnight THEN ${early} ELSE ${late} END`;
  return `ends AS MATERIALIZED (
    SELECT e.*, ${cut('1', '-1')} AS sign, ${cut(whole, 'e.midnight')} AS first_hour, ${cut('e.midnight', 'hour_of(e.at)')} AS last_hour,
        ${cut('e.at', 'hour_of(e.at)')} AS first_quarter, ${cut(whole, 'e.at')} AS last_quarter
      FROM (SELECT n.*, ${midnightNextTo('n.at')} AS midnight FROM (
        SELECT row_number() OVER (ORDER BY t.at)::integer AS place, least(greatest(t.at, ${since}), ${before}) AS at FROM starts AS t
        UNION ALL SELECT ${places} + 1, ${before}) AS n) AS e)`;
}

type Buckets = { zone: string; days: readonly string[] };

/** When the buckets begin, as `starts` of a WITH: the calendar is asked once. */
export function startsSql({ zone, days }: Buckets, bind: BindValue): string {
  return `starts AS MATERIALIZED (SELECT day_start(d.day, ${bind(zone, 'text')}) AS at FROM unnest(${bind(days, 'date[]')}) AS d (day))`;
}

/**
 * Of 30 days in which the clocks of the zone are not changed, the quarters of an hour of a day, each as if all had been on the first of these days. Of the
 * 30 days in which they are, and of what is before and behind, the same of 5 days, and of the rest all quarters.
 */
function hoursSql(filter: MessageFilter, asked: Asked, bind: BindValue): string {
  return stretchesSql({ ...asked, zone: bind(asked.zone, 'text') }, hourRowsSql(filter, asked, bind));
}

/** The rows of messages that `stretchesSql` asks for; not of one campaign or template. */
export function hourRowsSql(
  filter: MessageFilter,
  asked: { workspaceId: string },
  bind: BindValue,
): { slots: string; shortSlots: string; quarters: string } {
  const sums = (level: Level, from: string, to: string) =>
    sumsSql(filter, { ...asked, level, from, to }, bind);
  return {
    slots: sums('slot', 'b.at', 'b.until'),
    shortSlots: sums('short_slot', 'p.since', 'p.before'),
    quarters: sums('quarter', 'p.since', 'p.before'),
  };
}

/**
 * A period in stretches: `slots` is asked for the 30 days in which the clocks of the zone are not changed, those in a row at once, from `b.at` to
 * `b.until`; all others are cut where five days begin (`five_days_of`). Of these `shortSlots` is asked for whole ones in which clocks are
 * not changed, and `quarters` for the rest, both from `p.since` to `p.before`. `zone` is an expression. With `OFFSET 0` each is asked for by itself: joined, the
 * planner would compare all rows of the level with all stretches. Each row has its wall clock as `local`: it is the same distance from UTC in all of a
 * stretch, so that the calendar is not asked for each row; only for those of the five days in which the clocks are changed.
 */
export function stretchesSql(
  { since, before, zone }: { since: string; before: string; zone: string },
  { slots, shortSlots, quarters }: { slots: string; shortSlots: string; quarters: string },
): string {
  const first = `next_thirty_days_of(${since})`;
  const last = `greatest(${first}, thirty_days_of(${before}))`;
  const off = (at: string) => `(${at} AT TIME ZONE ${zone}) - (${at} AT TIME ZONE 'UTC')`;
  // Nowhere clocks are changed and changed back within five days.
  const offs = `SELECT min(o.off) AS off, min(o.off) = max(o.off) AS is_steady FROM (SELECT ${off('d.at')} AS off
    FROM generate_series(b.at, b.at + interval '720 hours', interval '120 hours') AS d (at)) AS o`;
  return `SELECT * FROM (
    WITH days AS MATERIALIZED (
      SELECT b.at, b.at + interval '720 hours' AS until, o.off, o.is_steady
        FROM generate_series(${first}, ${last} - interval '720 hours', interval '720 hours') AS b (at) CROSS JOIN LATERAL (${offs}) AS o),
    steady AS MATERIALIZED (
      SELECT min(b.at) AS at, max(b.until) AS until, min(b.off) AS off
        FROM (SELECT d.*, count(*) FILTER (WHERE NOT d.is_steady) OVER (ORDER BY d.at) AS changes FROM days d) AS b
       WHERE b.is_steady GROUP BY b.changes),
    others AS MATERIALIZED (
      SELECT p.*, p.off IS NOT NULL AND p.before - p.since = interval '120 hours' AS is_whole FROM (
        SELECT p.since, p.before, CASE WHEN ${off('p.since')} = ${off('p.before')} THEN ${off('p.since')} END AS off FROM (
          SELECT greatest(g.at, o.since) AS since, least(g.at + interval '120 hours', o.before) AS before FROM (
            SELECT b.at AS since, b.until AS before FROM days b WHERE NOT b.is_steady
            UNION ALL SELECT ${since}, least(${first}, ${before}) UNION ALL SELECT ${last}, ${before}) AS o
          CROSS JOIN LATERAL generate_series(five_days_of(o.since), o.before - interval '1 microsecond', interval '120 hours') AS g (at)
           WHERE o.since < o.before) AS p) AS p)
    SELECT x.*, x.quarter AT TIME ZONE b.off AS local FROM steady b CROSS JOIN LATERAL (${slots} OFFSET 0) AS x
    UNION ALL
    SELECT x.*, x.quarter AT TIME ZONE p.off FROM others p CROSS JOIN LATERAL (${shortSlots} OFFSET 0) AS x WHERE p.is_whole
    UNION ALL
    SELECT x.*, CASE WHEN p.off IS NULL THEN x.quarter AT TIME ZONE ${zone} ELSE x.quarter AT TIME ZONE p.off END
      FROM others p CROSS JOIN LATERAL (${quarters} OFFSET 0) AS x WHERE NOT p.is_whole) AS h`;
}

type Level = 'quarter' | 'hour' | 'day' | 'slot' | 'short_slot' | 'campaign' | 'template' | 'template_month';

/** Of one campaign or template there are few rows, which an index finds. */
export function isOfOne({ campaignId, templateId }: MessageFilter): boolean {
  return campaignId !== undefined || templateId !== undefined;
}

/** One template in any campaign: of it there are many rows, and sums of its days. */
function isOfTemplate({ campaignId, templateId }: MessageFilter): boolean {
  return templateId !== undefined && campaignId === undefined;
}

/** Whether hours of the day come with their wall clock. */
export function knowsLocal(filter: MessageFilter): boolean {
  return filter.country === undefined && !isOfOne(filter);
}

/** The first whole day of UTC of a stretch of time, and the end of its last one. */
export function wholeDays({ since, before }: { since: string; before: string }): {
  first: string;
  last: string;
} {
  const first = `next_day_of(${since})`;
  return { first, last: `greatest(${first}, day_of(${before}))` };
}

/** Three parts that are all of it: its whole days, and the quarters of an hour before and behind them. */
function wholeDaysSql(
  stretch: { since: string; before: string },
  sums: (level: Level, from: string, to: string) => string,
): string[] {
  const { first, last } = wholeDays(stretch);
  return [
    sums('day', first, last),
    sums('quarter', stretch.since, `least(${first}, ${stretch.before})`),
    sums('quarter', last, stretch.before),
  ];
}

function sumsSql(
  filter: MessageFilter,
  { workspaceId, level, from, to }: { workspaceId: string; level: Level; from: string; to: string },
  bind: BindValue,
): string {
  const id = (of: 'campaign' | 'template') => (level.startsWith(of) ? 's.id' : 'NULL::uuid');
  const isOf = isOfTemplate(filter) ? ` AND s.id = ${bind(filter.templateId, 'uuid')}` : '';
  return `SELECT s.at AS quarter, ${id('campaign')} AS campaign_id, ${id('template')} AS template_id, s.sent, s.reported, ${SUMMED.map((one) => `s.${one}`).join(', ')}
     FROM message_rollup_sums s WHERE s.workspace_id = ${bind(workspaceId, 'uuid')} AND s.level = '${level}' AND ${channelSql(filter, workspaceId, bind)}
      AND s.at >= ${from} AND s.at < ${to}${isOf}`;
}

/** Null is all channels together, so that nobody adds them up. */
function channelSql({ channelId, channel }: MessageFilter, workspaceId: string, bind: BindValue): string {
  if (channelId === undefined && channel === undefined) return 's.channel_id IS NULL';
  return [
    ...(channelId === undefined ? [] : [`s.channel_id = ${bind(channelId, 'uuid')}`]),
    ...(channel === undefined
      ? []
      : [
          `s.channel_id = ANY (ARRAY(SELECT id FROM channels WHERE workspace_id = ${bind(workspaceId, 'uuid')} AND kind = ${bind(channel, 'text')}))`,
        ]),
  ].join(' AND ');
}
