import { instantToZonedTime, zonedTimeToInstant } from '../../campaigns/zoned-time.ts';

/** Hours of one day, on the clocks of the business; `24:00` is the end of the day. */
export type OpenHours = { from: string; to: string };

/** When the business answers: a week that begins on Sunday, without its holidays (`2026-12-25`). */
export type BusinessHours = {
  timeZone: string;
  days: (OpenHours | null)[];
  holidays: string[];
};

const DAY_MS = 86_400_000;
/** A target that is not reached within so many days is none. */
const MOST_DAYS = 1_100;

/** The moment at which so much business time has passed since `from`; null where the business never opens. Without hours it is always open. */
export function addBusinessTime(hours: BusinessHours | null, from: number, ms: number): number | null {
  if (hours === null) return from + ms;
  let left = ms;
  for (const [start, end] of spansSince(hours, from)) {
    const begin = Math.max(start, from);
    if (begin + left <= end) return begin + left;
    left -= end - begin;
  }
  return null;
}

/** How much business time lies between two moments. */
export function businessTimeBetween(hours: BusinessHours | null, from: number, to: number): number {
  if (to <= from) return 0;
  if (hours === null) return to - from;
  let passed = 0;
  for (const [start, end] of spansSince(hours, from)) {
    if (start >= to) break;
    passed += Math.min(end, to) - Math.max(start, from);
  }
  return passed;
}

/** The spans in which the business is open, from the one that holds a moment on, or the next. */
function* spansSince(hours: BusinessHours, from: number): Generator<[number, number]> {
  let day = instantToZonedTime(new Date(from), hours.timeZone).slice(0, 10);
  for (let count = 0; count < MOST_DAYS; count += 1, day = dayAfter(day)) {
    const span = spanOf(hours, day);
    if (span !== null && span[1] > from) yield span;
  }
}

/** On a day on which the clocks change it is as long as the clocks make it. */
function spanOf({ timeZone, days, holidays }: BusinessHours, day: string): [number, number] | null {
  const open = days[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? null;
  if (open === null || holidays.includes(day)) return null;
  const start = zonedTimeToInstant(`${day}T${open.from}`, timeZone);
  const end = zonedTimeToInstant(
    open.to === '24:00' ? `${dayAfter(day)}T00:00` : `${day}T${open.to}`,
    timeZone,
  );
  return start !== null && end !== null && start < end ? [start.getTime(), end.getTime()] : null;
}

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
}
