import { advisoryLocks } from '@app/database/advisory-locks';
import { recipientState } from '@app/domain/delivery/recipient-state';
import type { Fence } from '../recipients/claim-recipients.ts';
import type { SqlClient } from '../sql-client.ts';

export type ChannelLease = Fence & {
  channelId: string;
  workspaceId: string;
  /** Speed that an earlier complaint of the platform left, or null at full speed. */
  loweredTo: number | null;
  rateChangedAt: number;
  holdUntil: number;
  /** The last holder died a moment ago: what it left in doubt may be repeated where the platform delivers each try once. */
  isFresh: boolean;
};

const aliveLock = advisoryLocks.engineAlive;
/** A holder that did not renew for so long and whose connection is gone was killed. */
const silentMs = 1_000;
/** No platform says for how long it knows the ids of messages: what is older than this stays in doubt. */
export const REPEATED_FOR = '15 minutes';

/**
 * A condition on `delivery_channels d`: nobody holds the channel, its holder's lease ran out, or the holder died. A
 * killed process loses its connection, and with it its lock, at once; one that is frozen keeps both until the lease ends.
 */
export function channelIsFreeSql(leaseMs: number): string {
  const lastSign = `d.lease_until - interval '${Math.round(leaseMs)} milliseconds'`;
  return `(d.owner IS NULL OR d.lease_until < clock_timestamp()
    OR (${lastSign} < clock_timestamp() - interval '${silentMs} milliseconds'
      AND pg_try_advisory_xact_lock(hashtextextended(d.owner, ${aliveLock}))))`;
}

/** Shows that `owner` lives for as long as this connection does, once an earlier one of its own is gone. */
export async function showAlive(client: SqlClient, owner: string): Promise<void> {
  await client.query(`SELECT pg_try_advisory_lock(hashtextextended($1, ${aliveLock}))`, [owner]);
}

/** Becomes the one sender of a number, when it is free. Null when somebody else holds it. */
export async function takeChannel(
  client: SqlClient,
  channelId: string,
  owner: string,
  leaseMs: number,
): Promise<ChannelLease | null> {
  const { rows } = await client.query<{
    workspace_id: string;
    epoch: string;
    rate_per_second: number | null;
    rate_changed_at: Date | null;
    hold_until: Date | null;
    is_fresh: boolean | null;
  }>(
    `WITH before AS (SELECT lease_until FROM delivery_channels WHERE channel_id = $1)
     INSERT INTO delivery_channels AS d (channel_id, workspace_id, owner, epoch, lease_until)
     SELECT id, workspace_id, $2, 1, clock_timestamp() + make_interval(secs => $3) FROM channels WHERE id = $1
     ON CONFLICT (channel_id) DO UPDATE SET owner = excluded.owner, epoch = d.epoch + 1, lease_until = excluded.lease_until
       WHERE ${channelIsFreeSql(leaseMs)}
     RETURNING workspace_id, epoch, rate_per_second, rate_changed_at, hold_until,
       (SELECT lease_until > clock_timestamp() - interval '${REPEATED_FOR}' FROM before) AS is_fresh`,
    [channelId, owner, leaseMs / 1000],
  );
  const row = rows[0];
  if (!row) return null;
  return {
    channelId,
    workspaceId: row.workspace_id,
    owner,
    epoch: Number(row.epoch),
    loweredTo: row.rate_per_second,
    rateChangedAt: row.rate_changed_at?.getTime() ?? 0,
    holdUntil: row.hold_until?.getTime() ?? 0,
    isFresh: row.is_fresh ?? false,
  };
}

