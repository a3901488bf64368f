import { bindTo, type BindValue } from '@app/database/bind-value';
import { dayStartSql } from '@app/database/analytics/message-events';
import {
  addDays,
  chooseBucket,
  daysBetween,
  listBuckets,
  type VolumeBucket,
} from '@app/domain/analytics/report-period';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { askReport, type Report } from './report-source.ts';

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

/** How quickly people were answered and their conversations resolved: at all, by member, by team and by hour of the day; and who waits now. */
export async function readInbox(scope: ReadScope, report: Report) {
  const ask = async <Row extends object>(
    text: (counted: string, local: () => string, bind: BindValue) => string,
  ): Promise<Row[]> => {
    const { values, bind, since, before, workspace } = periodParts(scope, report);
    const { channelId, agentId, teamId } = report;
    const is = (column: string, value: string | undefined) =>
      value === undefined ? '' : ` AND r.${column} = ${bind(value, 'uuid')}`;
    const counted = `inbox_rollups_now r WHERE r.workspace_id = ${workspace} AND r.quarter >= ${since} AND r.quarter < ${before}${is(
      'channel_id',
      channelId,
    )}${is('agent_id', agentId)}${is('team_id', teamId)}`;
    const local = () => `r.quarter AT TIME ZONE ${bind(report.zone, 'text')}`;
    return (await scope.query<Row>(text(counted, local, bind), values)).rows;
  };
  const [all] = await ask<Rounds>((counted) => `SELECT ${ROUNDS} FROM ${counted}`);
  const by = (column: string, names: string) =>
    ask<OfSomebody>(
      (
        counted,
        _,
        bind,
      ) => `SELECT f.*, k.name FROM (SELECT r.${column} AS id, ${ROUNDS} FROM ${counted} AND r.${column} IS NOT NULL GROUP BY 1) AS f
        LEFT JOIN ${names} ORDER BY f.responses + f.resolutions DESC, f.id LIMIT ${bind(200, 'integer')}`,
    );
  const agents = await by('agent_id', 'users k ON k.id = f.id');
  const teams = await by('team_id', 'teams k ON k.id = f.id');
  const hours = await ask<Rounds & { hour: number }>(
    (counted, local) =>
      `SELECT extract(hour FROM ${local()})::integer AS hour, ${ROUNDS} FROM ${counted} GROUP BY 1`,
  );
  const { from, to, zone, channelId } = report;
  const received = await askReport<{ hour: number; received: number }>(
    scope,
    { from, to, zone, channelId },
    'time',
    ({ counted, local }) =>
      `SELECT extract(hour FROM ${local()})::integer AS hour, sum(r.received)::float8 AS received FROM ${counted} AND r.received <> 0 GROUP BY 1`,
  );
  const { rows } = await scope.query<{ waiting: number }>(
    `SELECT count(*)::integer AS waiting FROM conversations WHERE workspace_id = $1 AND NOT is_archived AND waiting_since IS NOT NULL
        AND ($2::uuid IS NULL OR channel_id = $2) AND ($3::uuid IS NULL OR assignee_id = $3) AND ($4::uuid IS NULL OR team_id = $4)`,
    [scope.workspaceId, channelId ?? null, report.agentId ?? null, report.teamId ?? null],
  );
  return {
    ...{ from, to, ...(all ?? NO_ROUNDS) },
    waiting: rows[0]?.waiting ?? 0,
    ...{ agents, teams },
    satisfaction: await readSatisfaction(scope, report),
    hours: Array.from({ length: 24 }, (_, hour) => ({
      ...(hours.find((one) => one.hour === hour) ?? { hour, ...NO_ROUNDS }),
      received: received.find((one) => one.hour === hour)?.received ?? 0,
    })),
  };
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
  const ask = async <Row extends object>(text: (counted: string, day: () => string) => string) => {
    const { values, bind, since, before, workspace } = periodParts(scope, report);
    const counted = `contact_rollups_now r WHERE r.workspace_id = ${workspace} AND r.quarter >= ${since} AND r.quarter < ${before}`;
    const day = () =>
      `to_char(date_trunc(${bind(bucket, 'text')}, r.quarter AT TIME ZONE ${bind(report.zone, 'text')}), 'YYYY-MM-DD')`;
    return (await scope.query<Row>(text(counted, day), values)).rows;
  };
  const of = (kind: string) => `coalesce(sum(r.contacts) FILTER (WHERE r.kind = '${kind}'), 0)::integer`;
  const rows = await ask<{ day: string; added: number; optIns: number; optOuts: number }>(
    (counted, day) =>
      `SELECT ${day()} AS day, ${of('new')} AS added, ${of('opt_in')} AS "optIns", ${of('opt_out')} AS "optOuts" FROM ${counted} GROUP BY 1`,
  );
  const sources = await ask<{ kind: 'new' | 'opt_in' | 'opt_out'; source: string; contacts: number }>(
    (counted) =>
      `SELECT r.kind, r.source, sum(r.contacts)::integer AS contacts FROM ${counted} GROUP BY 1, 2 HAVING sum(r.contacts) > 0 ORDER BY 1, 3 DESC, 2`,
  );
  const found = new Map(rows.map((row) => [row.day, row]));
  return {
    ...{ from, to, bucket, sources },
    points: listBuckets(from, to, bucket).map(
      (day) => found.get(day) ?? { day, added: 0, optIns: 0, optOuts: 0 },
    ),
  };
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
