import { recipientState } from '@app/domain/delivery/recipient-state';
import type { StopScope } from '@app/domain/messaging/rejection';
import type { PauseReason } from './delivery-events.ts';
import { returnCharges } from './pace/budget.ts';
import { wakeEngine } from './engine/engine-wake.ts';
import type { SqlClient } from './sql-client.ts';

/** Holds the runs of a number that are not over until the transaction ends, for whoever pauses them behind a lock on the number itself. */
export async function lockOpenRuns(client: SqlClient, channelId: string): Promise<void> {
  await client.query(
    'SELECT FROM delivery_runs WHERE channel_id = $1 AND completed_at IS NULL ORDER BY run_no FOR NO KEY UPDATE',
    [channelId],
  );
}

/** False when the run is not in a state that allows the act (or does not exist). */
export async function pauseRun(client: SqlClient, runNo: number): Promise<boolean> {
  return changeRun(
    client,
    `UPDATE delivery_runs SET state = 'paused', pause_reason = 'operator', pause_code = NULL, pause_detail = NULL, resume_at = NULL
     WHERE run_no = $1 AND state IN ('ready', 'running') RETURNING channel_id`,
    [runNo],
  );
}

/** Goes on exactly where the run stopped. A person's resume also lifts a stop of the channel: it is tried again. */
export async function resumeRun(client: SqlClient, runNo: number): Promise<boolean> {
  // In one statement: a sender that reads between two would see a ready run on a stopped channel and pause it again.
  return changeRun(
    client,
    `WITH resumed AS (
       UPDATE delivery_runs SET state = 'ready', pause_reason = NULL, pause_code = NULL, pause_detail = NULL, resume_at = NULL,
         resumed_at = now()
       WHERE run_no = $1 AND state = 'paused' RETURNING channel_id
     ), lifted AS (
       UPDATE channels SET stopped_code = NULL, stopped_reason = NULL, stopped_for = NULL, stopped_at = NULL, resumed_at = now()
       WHERE stopped_code IS NOT NULL AND id IN (SELECT channel_id FROM resumed)
     )
     SELECT channel_id FROM resumed`,
    [runNo],
  );
}

/**
 * Nothing more leaves from now on, and those who wait count as cancelled; the engine turns their rows in the background, and freezes for it who
 * is not frozen yet. Not where nobody will ask: `isDropped`.
 */
export async function cancelRun(
  client: SqlClient,
  runNo: number,
  { isDropped = false } = {},
): Promise<boolean> {
  return changeRun(
    client,
    `UPDATE delivery_runs SET state = 'cancelled', cancelled_at = now(), pause_reason = NULL, pause_code = NULL, pause_detail = NULL, resume_at = NULL
       ${isDropped ? `, frozen_at = coalesce(frozen_at, now()), audience = '{}'` : ''}
     WHERE run_no = $1 AND state IN ('ready', 'running', 'paused') RETURNING channel_id`,
    [runNo],
  );
}

/** A request that was made in the last moment of a hold is on its way for so long. */
const TAKE_BACK_GRACE_SECONDS = 2;

/**
 * Removes a run whose hold lasts and of which nothing was claimed, with its recipients. False when a message may have left, or when the hold is over
 * and the run waits for something else: the row's lock decides between this and the first claim.
 */
export async function takeBackRun(client: SqlClient, runNo: number): Promise<boolean> {
  return changeRun(
    client,
    `DELETE FROM delivery_runs WHERE run_no = $1 AND hold_until > clock_timestamp() - make_interval(secs => $2)
       AND cursor = 0 AND started_at IS NULL AND state IN ('ready', 'paused') RETURNING channel_id`,
    [runNo, TAKE_BACK_GRACE_SECONDS],
  );
}

