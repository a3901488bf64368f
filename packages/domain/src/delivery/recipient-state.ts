/** Numbers as stored in delivery_recipients.state. */
export const recipientState = {
  pending: 0,
  sending: 1,
  accepted: 2,
  refused: 3,
  cancelled: 4,
  unknown: 5,
  waiting: 6,
} as const;

/** Why a recipient was cancelled without a send, as stored in error_code. */
export type CancelReason =
  | 'no_number'
  | 'blocked'
  | 'opted_out'
  | 'contact_deleted'
  | 'window_closed'
  | 'held_out'
  | 'held'
  | 'capped'
  | 'promotions_capped'
  | 'run_cancelled'
  | 'not_sent';

/** Why a recipient failed before anything left, because of its own values, as stored in error_code. */
export const valueFailures = ['value_missing'] as const;

export type RunState = 'ready' | 'running' | 'paused' | 'completed' | 'cancelled';

/** What a run has come to. `pending` counts everyone without an outcome yet. */
export type RunCounters = {
  total: number;
  pending: number;
  accepted: number;
  refused: number;
  cancelled: number;
  unknown: number;
  sent: number;
  delivered: number;
  read: number;
  failed: number;
};
