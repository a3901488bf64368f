import { numberRangesOf } from '@app/domain/settings/calling-codes';
import type { MessageFilter } from '@app/domain/analytics/report-filter';
import type { BindValue } from '../bind-value.ts';
import { fromFirstRunSql, inRunsSql, runBoundsSql, type RunStretch } from '../campaigns/first-run.ts';

type Asked = Pick<MessageFilter, 'agentId' | 'teamId'> & {
  workspaceId: string;
  /** When the period begins and ends, as expressions. */
  since: string;
  before: string;
  /** A condition on `contacts c`; without it messages of deleted contacts count too. */
  contacts?: string | undefined;
  /** Only messages that failed in the period: few, which an index finds. */
  isFailed?: boolean | undefined;
  /** The runs of the period, where they were read before (`runsOfPeriodSql`): the planner then knows how many messages there are. */
  runs?: RunStretch | undefined;
};

/** How far the clock of a platform may be behind ours. */
const CLOCKS = `interval '1 day'`;
/** When the last thing happened to a message; as the index `messages_by_last_event` has it. */
const LAST_EVENT =
  'greatest(m.occurred_at, m.accepted_at, m.delivered_at, m.read_at, m.failed_at, m.replied_at)';

/** Columns that take time for each message, so that who needs them asks for them; the others are null. */
export type EventColumn = 'template_id' | 'error_code';

const TIMES = ['sent', 'delivered', 'read', 'failed', 'received', 'replied', 'refused'] as const;

/**
 * What happened to messages, from the messages themselves, in the columns of `message_rollups_now`: for what rollups do not know. A row is one thing that
 * happened, with its `quarter`. The rules are those of the rollups (docs/decisions/108-rollups.md). `conditions` are of messages `r`.
 */
export function messageEventsSql(
  asked: Asked,
  columns: readonly EventColumn[],
  conditions: string,
  bind: BindValue,
): string {
  // One pass for each thing that can happen: the six of each message in one row took twice as long.
  const events = TIMES.map(
    (
      time,
    ) => `SELECT quarter_of(o.${time}) AS quarter, ${TIMES.map((one) => `${Number(one === time)} AS ${one}`).join(', ')} FROM found o
      WHERE o.${time} >= ${asked.since} AND o.${time} < ${asked.before}`,
  );
  return `WITH found AS MATERIALIZED (SELECT ${TIMES.map((time) => `r.${time}`).join(', ')} FROM (${messagesSql(asked, columns, bind)}) AS r
      WHERE ${conditions})
    ${events.join(' UNION ALL ')}`;
}

/**
 * The same with one row for each message, which says what happened to it in the period, and no `quarter`. Each of `periods` lies within that of
 * `asked`, and has its suffix behind the names of its columns.
 */
export function messageCountsSql(
  asked: Asked,
  columns: readonly EventColumn[],
  bind: BindValue,
  periods: readonly CountedPeriod[] = [{ ...asked, suffix: '' }],
): string {
  return `SELECT ${ofMessage('o')}, ${periods.map(countsOfPeriod).join(', ')} FROM (${messagesSql(asked, columns, bind)}) AS o`;
}

export type CountedPeriod = {
  since: string;
  before: string;
  /** Of its columns; empty for the first one. */
  suffix: string;
};

function countsOfPeriod({ since, before, suffix }: CountedPeriod): string {
  const happened = (column: string) => `(o.${column} >= ${since} AND o.${column} < ${before})`;
  const counts = {
    ...Object.fromEntries(TIMES.map((time) => [time, happened(time)])),
    unread: `${happened('delivered')} AND o.read IS NULL`,
    undelivered: `${happened('sent')} AND o.delivered IS NULL AND o.failed IS NULL`,
    reported: `${happened('sent')} AND o.author <> 'app'`,
  };
  return Object.entries(counts)
    .map(([name, condition]) => `(${condition})::integer AS ${name}${suffix}`)
    .join(', ');
}

const ofMessage = (alias: string) =>
  ['contact_id', 'channel_id', 'campaign_id', 'template_id', 'author', 'error_code']
    .map((column) => `${alias}.${column}`)
    .join(', ');

/** Conditions on runs `n` with recipients to whom something may have happened in the period. A reply comes up to a day after the last report of its run. */
function runConditions({ since, before }: Pick<Asked, 'since' | 'before'>): [string, string] {
  return [
    `n.completed_at IS NULL OR greatest(n.completed_at, n.reported_at) >= ${since} - interval '2 days'`,
    `n.created_at < ${before} + ${CLOCKS}`,
  ];
}

/** The runs of a period, as one row: a `RunStretch`. */
export function runsOfPeriodSql(
  period: Pick<Asked, 'workspaceId' | 'since' | 'before'>,
  bind: BindValue,
): string {
  return `SELECT b.first_small::float8 AS "firstSmall", b.last_small::float8 AS "lastSmall", b.first_large::float8 AS "firstLarge", b.last_large::float8 AS "lastLarge"
    FROM (SELECT ${runBoundsSql(...runConditions(period))} FROM delivery_runs n WHERE n.workspace_id = ${bind(period.workspaceId, 'uuid')}) AS b`;
}

