import type { BindValue } from '../bind-value.ts';
import { stretchesSql, wholeDays, wholeMonths } from './rollup-source.ts';

type Asked = {
  workspaceId: string;
  /** When the period begins and ends, as expressions. */
  since: string;
  before: string;
  zone: string;
  channelId?: string | undefined;
  agentId?: string | undefined;
  teamId?: string | undefined;
};

const COUNTS = [
  ...['first_responses', 'first_response_ms', 'first_responses_late', 'resolutions', 'resolution_ms'],
  ...['asked', 'rated_good', 'rated_okay', 'rated_bad'],
];
const of = (alias: string) => COUNTS.map((one) => `${alias}.${one}`).join(', ');

/**
 * The rollups of the inbox in a period as a query, with `agent_id`, `team_id` and the counts of `inbox_rollups`. It reads the fewest rows that give
 * exactly the same sums: whole stretches of 30 days, whole days of UTC around them, and what is before and behind these by quarters of an hour.
 */
export function inboxByMembersSql(asked: Asked, bind: BindValue): string {
  const { since, before } = asked;
  const { first, last } = wholeDays(asked);
  const { firstMonth, lastMonth } = wholeMonths({ first, last });
  const sums = (level: 'day' | 'month', from: string, to: string) =>
    `SELECT s.agent_id, s.team_id, ${of('s')} FROM inbox_rollup_sums s
      WHERE ${sumsOf(level, asked, bind)}${isOf('s', asked, bind)} AND s.at >= ${from} AND s.at < ${to}`;
  const quarters = (table: string, from: string, to: string) =>
    `SELECT r.agent_id, r.team_id, ${of('r')} FROM ${table} r WHERE ${rollupsOf(asked, bind)} AND r.quarter >= ${from} AND r.quarter < ${to}`;
  return [
    sums('month', firstMonth, lastMonth),
    sums('day', first, `least(${firstMonth}, ${last})`),
    sums('day', lastMonth, last),
    quarters('inbox_rollups', since, `least(${first}, ${before})`),
    quarters('inbox_rollups', last, before),
    quarters('inbox_rollup_deltas', since, before),
  ].join(' UNION ALL ');
}

/**
 * The same by hours of the day: `hour`, and the counts. Of stretches of 30 days in which the clocks of the zone are not changed, the quarters of an
 * hour of a day; of all other days, each quarter.
 */
export function inboxByHoursSql(asked: Asked, bind: BindValue): string {
  const zone = bind(asked.zone, 'text');
  const { since, before, agentId, teamId } = asked;
  const slot = agentId === undefined ? (teamId === undefined ? 'slot' : 'team_slot') : 'agent_slot';
  const rollups = (table: string, from: string, to: string) =>
    `SELECT r.quarter, ${of('r')} FROM ${table} r WHERE ${rollupsOf(asked, bind)} AND r.quarter >= ${from} AND r.quarter < ${to}`;
  const isOfAll = agentId === undefined && teamId === undefined;
  const quarters = (from: string, to: string) =>
    isOfAll
      ? `SELECT s.at AS quarter, ${of('s')} FROM inbox_rollup_sums s WHERE ${sumsOf('quarter', asked, bind)} AND s.at >= ${from} AND s.at < ${to}`
      : rollups('inbox_rollups', from, to);
  const slots = () => `SELECT s.at AS quarter, ${of('s')} FROM inbox_rollup_sums s
    WHERE ${sumsOf(slot, asked, bind)}${isOf('s', asked, bind)} AND s.at >= b.at AND s.at < b.until`;
  const local = (rows: string) => `SELECT x.*, x.quarter AT TIME ZONE ${zone} AS local FROM (${rows}) AS x`;
  const counted =
    // Sums know one of them at a time.
    agentId !== undefined && teamId !== undefined
      ? local(quarters(since, before))
      : stretchesSql({ ...asked, zone }, { slots: slots(), quarters: quarters('p.since', 'p.before') });
  return `SELECT date_part('hour', x.local)::integer AS hour, ${of('x')}
    FROM (${counted} UNION ALL ${local(rollups('inbox_rollup_deltas', since, before))}) AS x`;
}

/** Null is all channels together. */
function sumsOf(level: string, { workspaceId, channelId }: Asked, bind: BindValue): string {
  return `s.workspace_id = ${bind(workspaceId, 'uuid')} AND s.level = '${level}' AND s.channel_id ${
    channelId === undefined ? 'IS NULL' : `= ${bind(channelId, 'uuid')}`
  }`;
}

function rollupsOf(asked: Asked, bind: BindValue): string {
  const { workspaceId, channelId } = asked;
  const ofChannel = channelId === undefined ? '' : ` AND r.channel_id = ${bind(channelId, 'uuid')}`;
  return `r.workspace_id = ${bind(workspaceId, 'uuid')}${ofChannel}${isOf('r', asked, bind)}`;
}

function isOf(alias: string, { agentId, teamId }: Asked, bind: BindValue): string {
  const is = (column: string, value: string | undefined) =>
    value === undefined ? '' : ` AND ${alias}.${column} = ${bind(value, 'uuid')}`;
  return `${is('agent_id', agentId)}${is('team_id', teamId)}`;
}
