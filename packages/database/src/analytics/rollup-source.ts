import type { MessageFilter } from '@app/domain/analytics/report-filter';
import type { BindValue } from '../bind-value.ts';
import { reportConditions } from './message-events.ts';

/** What a report is about to group by; `none` is one sum of everything. */
export type ReportGrouping = 'none' | 'time' | 'campaign' | 'template';

type Asked = {
  workspaceId: string;
  /** When the period begins and ends, as expressions. */
  since: string;
  before: string;
  grouping: ReportGrouping;
};

const SUMMED = ['delivered', 'read', 'failed', 'received', 'replied', 'clicked', 'cost'];
const ID_COLUMNS = { campaign: 'campaign_id', template: 'template_id' } as const;

/**
 * The rollups of a report as a table, with `quarter`, `campaign_id`, `template_id`, `sent`, `reported` (sent by ways of which the platform reports what
 * became of it), `delivered`, `read`, `failed`, `received`, `replied`, `clicked` and `cost`. It reads the fewest rows that give exactly the same sums:
 * whole days of UTC as they are added up in `message_rollup_sums`, and what is before the first and behind the last of them by quarters of an hour.
 * `campaign_id` and `template_id` are there only where they are grouped by or filtered; `quarter` only for `time`.
 */
export function rollupSourceSql(filter: MessageFilter, asked: Asked, bind: BindValue): string {
  const { since, before, grouping } = asked;
  const conditions = (from: string, to: string) =>
    `r.workspace_id = ${bind(asked.workspaceId, 'uuid')} AND ${reportConditions(filter, { ...asked, since: from, before: to }, bind)}`;
  const rollups = (table: string, from: string, to: string) =>
    `SELECT r.quarter, r.campaign_id, r.template_id, r.sent, CASE WHEN r.author <> 'app' THEN r.sent ELSE 0 END AS reported, ${SUMMED.map((one) => `r.${one}`).join(', ')}
       FROM ${table} r WHERE ${conditions(from, to)}`;
  const live = rollups('message_rollup_deltas', since, before);
  // Of one campaign or template there are few rows, which an index finds.
  if (filter.campaignId !== undefined || filter.templateId !== undefined)
    return `(${rollups('message_rollups', since, before)} UNION ALL ${live})`;
  const sums = (level: string, from: string, to: string) => {
    const id = (of: 'campaign' | 'template') => (level === of ? 's.id' : 'NULL::uuid');
    return `SELECT s.at AS quarter, ${id('campaign')} AS campaign_id, ${id('template')} AS template_id, s.sent, s.reported, ${SUMMED.map((one) => `s.${one}`).join(', ')}
       FROM message_rollup_sums s WHERE s.workspace_id = ${bind(asked.workspaceId, 'uuid')} AND s.level = '${level}' AND ${channelSql(filter, asked.workspaceId, bind)}
        AND s.at >= ${from} AND s.at < ${to}`;
  };
  if (grouping === 'time') return `(${sums('quarter', since, before)} UNION ALL ${live})`;
  // The first whole day of UTC, and the end of the last one.
  const first = `day_of(${since} + interval '1 day' - interval '1 microsecond')`;
  const last = `greatest(${first}, day_of(${before}))`;
  const edge = (from: string, to: string) =>
    grouping === 'none'
      ? sums('quarter', from, to)
      : `${rollups('message_rollups', from, to)} AND r.${ID_COLUMNS[grouping]} IS NOT NULL`;
  return `(${[
    sums(grouping === 'none' ? 'day' : grouping, first, last),
    edge(since, `least(${first}, ${before})`),
    edge(last, before),
    live,
  ].join(' UNION ALL ')})`;
}

/** Null is all channels together, so that nobody adds them up. */
function channelSql({ channelId, channel }: MessageFilter, workspaceId: string, bind: BindValue): string {
  if (channelId === undefined && channel === undefined) return 's.channel_id IS NULL';
  return [
    ...(channelId === undefined ? [] : [`s.channel_id = ${bind(channelId, 'uuid')}`]),
    ...(channel === undefined
      ? []
      : [
          `s.channel_id IN (SELECT id FROM channels WHERE workspace_id = ${bind(workspaceId, 'uuid')} AND kind = ${bind(channel, 'text')})`,
        ]),
  ].join(' AND ');
}