/** Messages to which something may have happened in the period, with the time of each thing. */
function messagesSql(asked: Asked, columns: readonly EventColumn[], bind: BindValue): string {
  const workspace = bind(asked.workspaceId, 'uuid');
  const ofContacts = (column: string) =>
    asked.contacts === undefined
      ? ''
      : ` AND ${column} IN (SELECT c.id FROM contacts c WHERE c.workspace_id = ${workspace} AND ${asked.contacts})`;
  const runs = () =>
    asked.runs === undefined
      ? fromFirstRunSql(workspace, ...runConditions(asked))
      : inRunsSql(asked.runs, bind);
  const template = (text: string) => (columns.includes('template_id') ? text : 'NULL::uuid');
  const code = (text: string) => (columns.includes('error_code') ? text : 'NULL::text');
  const writer = writerSql(asked, workspace, bind);
  const failed = (alias: string) =>
    `${alias}.failed_at >= ${asked.since} AND ${alias}.failed_at < ${asked.before}`;
  const recent = () => (asked.isFailed ? failed('r') : runs());
  const recentMessages = asked.isFailed
    ? failed('m')
    : `${LAST_EVENT} >= ${asked.since} AND m.occurred_at < ${asked.before} + ${CLOCKS}`;
  const ofWorkspace = `SELECT n AS itself, n.run_no, n.channel_id, n.campaign_id FROM delivery_runs n WHERE n.workspace_id = ${workspace}`;
  // Each recipient has a run. With LEFT JOIN a run of which nothing is asked is not read: without `runs` the planner expects few recipients, and would
  // go through all runs for each. With them it may read by several processes.
  const join = asked.runs === undefined ? 'LEFT JOIN' : 'JOIN';
  const recipients =
    () => `SELECT r.contact_id, run.channel_id, run.campaign_id, ${template('run_template(run.itself, r.variant)')} AS template_id, 'campaign' AS author,
      t.sent, t.delivered, t.read, t.failed, NULL::timestamptz AS received, t.replied, t.refused, ${code('r.error_code')} AS error_code
    FROM delivery_recipients r ${join} (${ofWorkspace}) run ON run.run_no = r.run_no CROSS JOIN LATERAL recipient_times(r) AS t
   WHERE r.workspace_id = ${workspace} AND ${recent()}${ofContacts('r.contact_id')}`;
  const messages =
    () => `SELECT m.contact_id, m.channel_id, NULL::uuid AS campaign_id, ${template('message_template(m)')} AS template_id, message_author(m) AS author,
      t.sent, t.delivered, t.read, t.failed, t.received, t.replied, t.refused, ${code('m.error_code')} AS error_code
    FROM messages m CROSS JOIN LATERAL message_times(m) AS t
   WHERE m.workspace_id = ${workspace} AND ${recentMessages}${writer}${ofContacts('m.contact_id')}`;
  // Bound where it is used: PostgreSQL takes no value that the statement does not name.
  return writer === '' ? `${recipients()} UNION ALL ${messages()}` : messages();
}

/** Members write single messages; what a campaign sends nobody wrote to one person. */
function writerSql({ agentId, teamId }: Asked, workspace: string, bind: BindValue): string {
  const written = `AND m.direction = 'out' AND m.author = 'person'`;
  const byAgent = agentId === undefined ? '' : ` ${written} AND m.author_id = ${bind(agentId, 'text')}`;
  if (teamId === undefined) return byAgent;
  const members = `SELECT x.user_id::text FROM team_members x WHERE x.workspace_id = ${workspace}
    AND x.team_id = ${bind(teamId, 'uuid')} AND NOT x.is_waiting`;
  return `${byAgent} ${written} AND m.author_id IN (${members})`;
}

/** A condition on the events or rollups of `r`: in the period, and what the filter names. Contacts, writers and countries are not asked here. */
export function reportConditions(
  filter: MessageFilter,
  { since, before, workspaceId }: { since: string; before: string; workspaceId: string },
  bind: BindValue,
): string {
  return [
    `r.quarter >= ${since}`,
    `r.quarter < ${before}`,
    ...filterConditions(filter, workspaceId, bind),
  ].join(' AND ');
}

/** The same of rows that are all in the period; true where the filter names nothing. */
export function messageConditions(filter: MessageFilter, workspaceId: string, bind: BindValue): string {
  return ['true', ...filterConditions(filter, workspaceId, bind)].join(' AND ');
}

/** What the filter names, each as a condition on `r`. Contacts, writers and countries are not asked here. */
export function filterConditions(
  {
    campaignId,
    templateId,
    channelId,
    channel,
  }: Pick<MessageFilter, 'campaignId' | 'templateId' | 'channelId' | 'channel'>,
  workspaceId: string,
  bind: BindValue,
): string[] {
  const is = (column: string, value: string | undefined) =>
    value === undefined ? [] : [`r.${column} = ${bind(value, 'uuid')}`];
  return [
    ...is('campaign_id', campaignId),
    ...is('template_id', templateId),
    ...is('channel_id', channelId),
    ...(channel === undefined
      ? []
      : [
          `r.channel_id IN (SELECT id FROM channels WHERE workspace_id = ${bind(workspaceId, 'uuid')} AND kind = ${bind(channel, 'text')})`,
        ]),
  ];
}

/** A condition on rows of `alias` with a phone number: of this country. */
export function countrySql(country: string, bind: BindValue, alias = 'c'): string {
  const within = (ranges: readonly { from: string; to: string }[]) =>
    ranges
      .map(
        ({ from, to }) => `${alias}.phone >= ${bind(from, 'text')} AND ${alias}.phone < ${bind(to, 'text')}`,
      )
      .join(' OR ');
  const { of, except } = numberRangesOf(country);
  if (of.length === 0) return 'false';
  return except.length === 0 ? `(${within(of)})` : `((${within(of)}) AND NOT (${within(except)}))`;
}

/** The first instant of a day (`YYYY-MM-DD`) in a time zone, as an expression. */
export function dayStartSql(day: string, zone: string, bind: BindValue): string {
  return `instant_of_day(${bind(day, 'date')}, ${bind(zone, 'text')})`;
}
