import { utcDayOf } from './daily-allowance.ts';
import type { SqlClient } from '../sql-client.ts';

export type ChannelLoad = {
  /** What the number may send now; less than usual for a while after the platform asked to slow down. */
  perSecond: number;
  /** How many messages of others leave through it before `count` of ours have left: the runs of a number take turns. */
  between: number;
  /** Handed out in the workspace today (a day of UTC). */
  usedToday: number;
  /** Of these through numbers of the same kind, where the kind is counted. */
  usedOfKind: number;
};

/** How busy a number is, and how much of its workspace's day is used, as of now. */
export async function readChannelLoad(
  client: SqlClient,
  {
    workspaceId,
    channelId,
    count,
    now,
  }: { workspaceId: string; channelId: string; count: number; now: number },
): Promise<ChannelLoad> {
  const { rows } = await client.query<{ per_second: number; between: string; used: number; of_kind: number }>(
    `SELECT least(c.messages_per_second, d.rate_per_second)::double precision AS per_second,
       (SELECT coalesce(sum(least($3::bigint, p.total - p.accepted - p.refused - p.cancelled - p.unknown)), 0) FROM delivery_progress p
         WHERE p.channel_id = c.id AND p.completed_at IS NULL AND p.state IN ('ready', 'running')) AS between,
       coalesce(u.used, 0) AS used, coalesce((u.kinds #>> ARRAY[c.kind, 'used'])::integer, 0) AS of_kind
     FROM channels c LEFT JOIN delivery_usage u ON u.workspace_id = c.workspace_id AND u.day = $4
       LEFT JOIN delivery_channels d ON d.channel_id = c.id WHERE c.workspace_id = $1 AND c.id = $2`,
    [workspaceId, channelId, count, utcDayOf(now).day],
  );
  const {
    per_second: perSecond = 0,
    between = '0',
    used: usedToday = 0,
    of_kind: usedOfKind = 0,
  } = rows[0] ?? {};
  return { perSecond, between: Number(between), usedToday, usedOfKind };
}
