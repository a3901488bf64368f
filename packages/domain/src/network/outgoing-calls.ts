import type { CancelSignal } from '../messaging/channel-port.ts';

/**
 * The one way to call a service of a third party over HTTP. Every call is guarded: private addresses are refused, time and size are bounded, no
 * redirect is followed unless the caller asks, and nothing of the request but the origin is logged. `call` never throws.
 */
export type OutgoingCalls = {
  call(call: OutgoingCall): Promise<CallOutcome>;
  /** What the address alone tells, for a form: null where a call may be tried. A host name is resolved when the call is made. */
  checkAddress(url: string): AddressProblem | null;
  /** The operator has named this host, so that it may be private, and plain http is fine. */
  isNamed(url: string): boolean;
};

export type OutgoingCall = {
  /** Calls of one name share their limits and their pauses, for instance `hubspot:<workspace id>`. Logged, so it holds no secret. */
  service: string;
  /** Shared by all calls of the service in this process. Without it there is no limit. */
  limit?: CallLimit;
  method?: CallMethod;
  /** http or https, without user name and password. */
  url: string;
  /** Names in any case. `host`, `content-length` and other headers of the connection are set by the port and refused here. */
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** For one attempt, from the start of the connection to the end of the response, in milliseconds. Default 10,000, at most 120,000. */
  timeoutMs?: number;
  /** The response is cut off there, without buffering more. Default 1 MiB, at most 32 MiB. */
  largestResponse?: number;
  /** How many redirects are followed, each guarded like the first call. Default 0, at most 5. Credentials never go to another origin. */
  redirects?: number;
  retry?: CallRetry;
  /** Gives the call up: `not_sent` or `unknown`, with the reason `cancelled`. */
  signal?: CancelSignal | undefined;
};

export const callMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type CallMethod = (typeof callMethods)[number];

export type CallLimit = {
  perSecond?: number;
  /** Calls in flight at the same time. */
  atOnce?: number;
};

/** Attempts within one call, for a caller that waits. A job that is tried again later needs none: `retryAfterMs` says when. */
export type CallRetry = {
  /** In total, at most 6. */
  attempts: number;
  /**
   * The request may arrive twice, for instance because it carries an idempotency key. Without it only what certainly had no effect is tried again:
   * nothing was sent, or the service answered 429, or 503 with `Retry-After`. Default: true for GET, HEAD, PUT and DELETE.
   */
  mayRepeat?: boolean;
  /** A longer pause is left to the caller. Default 10,000. */
  longestPauseMs?: number;
};

export type CallOutcome = CallResult & {
  attempts: number;
  /** From the first attempt to the end of the last one. */
  durationMs: number;
};

export type CallResult =
  /** A status of the 200s. */
  | { outcome: 'ok'; response: CallResponse }
  /** Any other status. 5xx, 408 and a redirect do not prove that nothing happened at the service. */
  | { outcome: 'rejected'; response: CallResponse; reason: RejectedReason; retryAfterMs: number | null }
  /** No byte of the request left this machine. */
  | { outcome: 'not_sent'; reason: NotSentReason; retryAfterMs: number | null }
  /** The request may have arrived, and no status came back. */
  | { outcome: 'unknown'; reason: UnknownReason };

export type CallResponse = {
  status: number;
  /** Names in lower case; several of one name are joined by a comma. */
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
  /** The body as UTF-8; what is not UTF-8 becomes replacement characters. */
  text(): string;
  /** The body as JSON; undefined where it is cut off or is no JSON. */
  json(): unknown;
  /** False: cut off at the largest size or at the time-out, or the connection was lost after the status. */
  isComplete: boolean;
};

export type RejectedReason =
  | 'status'
  /** More redirects than the caller asked for. */
  | 'too_many_redirects'
  /** The next address of a redirect is missing, invalid or private. */
  | 'redirect_refused';

export const addressProblems = ['invalid_address', 'address_refused'] as const;
export type AddressProblem = (typeof addressProblems)[number];

export const notSentReasons = [
  ...addressProblems,
  'invalid_request',
  'dns',
  'connect_refused',
  'connect_timeout',
  'connect_failed',
  'tls',
  /** The limit of the service, or a pause that it asked for, takes longer than this call can wait. */
  'rate_limited',
  'cancelled',
] as const;
export type NotSentReason = (typeof notSentReasons)[number];

export const unknownReasons = [
  'response_timeout',
  'response_unreadable',
  'connection_lost',
  'cancelled',
] as const;
export type UnknownReason = (typeof unknownReasons)[number];

/**
 * `Retry-After` in milliseconds from now, as seconds or as a date (RFC 9110, 10.2.3); null where it is missing or no pause.
 * At most a day: a longer pause is a mistake of the service or nothing that a call can wait for.
 */
export function readRetryAfter(value: string | undefined, now: Date): number | null {
  const text = value?.trim() ?? '';
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime();
  if (Number.isNaN(wait)) return null;
  return Math.min(Math.max(0, wait), 24 * 3_600_000);
}
