import type { MessagePriority } from '@app/domain/conversations/message-priority';
import type { SqlClient } from '../sql-client.ts';

export const replyChannelName = 'delivery_reply';

/** Long enough for a sending process to hear of the reply and leave room for it. */
const noticeMs = 60;

/** Bots and flows take a moment of the number that is no further away, so that an agent's reply finds the next one free. */
const LOOK_AHEAD_MS = 200;
/** Beside a campaign one message of flows leaves in the time of so many: the campaign keeps 98 % of the rate of its number. */
const FLOW_SHARE = 50;

/** The number has no moment for a message of this priority yet. Thrown, so that nothing of its claim stays. */
export class NoMomentYet extends Error {
  readonly waitMs: number;

  constructor(waitMs: number) {
    super('The number has no moment for a message of this priority yet.');
    this.waitMs = waitMs;
  }
}

/** Seconds between two messages of the number: `$3` is its share of a limit of the workspace's own, for each minute. */
const GAP = `make_interval(secs => greatest(60 / $3::double precision,
  1 / coalesce(d.rate_per_second, (SELECT messages_per_second FROM channels WHERE id = $1))))`;

/**
 * Reserves the next moment for a single message on a number, ahead of every campaign, and returns how many milliseconds to wait before sending it.
 * Agents' replies queue only behind each other; messages of bots and flows take a moment that is near, and those of flows have a small share
 * of the rate while a campaign runs. `perMinute` is the number's share of a limit of the workspace's own.
 * @throws NoMomentYet for a bot or a flow
 */
export async function reserveReply(
  client: SqlClient,
  channelId: string,
  perMinute: number | null = null,
  priority: MessagePriority = 'agent',
): Promise<{ waitMs: number }> {
  const { rows } = await client.query<{ wait_ms: number }>(
    `WITH reserved AS (
       INSERT INTO delivery_channels AS d (channel_id, workspace_id, next_reply_at)
       SELECT id, workspace_id, clock_timestamp() FROM channels WHERE id = $1
       ON CONFLICT (channel_id) DO UPDATE SET
         next_reply_at = greatest(
           clock_timestamp() + CASE WHEN d.lease_until > clock_timestamp() THEN make_interval(secs => $2) ELSE interval '0' END,
           d.next_reply_at + ${GAP}),
         next_flow_at = CASE WHEN $4 = 'flow' THEN clock_timestamp() + ${GAP} * ${FLOW_SHARE} ELSE d.next_flow_at END
       WHERE ($4 = 'agent' OR d.next_reply_at IS NULL OR d.next_reply_at + ${GAP} <= clock_timestamp() + ${LOOK_AHEAD})
         AND ($4 <> 'flow' OR d.next_flow_at IS NULL OR d.next_flow_at <= clock_timestamp() OR NOT coalesce(d.lease_until > clock_timestamp(), false))
       RETURNING greatest(0, extract(epoch FROM next_reply_at - clock_timestamp()) * 1000)::double precision AS wait_ms
     )
     SELECT wait_ms, pg_notify('${replyChannelName}', $1::text || ' ' || round(wait_ms)) FROM reserved`,
    [channelId, noticeMs / 1000, perMinute, priority],
  );
  const [reserved] = rows;
  if (!reserved && priority !== 'agent')
    throw new NoMomentYet(await timeToMoment(client, channelId, perMinute, priority));
  return { waitMs: reserved?.wait_ms ?? 0 };
}

const LOOK_AHEAD = `interval '${LOOK_AHEAD_MS} milliseconds'`;

/** In how many milliseconds a message of this priority may find a moment, if no other takes it. */
async function timeToMoment(
  client: SqlClient,
  channelId: string,
  perMinute: number | null,
  priority: MessagePriority,
): Promise<number> {
  const { rows } = await client.query<{ wait_ms: number }>(
    `SELECT (extract(epoch FROM greatest(d.next_reply_at + ${GAP} - ${LOOK_AHEAD},
          CASE WHEN $2 = 'flow' AND d.lease_until > clock_timestamp() THEN d.next_flow_at END) - clock_timestamp()) * 1000)::double precision AS wait_ms
       FROM delivery_channels d WHERE d.channel_id = $1`,
    [channelId, priority, perMinute],
  );
  return Math.max(rows[0]?.wait_ms ?? 0, 1);
}
