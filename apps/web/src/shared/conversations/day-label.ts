import { activeTimeZone, formatDate } from '../formats.ts';
import { t } from '../messages.ts';

const DAY_MS = 86_400_000;

/** Today, Yesterday, or the day. */
export function dayLabel(at: string, now = Date.now()): string {
  const day = formatDate(at);
  if (day === formatDate(now)) return t('common.today');
  return day === formatDate(now - DAY_MS) ? t('common.yesterday') : day;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The day of a moment where the reader is: `2026-11-22`. */
export function dayOf(at: string): string {
  const timeZone = activeTimeZone();
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  formats.set(timeZone, format);
  return format.format(new Date(at));
}
