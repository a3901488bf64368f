const FAILURES_BEFORE_LOCK = 10;
const FAILURES_BETWEEN_LOCKS = 5;
const FIRST_LOCK_MINUTES = 15;
const LONGEST_LOCK_MINUTES = 24 * 60;

/** Failures older than this no longer count, in hours. */
export const FAILURE_MEMORY_HOURS = 24;

/**
 * Minutes for which an address may not sign in after its `failures`th wrong password in a row: 15 after the
 * tenth, twice as long after each further five, a day at most; 0 in between.
 */
export function lockMinutesAfter(failures: number): number {
  const beyond = failures - FAILURES_BEFORE_LOCK;
  if (beyond < 0 || beyond % FAILURES_BETWEEN_LOCKS !== 0) return 0;
  return Math.min(FIRST_LOCK_MINUTES * 2 ** (beyond / FAILURES_BETWEEN_LOCKS), LONGEST_LOCK_MINUTES);
}