/** False when the lease was lost: nothing may leave or be written any more. */
export async function renewChannel(
  client: SqlClient,
  lease: ChannelLease,
  leaseMs: number,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE delivery_channels SET lease_until = clock_timestamp() + make_interval(secs => $4)
     WHERE channel_id = $1 AND owner = $2 AND epoch = $3`,
    [lease.channelId, lease.owner, lease.epoch, leaseMs / 1000],
  );
  return rowCount === 1;
}

/** Lets another process take the channel at once. */
export async function releaseChannel(client: SqlClient, lease: ChannelLease): Promise<void> {
  await client.query(
    `UPDATE delivery_channels SET owner = NULL, lease_until = NULL WHERE channel_id = $1 AND owner = $2 AND epoch = $3`,
    [lease.channelId, lease.owner, lease.epoch],
  );
}

export async function rememberRate(
  client: SqlClient,
  lease: ChannelLease,
  { loweredTo, changedAt, holdUntil }: { loweredTo: number | null; changedAt: number; holdUntil: number },
): Promise<void> {
  await client.query(
    `UPDATE delivery_channels SET rate_per_second = $4, rate_changed_at = to_timestamp($5::double precision / 1000),
       hold_until = to_timestamp($6::double precision / 1000)
     WHERE channel_id = $1 AND owner = $2 AND epoch = $3`,
    [lease.channelId, lease.owner, lease.epoch, loweredTo, changedAt, holdUntil],
  );
}

/**
 * Takes every unfinished run of the channel that an older epoch (or nobody) holds. What an earlier sender had claimed and
 * not settled becomes unknown: it may have left. Call it inside a transaction; returns these recipients by their run.
 */
export async function takeRuns(client: SqlClient, lease: ChannelLease): Promise<Map<number, number[]>> {
  const { rows } = await client.query<{ run_no: string; cursor: number; low_water: number }>(
    // FOR UPDATE waits for what an earlier owner is writing at this moment; see settle_recipients.
    `WITH free AS MATERIALIZED (
       SELECT run_no FROM delivery_runs WHERE channel_id = $1 AND completed_at IS NULL AND epoch < $3 ORDER BY run_no FOR UPDATE
     )
     UPDATE delivery_runs r SET owner = $2, epoch = $3 FROM free WHERE r.run_no = free.run_no
     RETURNING r.run_no, r.cursor, r.low_water`,
    [lease.channelId, lease.owner, lease.epoch],
  );
  const lost = new Map<number, number[]>();
  for (const { run_no: runNo, cursor, low_water: lowWater } of rows)
    lost.set(Number(runNo), await markLost(client, Number(runNo), lowWater, cursor));
  return lost;
}

const { pending, sending, unknown } = recipientState;

async function markLost(
  client: SqlClient,
  runNo: number,
  lowWater: number,
  cursor: number,
): Promise<number[]> {
  const { rows } = await client.query<{ seqs: number[] | null }>(
    `WITH in_flight AS MATERIALIZED (
       SELECT seq FROM delivery_recipients WHERE run_no = $1 AND seq >= $2 AND seq < $3 AND state = ${pending}
       UNION
       SELECT seq FROM delivery_retries WHERE run_no = $1 AND claimed_attempt IS NOT NULL
     ), locked AS MATERIALIZED (
       SELECT seq FROM delivery_recipients
       WHERE run_no = $1 AND seq = ANY(ARRAY(SELECT seq FROM in_flight)) AND state IN (${pending}, ${sending})
       ORDER BY seq FOR UPDATE
     ), lost AS (
       UPDATE delivery_recipients SET state = ${unknown}, error_code = 'sender_lost',
         attempt = CASE WHEN state = ${pending} THEN attempt + 1 ELSE attempt END
       WHERE run_no = $1 AND seq = ANY(ARRAY(SELECT seq FROM locked)) AND state IN (${pending}, ${sending})
       RETURNING seq
     ), unqueued AS (
       DELETE FROM delivery_retries WHERE run_no = $1 AND claimed_attempt IS NOT NULL
     ), settled AS (
       UPDATE delivery_runs SET low_water = cursor WHERE run_no = $1
     ), counted AS (
       INSERT INTO delivery_deltas (run_no, workspace_id, channel_id, hour, unknown)
       SELECT $1, run.workspace_id, run.channel_id, date_trunc('hour', now(), 'UTC'), count(*)
       FROM lost, delivery_runs run WHERE run.run_no = $1 GROUP BY 2, 3
     )
     SELECT array_agg(seq ORDER BY seq) AS seqs FROM lost`,
    [runNo, lowWater, cursor],
  );
  return rows[0]?.seqs ?? [];
}
