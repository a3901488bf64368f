import { optOutWindow, type MessageFilter } from '@app/domain/analytics/report-filter';
import type { BindValue } from '../bind-value.ts';
import { runBoundsSql } from '../campaigns/first-run.ts';

type Asked = MessageFilter & {
  workspaceId: string;
  /** When the period begins and ends, as expressions. */
  since: string;
  before: string;
  /** In days; see `optOutWindow`. */
  windowDays?: number | undefined;
  /** A condition on `contacts c`. */
  contacts?: string | undefined;
};

/**
 * Contacts who opted out in the period, at most `windowDays` after a campaign message reached them, once each: `contact_id`, and the
 * `campaign_id` of the last such message. The filter narrows afterwards, so that an opt-out never moves to an earlier campaign.
 */
export function campaignOptOutsSql(asked: Asked, bind: BindValue): string {
  const { since, before, contacts, agentId, teamId } = asked;
  // What campaigns send was written by no member.
  const isOfCampaigns = agentId === undefined && teamId === undefined;
  const workspace = bind(asked.workspaceId, 'uuid');
  // In hours: days of an interval are asked of the calendar, which takes longer than the rest of a row.
  const window = `make_interval(hours => 24 * ${bind(asked.windowDays ?? optOutWindow.usual, 'integer')})`;
  const ofContacts =
    contacts === undefined
      ? ''
      : ` AND k.contact_id IN (SELECT c.id FROM contacts c WHERE c.workspace_id = ${workspace} AND ${contacts})`;
  const left = (columns: string) => `SELECT ${columns} FROM contact_consents k
    WHERE k.workspace_id = ${workspace} AND k.kind = 'opt_out' AND k.occurred_at >= ${since} AND k.occurred_at < ${before}${ofContacts}`;
  // Runs are looked for once for each 30 days, in which they lie together.
  const month = (at: string) => `date_bin('30 days', ${at}, '2000-01-01 00:00:00+00')`;
  const runs = `SELECT n.run_no, n.created_at AS begun, greatest(n.completed_at, n.reported_at) AS ended, n.completed_at IS NULL AS is_open
    FROM delivery_runs n WHERE n.workspace_id = ${workspace}`;
  // Of small and of large runs each by itself: an index finds one range of runs at a time.
  const reached = (
    runs: 'small' | 'large',
  ) => `SELECT r.run_no, r.variant, r.delivered_at, r.read_at, r.accepted_at FROM delivery_recipients r
    WHERE r.contact_id = k.contact_id AND r.workspace_id = ${workspace} AND r.state = 2 AND r.run_no >= m.first_${runs} AND r.run_no <= m.last_${runs}`;
  // For each opt-out one look at what the contact got in the days before it: whatever the period is, nothing else that was sent is read. The run
  // itself is looked at once for each contact, after that.
  return `SELECT o.contact_id, run.campaign_id FROM (
      WITH runs AS MATERIALIZED (${runs}),
      asked AS MATERIALIZED (
        SELECT m.month, m.month - ${window} AS since, m.month + interval '744 hours' AS before
          FROM (${left(`DISTINCT ${month('k.occurred_at')} AS month`)}) AS m),
      months AS MATERIALIZED (
        SELECT m.month, ${runBoundsSql()} FROM asked m JOIN runs n ON n.begun < m.before AND (n.is_open OR n.ended >= m.since) GROUP BY 1)
      SELECT DISTINCT ON (k.contact_id) k.contact_id, r.run_no, r.variant
        FROM (${left(`k.contact_id, k.occurred_at, k.occurred_at - ${window} AS since, ${month('k.occurred_at')} AS month`)} OFFSET 0) AS k JOIN months m ON m.month = k.month
       CROSS JOIN LATERAL (
         SELECT g.run_no, g.variant, t.at FROM (${reached('small')} UNION ALL ${reached('large')}) AS g
          CROSS JOIN LATERAL (SELECT coalesce(least(g.delivered_at, g.read_at), g.accepted_at) AS at) AS t
          WHERE t.at <= k.occurred_at AND t.at >= k.since OFFSET 0) AS r
       ORDER BY k.contact_id, r.at DESC, r.run_no DESC) AS o
      JOIN delivery_runs run ON run.run_no = o.run_no
    WHERE ${[isOfCampaigns, ...ofRun(asked, workspace, bind)].join(' AND ')}`;
}

/** What the filter names, each as a condition on a run and on `variant` of a recipient. */
function ofRun(
  { campaignId, templateId, channelId, channel }: MessageFilter,
  workspace: string,
  bind: BindValue,
): string[] {
  const is = (column: string, value: string | undefined) =>
    value === undefined ? [] : [`${column} = ${bind(value, 'uuid')}`];
  return [
    ...is('run.campaign_id', campaignId),
    ...is('run_template(run, o.variant)', templateId),
    ...is('run.channel_id', channelId),
    ...(channel === undefined
      ? []
      : [
          `run.channel_id IN (SELECT id FROM channels WHERE workspace_id = ${workspace} AND kind = ${bind(channel, 'text')})`,
        ]),
  ];
}
