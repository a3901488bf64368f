/**
 * Who gives a wrong password: a browser in which the account was signed in before, somebody else by their network, or
 * all of these strangers together.
 */
export type FailureSource = 'device' | 'network' | 'strangers';

const FAILURES_BEFORE_LOCK = 10;
const FAILURES_BETWEEN_LOCKS = 5;
const FIRST_LOCK_SECONDS = 15 * 60;
const LONGEST_LOCK_SECONDS = 24 * 3600;

const FAILURES_BEFORE_PAUSES = 20;
const LONGEST_PAUSE_SECONDS = 60;

/** Failures older than this no longer count, in hours. */
export const FAILURE_MEMORY_HOURS = 24;

/** Seconds for which this source may not try again after its `failures`th wrong password in a row. */
export function waitSecondsAfter(source: FailureSource, failures: number): number {
  return source === 'strangers' ? pauseSeconds(failures) : lockSeconds(failures);
}

/** 15 minutes after the tenth, twice as long after each further five, a day at most; none in between. */
function lockSeconds(failures: number): number {
  const beyond = failures - FAILURES_BEFORE_LOCK;
  if (beyond < 0 || beyond % FAILURES_BETWEEN_LOCKS !== 0) return 0;
  return Math.min(FIRST_LOCK_SECONDS * 2 ** (beyond / FAILURES_BETWEEN_LOCKS), LONGEST_LOCK_SECONDS);
}

/**
 * Guesses from many networks are slowed to one a minute and never locked out: a lock would be a switch in the hands
 * of strangers, and whoever owns the account may be at a new device.
 */
function pauseSeconds(failures: number): number {
  const beyond = failures - FAILURES_BEFORE_PAUSES;
  return beyond < 0 ? 0 : Math.min(2 ** beyond, LONGEST_PAUSE_SECONDS);
}
