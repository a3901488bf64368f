import type { MessageCategory } from '@app/domain/delivery/audience';
import type { RunState } from '@app/domain/delivery/recipient-state';
import type { RunMessage } from '@app/domain/delivery/run-message';
import { recipientState } from '@app/domain/delivery/recipient-state';
import type { Gate } from '../best-times.ts';
import type { Fence } from '../recipients/claim-recipients.ts';
import type { ChannelLease } from './channel-lease.ts';
import type { SqlClient } from '../sql-client.ts';

export type RunRow = {
  runNo: number;
  campaignId: string;
  state: RunState;
  category: MessageCategory;
  total: number;
  /** Of these, who may be claimed: all, or while a test is under way those who take part in it. */
  claimable: number;
  /** From when on so many of them; null when all may be claimed at once. */
  gates: Gate[] | null;
  cursor: number;
  isFrozen: boolean;
  /** Milliseconds since 1970 of the next try that waits; null when none does. */
  nextRetryAt: number | null;
  /** Nothing may be claimed for so many milliseconds, by the clock of the database. */
  heldForMs: number;
  channelStopped: { code: string; detail: string } | null;
};

/** The unfinished runs that this lease holds. */
export async function readChannelRuns(client: SqlClient, lease: ChannelLease): Promise<RunRow[]> {
  const { rows } = await client.query<{
    run_no: string;
    campaign_id: string;
    state: RunState;
    category: MessageCategory;
    total: number;
    claimable: number;
    gates: Gate[] | null;
    cursor: number;
    is_frozen: boolean;
    next_retry_at: Date | null;
    held_for: number;
    stopped_code: string | null;
    stopped_reason: string | null;
  }>(
    `SELECT r.run_no, r.campaign_id, r.state, r.category, r.total, least(r.total, r.claim_upto) AS claimable, r.gates, r.cursor, r.frozen_at IS NOT NULL AS is_frozen,
       c.stopped_code, c.stopped_reason,
       greatest(0, coalesce(extract(epoch FROM r.hold_until - clock_timestamp()), 0))::double precision AS held_for,
       (SELECT min(not_before) FROM delivery_retries q WHERE q.run_no = r.run_no AND q.claimed_attempt IS NULL) AS next_retry_at
     FROM delivery_runs r JOIN channels c ON c.id = r.channel_id
     WHERE r.channel_id = $1 AND r.owner = $2 AND r.epoch = $3 AND r.completed_at IS NULL
     ORDER BY r.run_no`,
    [lease.channelId, lease.owner, lease.epoch],
  );
  return rows.map((row) => ({
    runNo: Number(row.run_no),
    campaignId: row.campaign_id,
    state: row.state,
    category: row.category,
    total: row.total,
    claimable: row.claimable,
    gates: row.gates,
    cursor: row.cursor,
    isFrozen: row.is_frozen,
    nextRetryAt: row.next_retry_at?.getTime() ?? null,
    heldForMs: row.held_for * 1000,
    channelStopped:
      row.stopped_code === null ? null : { code: row.stopped_code, detail: row.stopped_reason ?? '' },
  }));
}

export async function readRunMessage(client: SqlClient, runNo: number): Promise<RunMessage> {
  const { rows } = await client.query<{ message: RunMessage }>(
    'SELECT message FROM delivery_runs WHERE run_no = $1',
    [runNo],
  );
  if (!rows[0]) throw new Error(`Run ${runNo} does not exist`);
  return rows[0].message;
}

/**
 * Completes a run that has nothing left to do; false when it has. A cancelled one, of which a person sent again to those of whom nobody knew, is
 * cancelled as before.
 */
