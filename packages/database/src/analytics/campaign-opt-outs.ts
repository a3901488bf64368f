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
  const { since, before, campaignId, templateId, channelId, channel, contacts, agentId, teamId } = asked;
  // What campaigns send was written by no member.
  const isOfCampaigns = agentId === undefined && teamId === undefined;
  const workspace = bind(asked.workspaceId, 'uuid');
  const window = `make_interval(days => ${bind(asked.windowDays ?? optOutWindow.usual, 'integer')})`;
  const is = (column: string, value: string | undefined) =>
    value === undefined ? '' : ` AND o.${column} = ${bind(value, 'uuid')}`;
  const ofContacts =
    contacts === undefined
      ? ''
      : ` AND k.contact_id IN (SELECT c.id FROM contacts c WHERE c.workspace_id = ${workspace} AND ${contacts})`;
  const ofKind =
    channel === undefined
      ? ''
      : ` AND o.channel_id IN (SELECT id FROM channels WHERE workspace_id = ${workspace} AND kind = ${bind(channel, 'text')})`;
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
  // For each opt-out one look at what the contact got in the days before it: whatever the period is, nothing else that was sent is read.
  return `SELECT o.contact_id, o.campaign_id FROM (
      WITH runs AS MATERIALIZED (${runs}), months AS MATERIALIZED (
        SELECT m.month, ${runBoundsSql} FROM (${left(`DISTINCT ${month('k.occurred_at')} AS month`)}) AS m
          JOIN runs n ON n.begun < m.month + interval '31 days' AND (n.is_open OR n.ended >= m.month - ${window}) GROUP BY 1)
      SELECT DISTINCT ON (k.contact_id) k.contact_id, run.campaign_id, run_template(run, r.variant) AS template_id, run.channel_id
        FROM (${left(`k.contact_id, k.occurred_at, ${month('k.occurred_at')} AS month`)}) AS k JOIN months m ON m.month = k.month
       CROSS JOIN LATERAL (
         SELECT g.run_no, g.variant, t.at FROM (${reached('small')} UNION ALL ${reached('large')}) AS g
          CROSS JOIN LATERAL (SELECT coalesce(least(g.delivered_at, g.read_at), g.accepted_at) AS at) AS t
          WHERE t.at <= k.occurred_at AND t.at >= k.occurred_at - ${window} OFFSET 0) AS r
        JOIN delivery_runs run ON run.run_no = r.run_no
       ORDER BY k.contact_id, r.at DESC, r.run_no DESC) AS o
    WHERE ${isOfCampaigns}${is('campaign_id', campaignId)}${is('template_id', templateId)}${is('channel_id', channelId)}${ofKind}`;
}
