import type { MessageFilter } from '@app/domain/analytics/report-filter';
import type { BindValue } from '../bind-value.ts';
import { filterConditions } from './message-events.ts';

const COUNTS = ['sent', 'reported', 'delivered', 'read', 'failed', 'received', 'replied', 'refused'];
const COUNTED = COUNTS.map((one) => `r.${one}`).join(', ');

type Asked = { workspaceId: string; filter: MessageFilter; country: string };

/** The rollups of a country from one instant to another, both expressions, with `quarter`, `campaign_id`, `template_id` and the counts. */
export function countryQuartersSql(asked: Asked, from: string, to: string, bind: BindValue): string {
  return `SELECT r.quarter, r.campaign_id, r.template_id, ${COUNTED} FROM country_rollups r WHERE ${countryConditions(asked, bind)}
    AND r.quarter >= ${from} AND r.quarter < ${to}`;
}

/** The same in whole days of UTC, each at its beginning; not of one campaign or template. */
export function countryDaysSql(
  { workspaceId, filter, country }: Asked,
  from: string,
  to: string,
  bind: BindValue,
): string {
  // Null is all channels together, so that nobody adds them up.
  const { channelId, channel } = filter;
  const channels =
    channelId === undefined && channel === undefined
      ? 'r.channel_id IS NULL'
      : filterConditions({ channelId, channel }, workspaceId, bind).join(' AND ');
  return `SELECT r.at AS quarter, NULL::uuid AS campaign_id, NULL::uuid AS template_id, ${COUNTED} FROM country_rollup_sums r
   WHERE r.workspace_id = ${bind(workspaceId, 'uuid')} AND r.country = ${bind(country, 'text')} AND ${channels} AND r.at >= ${from} AND r.at < ${to}`;
}

/** What is not in the rollups yet. */
export function countryLiveSql(asked: Asked, from: string, to: string, bind: BindValue): string {
  const counts = COUNTS.map((one) =>
    one === 'reported' ? `CASE WHEN r.author <> 'app' THEN r.sent ELSE 0 END AS reported` : `r.${one}`,
  ).join(', ');
  return `SELECT r.quarter, r.campaign_id, r.template_id, ${counts} FROM message_rollup_deltas r WHERE ${countryConditions(asked, bind)}
    AND r.quarter >= ${from} AND r.quarter < ${to}`;
}

function countryConditions({ workspaceId, filter, country }: Asked, bind: BindValue): string {
  return [
    `r.workspace_id = ${bind(workspaceId, 'uuid')}`,
    `r.country = ${bind(country, 'text')}`,
    ...filterConditions(filter, workspaceId, bind),
  ].join(' AND ');
}
