export const volumeBuckets = ['day', 'week', 'month'] as const;
export type VolumeBucket = (typeof volumeBuckets)[number];

/** In days: ten years and their leap days. */
export const LONGEST_PERIOD = 3_660;
export const DEFAULT_PERIOD_DAYS = 30;

const DAY_MS = 86_400_000;

/** `2026-03-29` → days since 1970; dates have no zone of their own. */
function dayNumber(date: string): number {
  return Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS);
}

function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Of which days there are reports: around them the days before and after are dates of four digits too. */
const FIRST_DAY = '1970-01-01';
const LAST_DAY = '2999-12-31';

/** Whether it is a day of the calendar (YYYY-MM-DD) of which there can be a report. */
export function isReportDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text < FIRST_DAY || text > LAST_DAY) return false;
  const day = dayNumber(text);
  return !Number.isNaN(day) && dateOf(day) === text;
}

/** Days from `from` to `to`, both of them counted; 0 or less where they are the wrong way round. */
export function daysBetween(from: string, to: string): number {
  return dayNumber(to) - dayNumber(from) + 1;
}

export function addDays(date: string, days: number): string {
  return dateOf(dayNumber(date) + days);
}

/** The calendar day (YYYY-MM-DD) that an instant (ms since 1970) is in, in a time zone. */
export function dayIn(zone: string, at: number): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    calendar: 'iso8601',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(at);
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return `${of('year')}-${of('month')}-${of('day')}`;
}

/** So that a chart has at most about a hundred places: days up to three months, weeks up to two years, then months. */
export function chooseBucket(days: number): VolumeBucket {
  if (days <= 93) return 'day';
  return days <= 732 ? 'week' : 'month';
}

/** The first day of the bucket that a day is in; weeks begin on `weekStartsOn`, where 0 is Sunday. */
export function bucketOf(date: string, bucket: VolumeBucket, weekStartsOn = 1): string {
  if (bucket === 'month') return `${date.slice(0, 8)}01`;
  if (bucket === 'day') return date;
  const day = dayNumber(date);
  // The first of January 1970 was a Thursday.
  return dateOf(day - ((day + 4 - weekStartsOn + 7) % 7));
}

/** All buckets of a period by their first days, oldest first, so that one without messages is shown as such. */
export function listBuckets(from: string, to: string, bucket: VolumeBucket, weekStartsOn = 1): string[] {
  const found: string[] = [];
  const first = bucketOf(from, bucket, weekStartsOn);
  if (bucket === 'month')
    for (let day = first; day <= to; day = bucketOf(addDays(day, 31), 'month')) found.push(day);
  else {
    const step = bucket === 'week' ? 7 : 1;
    for (let day = dayNumber(first), last = dayNumber(to); day <= last; day += step) found.push(dateOf(day));
  }
  return found;
}

/** The days of the bucket that begins on `day`, those of the period alone. */
export function daysOfBucket(
  { points, to, from }: { points: readonly { day: string }[]; from: string; to: string },
  day: string,
): { from: string; to: string } {
  const next = points[points.findIndex((point) => point.day === day) + 1]?.day;
  return { from: day < from ? from : day, to: next === undefined ? to : addDays(next, -1) };
}

/** Days of the calendar, both counted; `until` is the time (HH:MM) of the last one at which it ends, null where that day counts whole. */
export type PeriodBefore = { from: string; to: string; until: string | null };

const MINUTES_OF_DAY = 1_440;
/** Figures are kept by quarters of an hour. */
const QUARTER = 15;

/**
 * What a period is compared with: as many days right before it. Of one that is not over yet (`now` is the wall clock, such as 2026-03-29T14:05), only as
 * much of them as has passed of it: today until two o'clock is not compared with all of yesterday.
 */
export function periodBefore({ from, to }: { from: string; to: string }, now: string): PeriodBefore {
  const days = daysBetween(from, to);
  const before = { from: addDays(from, -days), to: addDays(from, -1), until: null };
  const [today = '', time = '00:00'] = now.split('T');
  if (today < from || today > to) return before;
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const passed = Math.round((hours * 60 + minutes) / QUARTER) * QUARTER;
  const last = addDays(today, -days);
  if (passed === MINUTES_OF_DAY) return { ...before, to: last };
  const two = (value: number) => String(value).padStart(2, '0');
  return { ...before, to: last, until: `${two(Math.floor(passed / 60))}:${two(passed % 60)}` };
}
