import { quietFrom, quietUntil, type QuietHours } from './quiet-hours.ts';

/** How fast messages leave, and when none may. */
export type SendingPace = {
  perSecond: number;
  /** Limits that the workspace has set; null for none. A day is one of UTC. */
  perMinute: number | null;
  perDay: { limit: number; leftToday: number } | null;
  quietHours: QuietHours | null;
};

const DAY_MS = 86_400_000;
/** Two stretches of a day between quiet hours and its end, for about a year: what takes longer is nobody's plan. */
const MOST_STRETCHES = 1_500;

/**
 * When the last of `count` messages leaves that begin at `now` (milliseconds since 1970): rate and limits together, with the hours in
 * which nothing is sent. Null when that cannot be told.
 */
export function estimateFinish(count: number, now: number, pace: SendingPace): number | null {
  const { perDay, quietHours } = pace;
  const perMs = Math.min(pace.perSecond, (pace.perMinute ?? Infinity) / 60) / 1000;
  if (!(perMs > 0) || perDay?.limit === 0) return null;
  let at = now;
  let left = count;
  let today = perDay?.leftToday ?? Infinity;
  for (let stretch = 0; stretch < MOST_STRETCHES; stretch += 1) {
    const nextDay = (Math.floor(at / DAY_MS) + 1) * DAY_MS;
    const quietEnd = quietHours && quietUntil(quietHours, new Date(at))?.getTime();
    const quietStart = (quietHours && quietFrom(quietHours, new Date(at))?.getTime()) || Infinity;
    const until = quietEnd ?? Math.min(quietStart, perDay ? nextDay : Infinity);
    const leaving = quietEnd ? 0 : Math.min(left, today, (until - at) * perMs);
    left -= leaving;
    // Less than half a message is what dividing and multiplying lost.
    if (left < 0.5 && !quietEnd) return at + leaving / perMs;
    today -= leaving;
    const next = perDay && today < 0.5 && !quietEnd ? nextDay : until;
    if (perDay && Math.floor(next / DAY_MS) > Math.floor(at / DAY_MS)) today = perDay.limit;
    at = next;
  }
  return null;
}
