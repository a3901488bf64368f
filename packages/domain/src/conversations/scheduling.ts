/** A message may wait for its time for up to a year. */
export const LONGEST_SCHEDULE_DAYS = 366;
/** A clock that is ahead by less means now. */
const LEAST_AHEAD_MS = 1_000;
/** After its time by more than this it does not leave any more: nobody wants a good morning in the evening. */
export const LATEST_RELEASE_MS = 6 * 3_600_000;

/** Whether a message may be left for this time; both in milliseconds. */
export function isScheduleValid(at: number, now: number): boolean {
  return at >= now - LEAST_AHEAD_MS && at <= now + LONGEST_SCHEDULE_DAYS * 86_400_000;
}
