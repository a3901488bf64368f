/** A failure in the channel's own terms, free of secrets and phone numbers. Kept with the recipient. */
export type DeliveryError = {
  /** The channel's code as text, or `unknown` when it gave none. */
  code: string;
  subcode?: string;
  title: string;
  details?: string;
  httpStatus?: number;
  /** What the channel's support asks for. */
  traceId?: string;
};

/** What of a number is stopped: all that it sends, or what the business begins itself; answers to people go on. */
export type StopScope = 'everything' | 'campaigns';

/**
 * What the engine does with a refusal. Every kind means: the channel stated that it did not accept the message.
 *
 * - `fail`: final for this recipient.
 * - `retry`: again after `afterMs` (else `retryDelayMs`), at most `maxAttempts` in all; `pauses: 'channel'` holds every send of the number meanwhile.
 * - `retry_pair`: wait `retryPairDelayMs` for this recipient alone.
 * - `hold_recipient`: no marketing to this person for `hours`; earlier tries extend the platform's block.
 * - `lower_rate`: retry, and send slower on this number.
 * - `stop_channel`: pause everything (or the campaigns) of the number until a person has acted; the recipient goes back to the queue.
 * - `stop_campaign`: pause this campaign; `recipient` says whether the recipient failed for itself or goes back to the queue. Of a message in
 *   several languages it stops the language alone, unless it is `ofAccount`.
 * - `opt_out`: the person stopped marketing: record it and never try again.
 * - `unreachable`: final; count it against the number.
 */
export type RejectionAction =
  | { kind: 'fail' }
  | { kind: 'retry'; afterMs?: number; maxAttempts: number; pauses: 'recipient' | 'channel' }
  | { kind: 'retry_pair'; baseSeconds: number }
  | { kind: 'hold_recipient'; hours: number }
  | { kind: 'lower_rate' }
  | { kind: 'stop_channel'; blocks: StopScope }
  | { kind: 'stop_campaign'; recipient: 'failed' | 'requeued'; ofAccount?: boolean }
  | { kind: 'opt_out' }
  | { kind: 'unreachable' };

const longestRetryMs = 15 * 60_000;
const longestPairWaitMs = 60 * 60_000;

/**
 * Milliseconds to wait before the next try after `attempt` tries (1 = the first has failed): doubling from one second,
 * capped at 15 minutes, the upper half chosen by `jitter` in 0..1.
 */
export function retryDelayMs(attempt: number, jitter: number): number {
  const full = Math.min(longestRetryMs, 1000 * 2 ** Math.max(0, attempt - 1));
  return Math.round(full / 2 + (full / 2) * jitter);
}

/** Milliseconds to leave one recipient alone after `attempt` tries: base^n seconds with n from 0, at most an hour. */
export function retryPairDelayMs(attempt: number, baseSeconds = 4): number {
  return Math.min(longestPairWaitMs, 1000 * baseSeconds ** Math.max(0, attempt - 1));
}
