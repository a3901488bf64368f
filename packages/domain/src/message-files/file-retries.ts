const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 30 * 60_000;
/** Of a number that may do nothing, or is not connected. */
export const STOPPED_PAUSE_MS = 5 * 60_000;
/** What the platform refuses for a reason of the file, or what does not come whole: later tries would see the same. */
const MOST_REFUSALS = 5;

export type FetchFailure =
  /** The platform, or the way to it, is away for now. */
  | 'platform_unreachable'
  | 'platform_refused'
  /** Its bytes are others than the platform says. */
  | 'checksum_wrong';

export type AfterFailure =
  | { state: 'waiting'; nextTryAt: number }
  | { state: 'failed' | 'expired'; nextTryAt: null };

/**
 * What becomes of a file after its try number `attempts` did not bring it. As long as the platform keeps it, one that cannot be reached is asked again, at
 * last every half hour; times in milliseconds.
 */
export function afterFailure(
  failure: FetchFailure,
  { attempts, expiresAt, now }: { attempts: number; expiresAt: number | null; now: number },
): AfterFailure {
  if (expiresAt !== null && now >= expiresAt) return { state: 'expired', nextTryAt: null };
  if (failure !== 'platform_unreachable' && attempts >= MOST_REFUSALS)
    return { state: 'failed', nextTryAt: null };
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(16, Math.max(0, attempts - 1)));
  return { state: 'waiting', nextTryAt: now + pause };
}