export async function completeRun(client: SqlClient, runNo: number, fence: Fence): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE delivery_runs r SET state = CASE WHEN cancelled_at IS NULL THEN 'completed' ELSE 'cancelled' END, completed_at = now(), low_water = cursor
     WHERE run_no = $1 AND owner = $2 AND epoch = $3 AND state IN ('ready', 'running') AND frozen_at IS NOT NULL
       AND cursor >= total AND NOT EXISTS (SELECT FROM delivery_retries q WHERE q.run_no = r.run_no)`,
    [runNo, fence.owner, fence.epoch],
  );
  return rowCount === 1;
}

/** Persists how far everything is settled, before the lease is given up. */
export async function saveLowWater(
  client: SqlClient,
  runNo: number,
  fence: Fence,
  lowWater: number,
): Promise<void> {
  await client.query(
    'UPDATE delivery_runs SET low_water = $4 WHERE run_no = $1 AND owner = $2 AND epoch = $3 AND low_water < $4',
    [runNo, fence.owner, fence.epoch, lowWater],
  );
}

const cancelChunk = 5_000;

export type CancelStep =
  /** None is left: the run is closed. */
  | 'closed'
  /** There are more; each call takes the next ones, so that calling again comes to an end. */
  | 'more'
  /** Those left are in flight: only their outcome can close the run. */
  | 'in_flight'
  /** There is no such run, it is not cancelled or not frozen, is closed already, or is not ours any more: calling again changes nothing. */
  | 'not_ours';

/** Turns the next waiting recipients of a cancelled run into cancelled ones. Those in flight keep their true outcome. */
export async function cancelNextRecipients(
  client: SqlClient,
  runNo: number,
  fence: Fence,
): Promise<CancelStep> {
  const { rows } = await client.query<{ is_open: boolean; has_more: boolean }>(
    `WITH run AS (
       SELECT run_no, workspace_id, channel_id, cursor, total, least(cursor + ${cancelChunk}, total) AS upto FROM delivery_runs
       WHERE run_no = $1 AND owner = $2 AND epoch = $3 AND state = 'cancelled' AND frozen_at IS NOT NULL AND completed_at IS NULL FOR NO KEY UPDATE
     ), retries AS (
       DELETE FROM delivery_retries q USING run WHERE q.run_no = $1 AND q.claimed_attempt IS NULL RETURNING q.seq
     ), chosen AS MATERIALIZED (
       SELECT seq FROM delivery_recipients WHERE run_no = $1 AND seq >= (SELECT cursor FROM run)
         AND seq < (SELECT upto FROM run) AND state = ${recipientState.pending}
       UNION ALL SELECT seq FROM retries
     ), locked AS MATERIALIZED (
       SELECT seq FROM delivery_recipients WHERE run_no = $1 AND seq = ANY(ARRAY(SELECT seq FROM chosen)) ORDER BY seq FOR UPDATE
     ), cancelled AS (
       UPDATE delivery_recipients SET state = ${recipientState.cancelled}, error_code = 'run_cancelled', failed_at = now()
       WHERE run_no = $1 AND seq = ANY(ARRAY(SELECT seq FROM locked))
         AND state IN (${recipientState.pending}, ${recipientState.waiting})
       RETURNING seq
     ), counted AS (
       INSERT INTO delivery_deltas (run_no, workspace_id, channel_id, hour, cancelled)
       SELECT $1, run.workspace_id, run.channel_id, date_trunc('hour', now(), 'UTC'), count(*)
       FROM cancelled, run GROUP BY 2, 3
     )
     UPDATE delivery_runs r SET cursor = run.upto, low_water = greatest(r.low_water, CASE WHEN r.low_water >= run.cursor THEN run.upto ELSE r.low_water END),
       completed_at = CASE WHEN run.upto >= run.total AND NOT EXISTS (SELECT FROM delivery_retries q WHERE q.run_no = $1 AND q.claimed_attempt IS NOT NULL) THEN now() END
     FROM run WHERE r.run_no = $1
     RETURNING r.completed_at IS NULL AS is_open, r.cursor < r.total AS has_more`,
    [runNo, fence.owner, fence.epoch],
  );
  const run = rows[0];
  if (!run) return 'not_ours';
  if (!run.is_open) return 'closed';
  return run.has_more ? 'more' : 'in_flight';
}
