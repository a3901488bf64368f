import { instantToZonedTime, zonedTimeToInstant } from '../../campaigns/zoned-time.ts';

/** One span of a day, on the clocks of the business; `24:00` is the end of the day. */
export type OpenHours = { from: string; to: string };

/** The spans of a day in their order, with a break between each two; none on a day on which nobody is there. */
export type OpenDay = OpenHours[];

/** When the business answers: a week that begins on Sunday, and the days of a calendar (`2026-12-25`) that are another. */
export type BusinessHours = {
  timeZone: string;
  days: OpenDay[];
  exceptions: { day: string; hours: OpenDay }[];
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
    for (const span of spansOf(hours, day)) if (span[1] > from) yield span;
  }
}

/** On a day on which the clocks change they are as long as the clocks make them. */
function spansOf({ timeZone, days, exceptions }: BusinessHours, day: string): [number, number][] {
  const exception = exceptions.find((other) => other.day === day);
  const open = exception?.hours ?? days[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? [];
  return open.flatMap((hours): [number, number][] => {
    const start = zonedTimeToInstant(`${day}T${hours.from}`, timeZone);
    const end = zonedTimeToInstant(
      hours.to === '24:00' ? `${dayAfter(day)}T00:00` : `${day}T${hours.to}`,
      timeZone,
    );
    return start !== null && end !== null && start < end ? [[start.getTime(), end.getTime()]] : [];
  });
}

/** Whether each span ends after it begins, and begins after the one before it has ended. */
export function isInOrder(day: OpenDay): boolean {
  return day.every(({ from, to }, at) => from !== '' && from < to && (at === 0 || day[at - 1]!.to <= from));
}

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
}
