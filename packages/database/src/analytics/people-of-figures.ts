import {
  NO_CODE,
  type MessageMetric,
  type ReportMetric,
  type ReportPeople,
} from '@app/domain/analytics/report-filter';
import { usualConversionSettings } from '@app/domain/conversions/conversion-settings';
import type { BindValue } from '../bind-value.ts';
import { isAttributedSql } from '../conversions/count-conversions.ts';
import { reportConditions } from './message-events.ts';

type Period = { since: string; before: string; workspaceId: string };
type Asked = { people: ReportPeople; period: Period; bind: BindValue };

/** Of figures that are not of messages: a query for `contact_id`, by the rules of the report that counts them. */
export const peopleOfFigures: Record<
  Exclude<ReportMetric, MessageMetric | 'optedOut'>,
  (asked: Asked) => string
> = {
  clicked: clicksSql,
  converted: conversionsSql,
  added: addedSql,
  optIns: (asked) => consentsSql('opt_in', asked),
  optOuts: (asked) => consentsSql('opt_out', asked),
  waiting: waitingSql,
  answered: (asked) => roundsSql('first_answered_at', 'first_answer_by', '', asked),
  answeredLate: (asked) =>
    roundsSql('first_answered_at', 'first_answer_by', ' AND r.is_answered_in_time IS FALSE', asked),
  resolved: (asked) => roundsSql('resolved_at', 'resolved_by', '', asked),
  asked: (asked) => roundsSql('asked_at', 'resolved_by', '', asked),
  ratedGood: (asked) => roundsSql('asked_at', 'resolved_by', ' AND r.rating = 3', asked),
  ratedOkay: (asked) => roundsSql('asked_at', 'resolved_by', ' AND r.rating = 2', asked),
  ratedBad: (asked) => roundsSql('asked_at', 'resolved_by', ' AND r.rating = 1', asked),
  botTalks: (asked) => talksSql('true', asked),
  botSolved: (asked) => talksSql('a.reason IS NULL', asked),
  handedOver: (asked) =>
    talksSql(
      asked.people.reason === undefined
        ? 'a.reason IS NOT NULL'
        : `a.reason = ${asked.bind(asked.people.reason, 'text')}`,
      asked,
    ),
  runs: (asked) => runsSql('', asked),
  runsCompleted: (asked) => runsSql('completed', asked),
  runsFailed: (asked) => runsSql('failed', asked),
  runsCancelled: (asked) => runsSql('cancelled', asked),
};

/** A condition on events `r` that failed: for this reason. */
export function reasonSql(reason: string | undefined, bind: BindValue): string {
  if (reason === undefined) return '';
  return reason === NO_CODE ? ' AND r.error_code IS NULL' : ` AND r.error_code = ${bind(reason, 'text')}`;
}

function within(column: string, { since, before }: Period): string {
  return `${column} >= ${since} AND ${column} < ${before}`;
}

function isSql(column: string, value: string | undefined, bind: BindValue): string {
  return value === undefined ? '' : ` AND ${column} = ${bind(value, 'uuid')}`;
}

/** The first click of each recipient, as rollups count it. */
function clicksSql({ people, period, bind }: Asked): string {
  const workspace = bind(period.workspaceId, 'uuid');
  return `SELECT r.contact_id FROM (
      SELECT k.contact_id, k.clicked_at AS quarter, CASE WHEN l.run_no IS NOT NULL THEN l.campaign_id END AS campaign_id, l.template_id, l.channel_id
        FROM link_clicks k JOIN counted_links l ON l.id = k.link_id WHERE k.workspace_id = ${workspace} AND k.is_first) r
    WHERE ${reportConditions(people, period, bind)}`;
}

