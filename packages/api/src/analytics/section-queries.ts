import { bindTo, type BindValue } from '@app/database/bind-value';
import { contactsByBucketSql } from '@app/database/analytics/contact-source';
import { inboxByHoursSql, inboxByMembersSql } from '@app/database/analytics/inbox-source';
import { dayStartSql } from '@app/database/analytics/message-events';
import { outcomePeriodSql, type OutcomePeriod } from '@app/database/analytics/outcome-source';
import {
  addDays,
  chooseBucket,
  daysBetween,
  listBuckets,
  type VolumeBucket,
} from '@app/domain/analytics/report-period';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { askReport, readWeekStart, type Report } from './report-source.ts';

/** Why messages failed, the most frequent reason first. */
export async function readFailures(scope: ReadScope, report: Report) {
  const rows = await askReport<{ code: string | null; count: number }>(
    scope,
    report,
    'none',
    ({ counted }) =>
      `SELECT r.error_code AS code, sum(r.failed)::integer AS count FROM ${counted} GROUP BY 1 HAVING sum(r.failed) > 0 ORDER BY 2 DESC, 1 LIMIT 100`,
    { isOfFailures: true },
  );
  return { from: report.from, to: report.to, items: rows };
}

type Rounds = {
  responses: number;
  responseMs: number | null;
  late: number;
  resolutions: number;
  resolutionMs: number | null;
};

/** As whole numbers, added up as numbers of JavaScript: that takes a fraction of what numbers of any size take. */
const sum = (column: string) => `coalesce(sum(r.${column}::float8), 0)::bigint`;
const mean = (total: string, count: string) => `(${sum(total)}::numeric / nullif(${sum(count)}, 0))::float8`;

/** Means over all conversations, in milliseconds; null where there was none. */
const ROUNDS = `${sum('first_responses')}::integer AS responses, ${mean('first_response_ms', 'first_responses')} AS "responseMs",
  ${sum('first_responses_late')}::integer AS late, ${sum('resolutions')}::integer AS resolutions,
  ${mean('resolution_ms', 'resolutions')} AS "resolutionMs"`;

type Rated = { asked: number; good: number; okay: number; bad: number };
type RoundsOf = Rounds &
  Rated & { of: 'all' | 'agent' | 'team'; id: string | null; name: string | null; waiting: number };
const MOST_NAMED = 200;

const RATED = ['asked', 'rated_good', 'rated_okay', 'rated_bad']
  .map((column) => `${sum(column)}::integer AS ${column.replace('rated_', '')}`)
  .join(', ');

/** How quickly people were answered and their conversations resolved: at all, by member, by team and by hour of the day; and who waits now. */
export async function readInbox(scope: ReadScope, report: Report) {
  const found = await countRounds(scope, report);
  const all = found.find((one) => one.of === 'all');
  const hours = await countHours(scope, report);
  const { from, to } = report;
  const most = (of: 'agent' | 'team', count: (one: RoundsOf) => number) =>
    found
      .flatMap((one) => (one.of === of && one.id !== null && count(one) > 0 ? [{ ...one, id: one.id }] : []))
      .toSorted((one, other) => count(other) - count(one) || (one.id < other.id ? -1 : 1))
      .slice(0, MOST_NAMED);
  const named = (of: 'agent' | 'team') =>
    most(of, ({ responses, resolutions }) => responses + resolutions).map((one) => ({
      ...{ id: one.id, name: one.name, ...roundsOf(one) },
    }));
  const rated = (of: 'agent' | 'team') =>
    most(of, ({ asked }) => asked).map((one) => ({ id: one.id, name: one.name, ...ratedOf(one) }));
  return {
    ...{ from, to, ...roundsOf(all) },
    waiting: all?.waiting ?? 0,
    ...{ agents: named('agent'), teams: named('team') },
    satisfaction: { ...ratedOf(all), agents: rated('agent'), teams: rated('team') },
    hours: Array.from({ length: 24 }, (_, hour) => ({
      ...{ hour, ...roundsOf(hours.find((one) => one.hour === hour)) },
      received: hours.find((one) => one.hour === hour)?.received ?? 0,
    })),
  };
}

/** Of all together, of each member and of each team, with their names, null for one that is gone; and how many wait now. */
async function countRounds(scope: ReadScope, report: Report): Promise<RoundsOf[]> {
  const values: unknown[] = [];
  const bind = bindTo(values);
  const asked = { ...report, workspaceId: scope.workspaceId, ...instantsSql(report, bind) };
  const counted = inboxByMembersSql(asked, bind);
  const { rows } = await scope.query<RoundsOf>(
    `SELECT f.*, coalesce(u.name, t.name) AS name, (${waitingSql(asked, bind)}) AS waiting FROM (
       SELECT CASE grouping(r.agent_id, r.team_id) WHEN 1 THEN 'agent' WHEN 2 THEN 'team' ELSE 'all' END AS of,
              coalesce(r.agent_id, r.team_id) AS id, ${ROUNDS}, ${RATED} FROM (${counted}) AS r GROUP BY GROUPING SETS ((), (r.agent_id), (r.team_id))) AS f
       LEFT JOIN users u ON f.of = 'agent' AND u.id = f.id LEFT JOIN teams t ON f.of = 'team' AND t.id = f.id`,
    values,
  );
  return rows;
}

