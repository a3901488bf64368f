import { addDays } from '@app/domain/analytics/report-period';

/** The days of one place of a chart, those of the period alone. */
export function daysOfBucket(
  { points, to, from }: { points: readonly { day: string }[]; from: string; to: string },
  day: string,
) {
  const next = points[points.findIndex((point) => point.day === day) + 1]?.day;
  return { from: day < from ? from : day, to: next === undefined ? to : addDays(next, -1) };
}
