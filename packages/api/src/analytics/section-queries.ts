import { bindTo } from '@app/database/bind-value';
import { dayStartSql } from '@app/database/analytics/message-events';
import {
  addDays,
  chooseBucket,
  daysBetween,
  listBuckets,
  type VolumeBucket,
} from '@app/domain/analytics/report-period';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { askReport, bucketPlaceSql, type Report } from './report-source.ts';

/** Why messages failed, the most frequent reason first. */
export async function readFailures(scope: ReadScope, report: Report) {
  const rows = await askReport<{ code: string | null; count: number }>(
    scope,
    report,
    'none',
    ({ counted }) =>
      `SELECT r.error_code AS code, count(*)::integer AS count FROM ${counted} AND r.failed = 1 GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 100`,
    true,
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
type OfSomebody = Rounds & { id: string; name: string | null };

/** Means over all conversations, in milliseconds; null where there was none. */
const ROUNDS = `coalesce(sum(r.first_responses), 0)::integer AS responses,
  (sum(r.first_response_ms) / nullif(sum(r.first_responses), 0))::float8 AS "responseMs",
  coalesce(sum(r.first_responses_late), 0)::integer AS late, coalesce(sum(r.resolutions), 0)::integer AS resolutions,
  (sum(r.resolution_ms) / nullif(sum(r.resolutions), 0))::float8 AS "resolutionMs"`;

type RoundsOf = Rounds & { of: 'all' | 'agent' | 'team' | 'hour'; id: string | null; hour: number | null };
const MOST_NAMED = 200;

/** How quickly people were answered and their conversations resolved: at all, by member, by team and by hour of the day; and who waits now. */
export async function readInbox(scope: ReadScope, report: Report) {
  const found = await countRounds(scope, report);
  const all = found.find((one) => one.of === 'all');
  const hours = found.filter((one) => one.of === 'hour');
  const agents = await nameRounds(scope, found, 'agent');
  const teams = await nameRounds(scope, found, 'team');
  const { from, to, zone, channelId } = report;
  const received = await askReport<{ hour: number; received: number }>(
    scope,
    { from, to, zone, channelId },
    'hour',
    ({ counted, local }) =>
      `SELECT extract(hour FROM ${local()})::integer AS hour, sum(r.received)::float8 AS received FROM ${counted} AND r.received <> 0 GROUP BY 1`,
  );
  const { rows } = await scope.query<{ waiting: number }>(
    `SELECT count(*)::integer AS waiting FROM conversations WHERE workspace_id = $1 AND NOT is_archived AND waiting_since IS NOT NULL
        AND ($2::uuid IS NULL OR channel_id = $2) AND ($3::uuid IS NULL OR assignee_id = $3) AND ($4::uuid IS NULL OR team_id = $4)`,
    [scope.workspaceId, channelId ?? null, report.agentId ?? null, report.teamId ?? null],
  );
  return {
    ...{ from, to, ...roundsOf(all) },
    waiting: rows[0]?.waiting ?? 0,
    ...{ agents, teams },
    satisfaction: await readSatisfaction(scope, report),
    hours: Array.from({ length: 24 }, (_, hour) => ({
      ...{ hour, ...roundsOf(hours.find((one) => one.hour === hour)) },
      received: received.find((one) => one.hour === hour)?.received ?? 0,
    })),
  };
}

/** One reading of the rollups for all of them, which are added up here. */
async function countRounds(scope: ReadScope, report: Report): Promise<RoundsOf[]> {
  const { values, bind, since, before, workspace } = periodParts(scope, report);
  const { channelId, agentId, teamId } = report;
  const is = (column: string, value: string | undefined) =>
    value === undefined ? '' : ` AND r.${column} = ${bind(value, 'uuid')}`;
  const sums = [
    ...['first_responses', 'first_response_ms', 'first_responses_late', 'resolutions', 'resolution_ms'],
  ].map((column) => `sum(r.${column}) AS ${column}`);
  const { rows } = await scope.query<RoundsOf>(
    `WITH r AS MATERIALIZED (
       SELECT extract(hour FROM r.quarter AT TIME ZONE ${bind(report.zone, 'text')})::integer AS hour, r.agent_id, r.team_id, ${sums.join(', ')}
         FROM inbox_rollups_now r WHERE r.workspace_id = ${workspace} AND r.quarter >= ${since} AND r.quarter < ${before}${is('channel_id', channelId)}${is(
           'agent_id',
           agentId,
         )}${is('team_id', teamId)} GROUP BY 1, 2, 3)
     SELECT CASE grouping(r.agent_id, r.team_id, r.hour) WHEN 3 THEN 'agent' WHEN 5 THEN 'team' WHEN 6 THEN 'hour' ELSE 'all' END AS of,
            coalesce(r.agent_id, r.team_id) AS id, r.hour, ${ROUNDS} FROM r GROUP BY GROUPING SETS ((), (r.agent_id), (r.team_id), (r.hour))`,
    values,
  );
  return rows;
}

/** Those of members or teams that did most, with their names; null for one that is gone. */
async function nameRounds(
  scope: ReadScope,
  found: readonly RoundsOf[],
  of: 'agent' | 'team',
): Promise<OfSomebody[]> {
  const own = found
    .flatMap(({ id, ...one }) => (one.of === of && id !== null ? [{ id, ...roundsOf(one) }] : []))
    .toSorted(
      (one, other) =>
        other.responses + other.resolutions - one.responses - one.resolutions || (one.id < other.id ? -1 : 1),
    )
    .slice(0, MOST_NAMED);
  const { rows } = await scope.query<{ id: string; name: string }>(
    `SELECT id, name FROM ${of === 'agent' ? 'users' : 'teams'} WHERE id = ANY ($1::uuid[])`,
    [own.map(({ id }) => id)],
  );
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return own.map((one) => ({ ...one, name: names.get(one.id) ?? null }));
}

function roundsOf({ responses, responseMs, late, resolutions, resolutionMs }: Rounds = NO_ROUNDS): Rounds {
  return { responses, responseMs, late, resolutions, resolutionMs };
}

type Rated = { asked: number; good: number; okay: number; bad: number };

/** How contacts rated conversations of which they were asked in the period: one row for each resolved conversation, by an index of their times. */
async function readSatisfaction(scope: ReadScope, report: Report) {
  const ask = async <Row extends object>(column: string | null, names = ''): Promise<Row[]> => {
    const { values, bind, since, before, workspace } = periodParts(scope, report);
    const { channelId, agentId, teamId } = report;
    const is = (name: string, value: string | undefined) =>
      value === undefined ? '' : ` AND r.${name} = ${bind(value, 'uuid')}`;
    const count = (rating: number) => `count(*) FILTER (WHERE r.rating = ${rating})::integer`;
    const counted = `SELECT ${column === null ? '' : `r.${column} AS id, `}count(*)::integer AS asked, ${count(3)} AS good, ${count(2)} AS okay, ${count(1)} AS bad
        FROM conversation_rounds r WHERE r.workspace_id = ${workspace} AND r.asked_at >= ${since} AND r.asked_at < ${before}${is('channel_id', channelId)}${is(
          'resolved_by',
          agentId,
        )}${is('team_id', teamId)}`;
    const text =
      column === null
        ? counted
        : `SELECT f.*, k.name FROM (${counted} AND r.${column} IS NOT NULL GROUP BY 1) AS f LEFT JOIN ${names} ORDER BY f.asked DESC, f.id LIMIT 200`;
    return (await scope.query<Row>(text, values)).rows;
  };
  const [all] = await ask<Rated>(null);
  type Of = Rated & { id: string; name: string | null };
  return {
    ...(all ?? { asked: 0, good: 0, okay: 0, bad: 0 }),
    agents: await ask<Of>('resolved_by', 'users k ON k.id = f.id'),
    teams: await ask<Of>('team_id', 'teams k ON k.id = f.id'),
  };
}

const NO_ROUNDS: Rounds = { responses: 0, responseMs: null, late: 0, resolutions: 0, resolutionMs: null };

/** New contacts, and who agreed to marketing or opted out, over time and by where it came from. */
export async function readAudience(scope: ReadScope, report: Report, asked: VolumeBucket | 'auto') {
  const { from, to } = report;
  const bucket = asked === 'auto' ? chooseBucket(daysBetween(from, to)) : asked;
  const days = listBuckets(from, to, bucket);
  const { values, bind, since, before, workspace } = periodParts(scope, report);
  const { rows } = await scope.query<{
    place: number;
    kind: keyof typeof KINDS;
    source: string;
    contacts: number;
  }>(
    `SELECT ${bucketPlaceSql(days, report.zone, bind)} AS place, r.kind, r.source, sum(r.contacts)::integer AS contacts FROM contact_rollups_now r
      WHERE r.workspace_id = ${workspace} AND r.quarter >= ${since} AND r.quarter < ${before} GROUP BY 1, 2, 3`,
    values,
  );
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
export function periodParts({ workspaceId }: ReadScope, { from, to, zone }: Report) {
  const values: unknown[] = [];
  const bind = bindTo(values);
  const workspace = bind(workspaceId, 'uuid');
  return {
    ...{ values, bind, workspace },
    since: dayStartSql(from, zone, bind),
    before: dayStartSql(addDays(to, 1), zone, bind),
  };
}
