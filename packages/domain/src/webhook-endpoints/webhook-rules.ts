/** Limits of outgoing webhooks. */
export const webhookLimits = {
  /** Endpoints of one workspace. */
  endpoints: 50,
  url: 2_048,
  description: 200,
  /** The response that is stored of each attempt, in bytes; the rest is cut off. */
  storedResponse: 16 * 1024,
  /** For one attempt, until the status and the body are there. */
  timeoutMs: 10_000,
  perSecond: { usual: 20, most: 100 },
  /** How long both secrets sign after a rotation, in hours. */
  overlapHours: { usual: 24, most: 168 },
  /** So long deliveries are stored, in days. */
  storedDays: 30,
  /** Attempts of one delivery that hold back the later ones of its endpoint. Then it waits beside the line. */
  attemptsInLine: 4,
} as const;

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
/** A delivery that no attempt could bring is given up so long after its first one. */
export const GIVE_UP_AFTER_MS = 72 * HOUR;
/** An endpoint is paused that has failed so long without one success in between. */
export const PAUSE_AFTER_MS = 72 * HOUR;

/** Pauses behind the first, second … failure in a row. The last one repeats. */
const PAUSES_MS = [1, 5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400].map((seconds) => seconds * SECOND);

/** The pause behind so many failures in a row, at least as long as the receiver asked for. At most a tenth is added, by chance (0 to 1). */
export function pauseAfter(failures: number, retryAfterMs: number | null, chance: number): number {
  const pause = PAUSES_MS[Math.min(Math.max(failures, 1), PAUSES_MS.length) - 1] ?? HOUR;
  return Math.max(Math.round(pause * (1 + chance / 10)), retryAfterMs ?? 0);
}

export const deliveryStatuses = ['waiting', 'delivered', 'failed', 'cancelled'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const pauseReasons = ['person', 'failing', 'gone', 'restored'] as const;
export type PauseReason = (typeof pauseReasons)[number];

/** How an endpoint stands, as far as the next step depends on it. */
export type EndpointState = {
  /** Failures in a row of deliveries in the line. */
  failures: number;
  /** The first failure since the last success; null where the last attempt went well. */
  failingSince: Date | null;
};
export type DeliveryState = {
  attempts: number;
  firstAttemptAt: Date;
  /** In the line later deliveries wait for it; beside the line they do not. */
  isInLine: boolean;
};

export type AfterFailure = {
  delivery: { status: 'waiting' | 'failed'; nextAttemptAt: Date; isInLine: boolean };
  /** No delivery of this endpoint is sent before; null: no change. */
  holdUntil: Date | null;
  endpoint: EndpointState;
  isPaused: boolean;
};

/**
 * What follows a failed attempt. While an endpoint fails, its deliveries wait in their order and only one of them probes. A delivery that fails alone
 * leaves the line after four attempts, so that it holds up no other.
 */
export function afterFailure(
  { endpoint, delivery }: { endpoint: EndpointState; delivery: DeliveryState },
  { now, retryAfterMs, chance }: { now: Date; retryAfterMs: number | null; chance: number },
): AfterFailure {
  const later = (ms: number) => new Date(now.getTime() + ms);
  const isFailing = delivery.isInLine || endpoint.failures > 0;
  const failures = isFailing ? endpoint.failures + 1 : 0;
  const failingSince = endpoint.failingSince ?? now;
  const staysInLine = delivery.isInLine && delivery.attempts < webhookLimits.attemptsInLine;
  // The delivery leaves the line now: the next one shows at once whether the endpoint fails or this delivery alone.
  const isProbe = delivery.isInLine && !staysInLine && failures === webhookLimits.attemptsInLine;
  const isGivenUp = now.getTime() - delivery.firstAttemptAt.getTime() >= GIVE_UP_AFTER_MS;
  return {
    delivery: {
      status: isGivenUp ? 'failed' : 'waiting',
      nextAttemptAt: later(pauseAfter(delivery.attempts, retryAfterMs, chance)),
      isInLine: staysInLine,
    },
    holdUntil: isFailing
      ? later(isProbe ? (retryAfterMs ?? 0) : pauseAfter(failures, retryAfterMs, chance))
      : null,
    endpoint: { failures, failingSince },
    isPaused: isFailing && now.getTime() - failingSince.getTime() >= PAUSE_AFTER_MS,
  };
}
