import { numberRangesOf } from '@app/domain/settings/calling-codes';
import type { MessageFilter } from '@app/domain/analytics/report-filter';
import type { BindValue } from '../bind-value.ts';
import { fromFirstRunSql } from '../campaigns/first-run.ts';

type Asked = Pick<MessageFilter, 'agentId' | 'teamId'> & {
  workspaceId: string;
  /** When the period begins and ends, as expressions. */
  since: string;
  before: string;
  /** A condition on `contacts c`; without it messages of deleted contacts count too. */
  contacts?: string | undefined;
};

/** How far the clock of a platform may be behind ours. */
const CLOCKS = `interval '1 day'`;
/** When the last thing happened to a message; as the index `messages_by_last_event` has it. */
const LAST_EVENT =
  'greatest(m.occurred_at, m.accepted_at, m.delivered_at, m.read_at, m.failed_at, m.replied_at)';

const FLAGS = ['sent', 'delivered', 'read', 'failed', 'received', 'replied', 'unread', 'undelivered'];

/**
 * What happened to messages, from the messages themselves, in the columns of `message_rollups_now` and with the contact: for what rollups do not
 * know. It may hold events of before and after the period: the caller narrows `quarter`. The rules are those of the
 * rollups (docs/decisions/108-rollups.md).
 */
export function messageEventsSql(asked: Asked, bind: BindValue): string {
  const workspace = bind(asked.workspaceId, 'uuid');
  const ofContacts = (column: string) =>
    asked.contacts === undefined
      ? ''
      : ` AND ${column} IN (SELECT c.id FROM contacts c WHERE c.workspace_id = ${workspace} AND ${asked.contacts})`;
  // A reply comes up to a day after the last report of its run.
  const runs = fromFirstRunSql(
    workspace,
    `n.completed_at IS NULL OR greatest(n.completed_at, n.reported_at) >= ${asked.since} - interval '2 days'`,
    `n.created_at < ${asked.before} + ${CLOCKS}`,
  );
  const writer = writerSql(asked, workspace, bind);
  const recipients = `SELECT r.contact_id, run.channel_id, run.campaign_id, run_template(run, r.variant) AS template_id, 'campaign' AS author, 'out' AS direction,
      t.sent, t.delivered, t.read, t.failed, NULL::timestamptz AS received, t.replied, r.error_code
    FROM delivery_recipients r JOIN delivery_runs run ON run.run_no = r.run_no CROSS JOIN LATERAL recipient_times(r) AS t
   WHERE r.workspace_id = ${workspace} AND ${runs}${ofContacts('r.contact_id')}`;
  const messages = `SELECT m.contact_id, m.channel_id, NULL::uuid AS campaign_id, message_template(m) AS template_id, message_author(m) AS author,
      m.direction, t.sent, t.delivered, t.read, t.failed, t.received, t.replied, m.error_code
    FROM messages m CROSS JOIN LATERAL message_times(m) AS t
   WHERE m.workspace_id = ${workspace} AND ${LAST_EVENT} >= ${asked.since} AND m.occurred_at < ${asked.before} + ${CLOCKS}${writer}${ofContacts('m.contact_id')}`;
  const ours = writer === '' ? `${recipients} UNION ALL ${messages}` : messages;
  return `SELECT o.contact_id, o.channel_id, o.campaign_id, o.template_id, o.author, o.direction, o.error_code, quarter_of(e.at) AS quarter,
      ${FLAGS.map((flag) => `e.${flag}`).join(', ')}, CASE WHEN o.author <> 'app' THEN e.sent ELSE 0 END AS reported
    FROM (${ours}) AS o CROSS JOIN LATERAL (VALUES
      (o.sent, 1, 0, 0, 0, 0, 0, 0, (o.delivered IS NULL AND o.failed IS NULL)::integer),
      (o.delivered, 0, 1, 0, 0, 0, 0, (o.read IS NULL)::integer, 0),
      (o.read, 0, 0, 1, 0, 0, 0, 0, 0), (o.failed, 0, 0, 0, 1, 0, 0, 0, 0), (o.received, 0, 0, 0, 0, 1, 0, 0, 0),
      (o.replied, 0, 0, 0, 0, 0, 1, 0, 0)) AS e (at, ${FLAGS.join(', ')})
   WHERE e.at >= ${asked.since} AND e.at < ${asked.before}`;
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
  { campaignId, templateId, channelId, channel }: MessageFilter,
  { since, before, workspaceId }: { since: string; before: string; workspaceId: string },
  bind: BindValue,
): string {
  const is = (column: string, value: string | undefined) =>
    value === undefined ? [] : [`r.${column} = ${bind(value, 'uuid')}`];
  return [
    `r.quarter >= ${since}`,
    `r.quarter < ${before}`,
    ...is('campaign_id', campaignId),
    ...is('template_id', templateId),
    ...is('channel_id', channelId),
    ...(channel === undefined
      ? []
      : [
          `r.channel_id IN (SELECT id FROM channels WHERE workspace_id = ${bind(workspaceId, 'uuid')} AND kind = ${bind(channel, 'text')})`,
        ]),
  ].join(' AND ');
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
  return `day_start(${bind(day, 'date')}, ${bind(zone, 'text')})`;
}