/** Who is not answered yet. */
function waitingSql(
  { workspaceId, channelId, agentId, teamId }: Report & { workspaceId: string },
  bind: BindValue,
): string {
  const is = (column: string, value: string | undefined) =>
    value === undefined ? '' : ` AND c.${column} = ${bind(value, 'uuid')}`;
  return `SELECT count(*)::integer FROM conversations c WHERE c.workspace_id = ${bind(workspaceId, 'uuid')} AND NOT c.is_archived
      AND c.waiting_since IS NOT NULL${is('channel_id', channelId)}${is('assignee_id', agentId)}${is('team_id', teamId)}`;
}

type HourOf = Rounds & { hour: number; received: number };

/** With what was received, whoever it was for. */
async function countHours(scope: ReadScope, report: Report): Promise<HourOf[]> {
  const values: unknown[] = [];
  const bind = bindTo(values);
  const asked = { ...report, workspaceId: scope.workspaceId, ...instantsSql(report, bind) };
  const { rows } = await scope.query<HourOf>(
    `SELECT r.hour, ${ROUNDS}, coalesce(sum(r.received::float8), 0) AS received FROM (${inboxByHoursSql(asked, bind)}) AS r GROUP BY 1`,
    values,
  );
  return rows;
}

function roundsOf({ responses, responseMs, late, resolutions, resolutionMs }: Rounds = NO_ROUNDS): Rounds {
  return { responses, responseMs, late, resolutions, resolutionMs };
}

function ratedOf({ asked, good, okay, bad }: Rated = NO_RATINGS): Rated {
  return { asked, good, okay, bad };
}

const NO_ROUNDS: Rounds = { responses: 0, responseMs: null, late: 0, resolutions: 0, resolutionMs: null };
const NO_RATINGS: Rated = { asked: 0, good: 0, okay: 0, bad: 0 };

/** New contacts, and who agreed to marketing or opted out, over time and by where it came from. */
export async function readAudience(scope: ReadScope, report: Report, asked: VolumeBucket | 'auto') {
  const { from, to } = report;
  const bucket = asked === 'auto' ? chooseBucket(daysBetween(from, to)) : asked;
  const days = listBuckets(from, to, bucket, await readWeekStart(scope, bucket));
  const values: unknown[] = [];
  const bind = bindTo(values);
  const counted = { workspaceId: scope.workspaceId, ...instantsSql(report, bind), zone: report.zone, days };
  const { rows } = await scope.query<{
    place: number;
    kind: keyof typeof KINDS;
    source: string;
    contacts: number;
  }>(contactsByBucketSql({ ...counted, bucket }, bind), values);
  const points = days.map((day) => ({ day, added: 0, optIns: 0, optOuts: 0 }));
  const sources = new Map<string, { kind: keyof typeof KINDS; source: string; contacts: number }>();
  for (const { place, kind, source, contacts } of rows) {
    const point = points[place - 1];
    if (point) point[KINDS[kind]] += contacts;
    const sum = sources.get(`${kind} ${source}`) ?? { kind, source, contacts: 0 };
    sources.set(`${kind} ${source}`, { ...sum, contacts: sum.contacts + contacts });
  }
  return {
    ...{ from, to, bucket, points },
    sources: [...sources.values()]
      .filter(({ contacts }) => contacts > 0)
      .toSorted(
        (one, other) =>
          compare(one.kind, other.kind) || other.contacts - one.contacts || compare(one.source, other.source),
      ),
  };
}

const KINDS = { new: 'added', opt_in: 'optIns', opt_out: 'optOuts' } as const;

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** For tables beside the rollups: the workspace and the instants of the period, bound. */
export function periodParts({ workspaceId }: ReadScope, report: Report) {
  const values: unknown[] = [];
  const bind = bindTo(values);
  const workspace = bind(workspaceId, 'uuid');
  return { values, bind, workspace, ...instantsSql(report, bind) };
}

/** For what counts contacts once. */
export async function readOutcomePeriod(scope: ReadScope, report: Report): Promise<OutcomePeriod> {
  const values: unknown[] = [];
  const text = outcomePeriodSql(instantsSql(report, bindTo(values)));
  return (await scope.query<OutcomePeriod>(text, values)).rows[0]!; // a query without FROM of a table gives one row
}

/** When a period begins and ends, as expressions. */
function instantsSql({ from, to, zone }: Report, bind: BindValue): { since: string; before: string } {
  return {
    since: dayStartSql(from, zone, bind),
    before: dayStartSql(addDays(to, 1), zone, bind),
  };
}