/** Pauses one run for a reason other than a person's wish; `at` is when a notice of the platform was given. */
export async function pauseRunFor(
  client: SqlClient,
  runNo: number,
  pause: {
    reason: PauseReason;
    code?: string | null;
    detail?: string | null;
    resumeAt?: number | null;
    at?: Date;
  },
): Promise<boolean> {
  return changeRun(
    client,
    `UPDATE delivery_runs SET state = 'paused', pause_reason = $2, pause_code = $3, pause_detail = $4,
       resume_at = to_timestamp($5::double precision / 1000)
     WHERE run_no = $1 AND state IN ('ready', 'running') AND ${isNewerThanResume('$6')} RETURNING channel_id`,
    [
      ...[runNo, pause.reason, pause.code ?? null, pause.detail ?? null, pause.resumeAt ?? null],
      pause.at ?? null,
    ],
  );
}

/**
 * Stops a number and pauses its runs, after a refusal or a notice of the platform that a person must see to. `at` is when the notice was
 * given; none is a refusal of this moment. Of two stops that of everything stays. Answers with the runs that it paused.
 */
export async function stopChannel(
  client: SqlClient,
  channelId: string,
  { code, detail, blocks, at }: { code: string; detail: string; blocks: StopScope; at?: Date },
): Promise<number[]> {
  const { rows } = await client.query<{ run_no: string }>(
    `WITH stopped AS (
       UPDATE channels SET stopped_code = $2, stopped_reason = $3, stopped_for = $5,
         stopped_at = greatest(CASE WHEN stopped_code IS NOT NULL THEN stopped_at END, coalesce($4::timestamptz, now()))
        WHERE id = $1 AND ${isNewerThanResume('$4')} AND ($5 = 'everything' OR stopped_for IS DISTINCT FROM 'everything') RETURNING id
     )
     UPDATE delivery_runs SET state = 'paused', pause_reason = 'channel_stopped', pause_code = $2, pause_detail = $3, resume_at = NULL
     WHERE channel_id IN (SELECT id FROM stopped) AND state IN ('ready', 'running') RETURNING run_no`,
    [channelId, code, detail, at ?? null, blocks],
  );
  await wakeEngine(client, channelId);
  return rows.map(({ run_no: runNo }) => Number(runNo));
}

/**
 * Lets a channel send again whose trouble was mended, and the runs that had stopped with it go on where they stood. One that a person
 * paused stays so. Answers with the runs that go on.
 */
export async function liftStop(client: SqlClient, channelId: string): Promise<number[]> {
  // In one statement, as in `resumeRun`.
  const { rows } = await client.query<{ run_no: string }>(
    `WITH lifted AS (
       UPDATE channels SET stopped_code = NULL, stopped_reason = NULL, stopped_for = NULL, stopped_at = NULL, resumed_at = now()
        WHERE id = $1 AND is_connected RETURNING id
     )
     UPDATE delivery_runs SET state = 'ready', pause_reason = NULL, pause_code = NULL, pause_detail = NULL, resume_at = NULL,
       resumed_at = now()
     WHERE channel_id IN (SELECT id FROM lifted) AND state = 'paused' AND pause_reason IN ('channel_stopped', 'channel_missing')
     RETURNING run_no`,
    [channelId],
  );
  await wakeEngine(client, channelId);
  return rows.map(({ run_no: runNo }) => Number(runNo));
}

export type UnknownDecision =
  /** The operator found that it never left: send it again. */
  | 'mark_not_sent_and_send'
  /** The operator takes it as sent. */
  | 'mark_sent'
  /** The operator lets it be: it counts as cancelled. */
  | 'mark_not_sent';

/**
 * Settles all unknown recipients of a run, or those named; returns how many. Call it inside a transaction. While a run is still being
 * cancelled nobody of it can be sent to again: going on for them would go on for all who wait. On a channel with `ignoresRepeats` the same try
 * is sent again, so a contact who already has the message does not get it twice.
 */
