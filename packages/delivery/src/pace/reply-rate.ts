import type { SqlClient } from '../sql-client.ts';

export const replyChannelName = 'delivery_reply';

/** Long enough for a sending process to hear of the reply and leave room for it. */
const noticeMs = 60;

/**
 * Reserves the next moment for a person's or bot's message on a number, ahead of every campaign, and returns how many
 * milliseconds to wait before sending it. Replies queue only behind each other. `perMinute` is the number's share of a limit of the workspace's own.
 */
export async function reserveReply(
  client: SqlClient,
  channelId: string,
  perMinute: number | null = null,
): Promise<{ waitMs: number }> {
  const { rows } = await client.query<{ wait_ms: number }>(
    `WITH reserved AS (
       INSERT INTO delivery_channels AS d (channel_id, workspace_id, next_reply_at)
       SELECT id, workspace_id, clock_timestamp() FROM channels WHERE id = $1
       ON CONFLICT (channel_id) DO UPDATE SET next_reply_at = greatest(
         clock_timestamp() + CASE WHEN d.lease_until > clock_timestamp() THEN make_interval(secs => $2) ELSE interval '0' END,
         d.next_reply_at + make_interval(secs => greatest(60 / $3::double precision,
           1 / coalesce(d.rate_per_second, (SELECT messages_per_second FROM channels WHERE id = $1)))))
       RETURNING greatest(0, extract(epoch FROM next_reply_at - clock_timestamp()) * 1000)::double precision AS wait_ms
     )
     SELECT wait_ms, pg_notify('${replyChannelName}', $1::text || ' ' || round(wait_ms)) FROM reserved`,
    [channelId, noticeMs / 1000, perMinute],
  );
  return { waitMs: rows[0]?.wait_ms ?? 0 };
}
