import { recipientState } from '@app/domain/delivery/recipient-state';

/**
 * Of `delivery_recipients r` in `delivery_runs run`: its run was cancelled, and the engine has not come to its row yet. What is in flight
 * keeps its own outcome.
 */
export const givenUpSql = `(run.state = 'cancelled' AND run.completed_at IS NULL AND (
    (r.state = ${recipientState.pending} AND r.seq >= run.cursor)
    OR (r.state = ${recipientState.waiting} AND EXISTS (SELECT FROM delivery_retries q
          WHERE q.run_no = r.run_no AND q.seq = r.seq AND q.claimed_attempt IS NULL))))`;

/** Of the same: what a person understands by the outcome, out of the engine's state and the platform's reports. */
export const outcomeSql = `CASE
  WHEN ${givenUpSql} THEN 'cancelled'
  WHEN r.state = ${recipientState.pending} THEN CASE WHEN r.seq < run.cursor THEN 'sending' ELSE 'pending' END
  WHEN r.state = ${recipientState.sending} THEN 'sending'
  WHEN r.state = ${recipientState.waiting} THEN 'waiting'
  WHEN r.state = ${recipientState.refused} THEN 'failed'
  WHEN r.state = ${recipientState.cancelled} THEN 'cancelled'
  WHEN r.state = ${recipientState.unknown} THEN 'unknown'
  WHEN r.read_at IS NOT NULL THEN 'read'
  WHEN r.delivered_at IS NOT NULL THEN 'delivered'
  WHEN r.failed_at IS NOT NULL THEN 'failed'
  ELSE 'sent' END`;

/** Of the same: why, as a code of the platform or of ours. A failure that is reported of what arrived is none. */
export const outcomeCodeSql = `CASE WHEN ${givenUpSql} THEN 'run_cancelled'
  WHEN r.state = ${recipientState.accepted} AND coalesce(r.delivered_at, r.read_at) IS NOT NULL THEN NULL ELSE r.error_code END`;