export async function resolveUnknown(
  client: SqlClient,
  runNo: number,
  decision: UnknownDecision,
  { seqs, ignoresRepeats = false }: { seqs?: readonly number[]; ignoresRepeats?: boolean } = {},
): Promise<number> {
  const target =
    decision === 'mark_sent'
      ? recipientState.accepted
      : decision === 'mark_not_sent'
        ? recipientState.cancelled
        : recipientState.waiting;
  const sendsAgain = decision === 'mark_not_sent_and_send';
  // Locked before its recipients, as cancelling does: its state cannot change until this commits.
  const run = await client.query<{ channel_id: string; is_cancelling: boolean }>(
    `SELECT channel_id, state = 'cancelled' AND completed_at IS NULL AS is_cancelling FROM delivery_runs
     WHERE run_no = $1 FOR NO KEY UPDATE`,
    [runNo],
  );
  const found = run.rows[0];
  if (!found || (sendsAgain && found.is_cancelling)) return 0;
  const { rows } = await client.query<{ count: number; workspace_id: string; returned: string[] | null }>(
    `WITH settled AS (
       UPDATE delivery_recipients r SET state = $2::smallint,
         accepted_at = CASE WHEN $2 = ${recipientState.accepted} THEN now() ELSE r.accepted_at END,
         failed_at = CASE WHEN $2 = ${recipientState.cancelled} THEN now() END,
         error_code = CASE WHEN $2 = ${recipientState.cancelled} THEN 'not_sent' END, error_detail = NULL,
         attempt = CASE WHEN $4 THEN greatest(r.attempt - 1, 0) ELSE r.attempt END
       WHERE run_no = $1 AND state = ${recipientState.unknown} AND ($3::integer[] IS NULL OR seq = ANY($3))
       RETURNING r.seq, r.attempt, r.workspace_id
     ), again AS (
       INSERT INTO delivery_retries (run_no, seq, workspace_id, not_before)
       SELECT $1, seq, workspace_id, now() FROM settled WHERE $2 = ${recipientState.waiting}
       ON CONFLICT (run_no, seq) DO UPDATE SET not_before = excluded.not_before, claimed_attempt = NULL
     ), counted AS (
       INSERT INTO delivery_deltas (run_no, workspace_id, channel_id, hour, unknown, accepted, cancelled)
       SELECT $1, run.workspace_id, run.channel_id, date_trunc('hour', now(), 'UTC'), -count(*),
         CASE WHEN $2 = ${recipientState.accepted} THEN count(*) ELSE 0 END,
         CASE WHEN $2 = ${recipientState.cancelled} THEN count(*) ELSE 0 END
       FROM settled, delivery_runs run WHERE run.run_no = $1
       GROUP BY run.workspace_id, run.channel_id
     )
     SELECT count(*)::integer AS count, (array_agg(workspace_id))[1] AS workspace_id,
       array_agg('r' || $1::bigint || '.' || seq || '.' || attempt) FILTER (WHERE $2 = ${recipientState.cancelled}) AS returned FROM settled`,
    [runNo, target, seqs ?? null, sendsAgain && ignoresRepeats],
  );
  const { count = 0, workspace_id: workspaceId = '', returned = null } = rows[0] ?? {};
  // Nothing left, as a person found out.
  if (returned) await returnCharges(client, workspaceId, returned);
  if (count > 0 && sendsAgain) {
    await client.query(
      `UPDATE delivery_runs SET state = CASE WHEN state = 'paused' THEN state ELSE 'ready' END, completed_at = NULL
       WHERE run_no = $1`,
      [runNo],
    );
    await wakeEngine(client, found.channel_id);
  }
  return count;
}

/**
 * The platform counts whole seconds: what it said in the second of a resume counts. A time with a part of a second is our own, such as that of a question
 * to the platform: asked before the resume, its answer says nothing of the time since.
 */
function isNewerThanResume(at: string): string {
  return `(${at}::timestamptz IS NULL OR resumed_at IS NULL OR ${at}::timestamptz >= CASE
    WHEN date_trunc('second', ${at}::timestamptz) = ${at}::timestamptz THEN date_trunc('second', resumed_at) ELSE resumed_at END)`;
}

async function changeRun(client: SqlClient, text: string, values: unknown[]): Promise<boolean> {
  const { rows } = await client.query<{ channel_id: string }>(text, values);
  if (!rows[0]) return false;
  await wakeEngine(client, rows[0].channel_id);
  return true;
}
