import type { BindValue } from '../bind-value.ts';
import { hourRowsSql, rollupSourceSql, stretchesSql, wholeDays, wholeMonths } from './rollup-source.ts';

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

const ROUNDS = [
  'first_responses',
  'first_response_ms',
  'first_responses_late',
  'resolutions',
  'resolution_ms',
];
const COUNTS = [...ROUNDS, 'asked', 'rated_good', 'rated_okay', 'rated_bad'];
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
 * The rounds of the same by hours of the day, with the messages that came in, for any member or none: `hour`, the counts of rounds and `received`. Both are read
 * in one pass over the stretches of `stretchesSql`, because each pass takes as long to plan as to read.
 */
export function inboxByHoursSql(asked: Asked, bind: BindValue): string {
  const zone = bind(asked.zone, 'text');
  const { since, before, agentId, teamId, channelId } = asked;
  const slot = agentId === undefined ? (teamId === undefined ? 'slot' : 'team_slot') : 'agent_slot';
  const rounds = (alias: string) => ROUNDS.map((one) => `${alias}.${one}`).join(', ');
  const rollups = (from: string, to: string, table = 'inbox_rollups') =>
    `SELECT r.quarter, ${rounds('r')}, 0 AS received FROM ${table} r WHERE ${rollupsOf(asked, bind)} AND r.quarter >= ${from} AND r.quarter < ${to}`;
  const sums = (level: string, from: string, to: string) =>
    `SELECT s.at AS quarter, ${rounds('s')}, 0 AS received FROM inbox_rollup_sums s
      WHERE ${sumsOf(level, asked, bind)}${isOf('s', asked, bind)} AND s.at >= ${from} AND s.at < ${to}`;
  // Of a member or a team there are few quarters in five days: of these nothing is added up.
  const short = (level: 'quarter' | 'short_slot', from: string, to: string) =>
    slot === 'slot' ? sums(level, from, to) : rollups(from, to);
  const none = ROUNDS.map((one) => `0 AS ${one}`).join(', ');
  const received = (rows: string) => `SELECT m.quarter, ${none}, m.received FROM (${rows}) AS m`;
  const messages = hourRowsSql({ channelId }, asked, bind);
  const live = rollupSourceSql({ channelId }, { ...asked, grouping: 'time' }, bind, 'live');
  const local = (rows: string) => `SELECT x.*, x.quarter AT TIME ZONE ${zone} AS local FROM (${rows}) AS x`;
  // Sums know one of them at a time.
  const isOfBoth = agentId !== undefined && teamId !== undefined;
  const both = (rows: () => string, ofMessages: string) =>
    isOfBoth ? received(ofMessages) : `${rows()} UNION ALL ${received(ofMessages)}`;
  const counted = stretchesSql(
    { ...asked, zone },
    {
      slots: both(() => sums(slot, 'b.at', 'b.until'), messages.slots),
      shortSlots: both(() => short('short_slot', 'p.since', 'p.before'), messages.shortSlots),
      quarters: both(() => short('quarter', 'p.since', 'p.before'), messages.quarters),
    },
  );
  const others = [
    rollups(since, before, 'inbox_rollup_deltas'),
    `SELECT m.quarter, ${none}, m.received FROM ${live} AS m`,
    ...(isOfBoth ? [rollups(since, before)] : []),
  ];
  return `SELECT date_part('hour', x.local)::integer AS hour, ${rounds('x')}, x.received
    FROM (${counted} UNION ALL ${local(others.join(' UNION ALL '))}) AS x`;
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
