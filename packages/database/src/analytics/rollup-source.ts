import type { MessageFilter } from '@app/domain/analytics/report-filter';
import type { VolumeBucket } from '@app/domain/analytics/report-period';
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
  if (isOfOne(filter)) return `(${rollups('message_rollups', since, before)} UNION ALL ${live})`;
  const sums = (level: Level, from: string, to: string) =>
    sumsSql(filter, { ...asked, level, from, to }, bind);
  if (grouping === 'time') return `(${sums('quarter', since, before)} UNION ALL ${live})`;
  if (grouping === 'hour')
    return `(${hoursSql(filter, asked, bind)} UNION ALL SELECT l.*, l.quarter AT TIME ZONE ${bind(asked.zone, 'text')} FROM (${live}) AS l)`;
  if (grouping === 'none') return `(${[...wholeDaysSql(asked, sums), live].join(' UNION ALL ')})`;
  const { first, last } = wholeDays(asked);
  const edge = (from: string, to: string) =>
    `${rollups('message_rollups', from, to)} AND r.${ID_COLUMNS[grouping]} IS NOT NULL`;
  return `(${[
    ...(grouping === 'template' ? templateSums({ first, last }, sums) : [sums(grouping, first, last)]),
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
 * The same by days, weeks or months: a table with `place`, which of the buckets that begin on `days` it is, from 1 on. Weeks and months are cut at days of
 * UTC, days at its hours. Not for one campaign or template.
 */
export function bucketSourceSql(
  filter: MessageFilter,
  asked: Omit<Asked, 'grouping'> & { days: readonly string[]; bucket: VolumeBucket },
  bind: BindValue,
): string {
  const { country } = filter;
  const columns = ['sent', 'reported', ...SUMMED].filter(
    (one) => country === undefined || (one !== 'clicked' && one !== 'cost'),
  );
  const of = (alias: string) => columns.map((one) => `${alias}.${one}`).join(', ');
  const ofCountry = country === undefined ? null : { workspaceId: asked.workspaceId, filter, country };
  const sums = (level: Level, from: string, to: string) =>
    ofCountry === null
      ? sumsSql(filter, { ...asked, level, from, to }, bind)
      : level === 'day'
        ? countryDaysSql(ofCountry, from, to, bind)
        : countryQuartersSql(ofCountry, from, to, bind);
  const place = (at: string) => `width_bucket(${at}, ARRAY(SELECT t.at FROM starts AS t ORDER BY t.at))`;
  const live = rollupSourceSql(filter, { ...asked, grouping: 'time' }, bind, 'live');
  const liveSql = `SELECT ${place('l.quarter')} AS place, ${of('l')} FROM ${live} AS l`;
  if (asked.bucket === 'day' && ofCountry !== null)
    return `(WITH ${startsSql(asked, bind)} SELECT ${place('x.quarter')} AS place, ${of('x')}
      FROM (${sums('quarter', asked.since, asked.before)}) AS x UNION ALL ${liveSql})`;
  if (asked.bucket === 'day') {
    // An hour in which a day begins is read by its quarters; so days begin there in zones of half hours.
    const edges = `SELECT t.at FROM starts AS t UNION SELECT ${asked.before}`;
    return `(WITH ${startsSql(asked, bind)}, split AS MATERIALIZED (SELECT DISTINCT hour_of(e.at) AS at FROM (${edges}) AS e WHERE e.at <> hour_of(e.at))
      SELECT ${place('h.quarter')} AS place, ${of('h')} FROM (${sums('hour', `hour_of(${asked.since})`, asked.before)}) AS h
       WHERE NOT EXISTS (SELECT FROM split p WHERE p.at = h.quarter)
      UNION ALL SELECT ${place('x.quarter')}, ${of('x')} FROM split p CROSS JOIN LATERAL (${sums(
        'quarter',
        `greatest(p.at, ${asked.since})`,
        `least(p.at + interval '1 hour', ${asked.before})`,
      )} OFFSET 0) AS x
      UNION ALL ${liveSql})`;
  }
  // Countries have no sums of hours.
  const around: [Level, string, string][] =
    ofCountry === null
      ? [
          ['quarter', 'p.since', 'p.first_hour'],
          ['hour', 'p.first_hour', 'p.edge_hour'],
          ['quarter', 'p.edge_hour', 'p.edge'],
          ['hour', 'p.last', 'p.last_hour'],
          ['quarter', 'p.last_hour', 'p.before'],
        ]
      : [
          ['quarter', 'p.since', 'p.edge'],
          ['quarter', 'p.last', 'p.before'],
        ];
  const parts = [['day', 'p.first', 'p.last'] as const, ...around].map(
    ([level, from, to]) =>
      `SELECT p.place, ${of('x')} FROM buckets p CROSS JOIN LATERAL (${sums(level, from, to)} OFFSET 0) AS x WHERE ${from} < ${to}`,
  );
  return `(WITH ${startsSql(asked, bind)}, ${bucketsSql(asked)} ${parts.join(' UNION ALL ')} UNION ALL ${liveSql})`;
}

type Buckets = { since: string; before: string; zone: string; days: readonly string[] };

/** When the buckets begin, as `starts` of a WITH: the calendar is asked once. */
export function startsSql({ zone, days }: Pick<Buckets, 'zone' | 'days'>, bind: BindValue): string {
  return `starts AS MATERIALIZED (SELECT day_start(d.day, ${bind(zone, 'text')}) AS at FROM unnest(${bind(days, 'date[]')}) AS d (day))`;
}

/**
 * The buckets behind `startsSql`, as `buckets` of a WITH: `place` from 1 on, `since` and `before`, and how each is cut at days of UTC: quarters from
 * `since` to `edge`, whole days from `first` to `last`, quarters from `last` to `before`. The quarters are cut at hours: whole ones are from `first_hour` to
 * `edge_hour`, and from `last` to `last_hour`.
 */
export function bucketsSql({ since, before }: Pick<Buckets, 'since' | 'before'>): string {
  const ends = `SELECT row_number() OVER (ORDER BY t.at)::integer AS place, greatest(t.at, ${since}) AS since,
      least(coalesce(lead(t.at) OVER (ORDER BY t.at), ${before}), ${before}) AS before FROM starts AS t`;
  // Not next_day_of, which is no part of the plan and takes longer for days of a table.
  const first = `day_of(e.since + interval '24 hours' - interval '1 microsecond')`;
  const last = `greatest(${first}, day_of(e.before))`;
  return `buckets AS MATERIALIZED (
    SELECT h.*, greatest(h.first_hour, hour_of(h.edge)) AS edge_hour, greatest(h.last, hour_of(h.before)) AS last_hour FROM (
      SELECT b.*, least(b.first, b.before) AS edge,
        least(hour_of(b.since + interval '1 hour' - interval '1 microsecond'), b.first, b.before) AS first_hour
        FROM (SELECT e.*, ${first} AS first, ${last} AS last FROM (${ends}) AS e) AS b) AS h)`;
}

/**
 * Of 30 days in which the clocks of the zone are not changed, the quarters of an hour of a day, each as if all had been on the first of these days. Of the
 * 30 days in which they are, and of what is before and behind, all quarters.
 */
function hoursSql(filter: MessageFilter, asked: Asked, bind: BindValue): string {
  const sums = (level: Level, from: string, to: string) =>
    sumsSql(filter, { ...asked, level, from, to }, bind);
  return stretchesSql(
    { ...asked, zone: bind(asked.zone, 'text') },
    {
      slots: sums('slot', 'b.at', 'b.until'),
      quarters: sums('quarter', 'p.since', 'p.before'),
    },
  );
}

/**
 * A period in stretches: `slots` is asked for the 30 days in which the clocks of the zone are not changed, those in a row at once, from `b.at` to
 * `b.until`; `quarters` for all others, from `p.since` to `p.before`. `zone` is an expression. With `OFFSET 0` each is asked for by itself: joined, the
 * planner would compare all rows of the level with all stretches. Each row has its wall clock as `local`: it is the same distance from UTC in all of a
 * stretch, so that the calendar is not asked for each row; only for those of the five days in which the clocks are changed.
 */
export function stretchesSql(
  { since, before, zone }: { since: string; before: string; zone: string },
  { slots, quarters }: { slots: string; quarters: string },
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
      SELECT p.since, p.before, CASE WHEN ${off('p.since')} = ${off('p.before')} THEN ${off('p.since')} END AS off FROM (
        SELECT g.at AS since, least(g.at + interval '120 hours', o.before) AS before FROM (
          SELECT b.at AS since, b.until AS before FROM days b WHERE NOT b.is_steady
          UNION ALL SELECT ${since}, least(${first}, ${before}) UNION ALL SELECT ${last}, ${before}) AS o
        CROSS JOIN LATERAL generate_series(o.since, o.before - interval '1 microsecond', interval '120 hours') AS g (at)) AS p)
    SELECT x.*, x.quarter AT TIME ZONE b.off AS local FROM steady b CROSS JOIN LATERAL (${slots} OFFSET 0) AS x
    UNION ALL
    SELECT x.*, CASE WHEN p.off IS NULL THEN x.quarter AT TIME ZONE ${zone} ELSE x.quarter AT TIME ZONE p.off END
      FROM others p CROSS JOIN LATERAL (${quarters} OFFSET 0) AS x) AS h`;
}

type Level = 'quarter' | 'hour' | 'day' | 'slot' | 'campaign' | 'template' | 'template_month';

/** Of one campaign or template there are few rows, which an index finds. */
export function isOfOne({ campaignId, templateId }: MessageFilter): boolean {
  return campaignId !== undefined || templateId !== undefined;
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
  return `SELECT s.at AS quarter, ${id('campaign')} AS campaign_id, ${id('template')} AS template_id, s.sent, s.reported, ${SUMMED.map((one) => `s.${one}`).join(', ')}
     FROM message_rollup_sums s WHERE s.workspace_id = ${bind(workspaceId, 'uuid')} AND s.level = '${level}' AND ${channelSql(filter, workspaceId, bind)}
      AND s.at >= ${from} AND s.at < ${to}`;
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
