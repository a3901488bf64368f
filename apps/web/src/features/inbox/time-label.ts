import { formatDate, formatTime, formatShortWeekday } from '../../shared/formats.ts';

const HOUR_MS = 3_600_000;

/** Under 24 hours the time, under a week the weekday, otherwise the date. */
export function timeLabel(at: string, now = Date.now()): string {
  const hours = (now - Date.parse(at)) / HOUR_MS;
  if (hours < 24) return formatTime(at);
  return hours < 168 ? formatShortWeekday(at) : formatDate(at);
}