function conversionsSql({ people, period, bind }: Asked): string {
  const workspace = bind(period.workspaceId, 'uuid');
  const days = `coalesce((SELECT s.window_days FROM conversion_settings s WHERE s.workspace_id = ${workspace}), ${bind(usualConversionSettings.windowDays, 'integer')})`;
  return `SELECT r.contact_id FROM (
      SELECT v.contact_id, v.occurred_at AS quarter, v.campaign_id, v.template_id, v.channel_id FROM conversions v
       WHERE v.workspace_id = ${workspace} AND v.campaign_id IS NOT NULL AND ${isAttributedSql(days)}) r
    WHERE ${reportConditions(people, period, bind)}`;
}

function addedSql({ people: { source }, period, bind }: Asked): string {
  const ofSource = source === undefined ? '' : ` AND contact_source(k) = ${bind(source, 'text')}`;
  return `SELECT k.id AS contact_id FROM contacts k
    WHERE k.workspace_id = ${bind(period.workspaceId, 'uuid')} AND ${within('k.created_at', period)}${ofSource}`;
}

function consentsSql(kind: 'opt_in' | 'opt_out', { people: { source }, period, bind }: Asked): string {
  const ofSource = source === undefined ? '' : ` AND consent_source(k) = ${bind(source, 'text')}`;
  return `SELECT k.contact_id FROM contact_consents k
    WHERE k.workspace_id = ${bind(period.workspaceId, 'uuid')} AND k.kind = '${kind}' AND ${within('k.occurred_at', period)}${ofSource} AND NOT repeats_wish(k)`;
}

/** Now, whatever the period is. */
function waitingSql({ people: { channelId, agentId, teamId }, period, bind }: Asked): string {
  return `SELECT k.contact_id FROM conversations k
    WHERE k.workspace_id = ${bind(period.workspaceId, 'uuid')} AND NOT k.is_archived AND k.waiting_since IS NOT NULL${isSql(
      'k.channel_id',
      channelId,
      bind,
    )}${isSql('k.assignee_id', agentId, bind)}${isSql('k.team_id', teamId, bind)}`;
}

function roundsSql(
  at: 'first_answered_at' | 'resolved_at' | 'asked_at',
  by: 'first_answer_by' | 'resolved_by',
  more: string,
  { people: { channelId, agentId, teamId }, period, bind }: Asked,
): string {
  return `SELECT k.contact_id FROM conversation_rounds r JOIN conversations k ON k.id = r.conversation_id AND k.workspace_id = r.workspace_id
    WHERE r.workspace_id = ${bind(period.workspaceId, 'uuid')} AND ${within(`r.${at}`, period)}${more}${isSql(
      'r.channel_id',
      channelId,
      bind,
    )}${isSql(`r.${by}`, agentId, bind)}${isSql('r.team_id', teamId, bind)}`;
}

/** Conversations in which the bot answered in the period, with the last reason why it handed over. */
function talksSql(condition: string, { people: { channelId }, period, bind }: Asked): string {
  return `SELECT a.contact_id FROM (
      SELECT b.contact_id, (array_agg(b.handoff ORDER BY b.decided_at DESC) FILTER (WHERE b.handoff IS NOT NULL))[1] AS reason FROM bot_answers b
       WHERE b.workspace_id = ${bind(period.workspaceId, 'uuid')} AND ${within('b.decided_at', period)}${isSql('b.channel_id', channelId, bind)}
       GROUP BY b.contact_id, b.channel_id) a
    WHERE ${condition}`;
}

function runsSql(
  status: '' | 'completed' | 'failed' | 'cancelled',
  { people: { channelId, flowId }, period, bind }: Asked,
): string {
  return `SELECT r.contact_id FROM flow_runs r
    WHERE r.workspace_id = ${bind(period.workspaceId, 'uuid')} AND r.contact_id IS NOT NULL AND NOT r.is_test AND r.ended_at IS NOT NULL
      AND ${within('r.ended_at', period)}${status === '' ? '' : ` AND r.status = '${status}'`}${isSql('r.channel_id', channelId, bind)}${isSql(
        'r.flow_id',
        flowId,
        bind,
      )}`;
}
