import { activeLocale, t } from './messages.ts';

type Instant = Date | number | string;

let timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const cache = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

/** The user's own time zone; the shell sets it once the session is known. */
export function setTimeZone(zone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    timeZone = zone;
  } catch {
    // A zone that this browser does not know must not break every date.
  }
}

export function activeTimeZone(): string {
  return timeZone;
}

/** 12400 → 12,400 */
export function formatNumber(value: number): string {
  return numberFormat({ maximumFractionDigits: 2 }).format(value);
}

/** 120 → 99+, for a badge that must stay small. */
export function formatCapped(value: number, most: number): string {
  return value > most ? `${formatNumber(most)}+` : formatNumber(value);
}

/** 12400.125 → 12400.125: every digit, for figures that may be numbers of something. */
export function formatExact(value: number): string {
  return numberFormat({ maximumSignificantDigits: 15, useGrouping: false }).format(value);
}

/** 12400 → 12.4K */
export function formatCompact(value: number): string {
  return numberFormat({ notation: 'compact', maximumFractionDigits: 1 }).format(value);
}

/** “a, b, and c”, or “a, b, or c”. */
export function formatList(parts: readonly string[], join: 'and' | 'or'): string {
  const type = join === 'and' ? 'conjunction' : 'disjunction';
  return new Intl.ListFormat(activeLocale(), { type }).format(parts);
}

/** DE → Germany */
export function formatCountry(code: string): string {
  return new Intl.DisplayNames(activeLocale(), { type: 'region' }).of(code) ?? code;
}

/** A share of one (0.934) as a percentage with one decimal: 93.4%. */
export function formatPercent(share: number): string {
  return numberFormat({ style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(share);
}

/** A share of one as a percentage without decimals: 93%. */
export function formatWholePercent(share: number): string {
  return numberFormat({ style: 'percent' }).format(share);
}

/** Part of a whole as a percentage with one decimal; 0% when the whole is 0. */
export function formatRate(part: number, whole: number): string {
  return whole === 0 ? formatWholePercent(0) : formatPercent(part / whole);
}

/** As `formatRate`, with a dash where there is no whole: nothing is known of it then. */
export function formatShare(part: number, whole: number): string {
  return whole === 0 ? '–' : formatPercent(part / whole);
}

/** An amount in units of the currency (not cents): 12.5 → $12.50; parts of a cent keep two digits, because they are not nothing: 0.0034 → $0.0034. */
export function formatMoney(amount: number, currency = 'USD'): string {
  const text = numberFormat({ style: 'currency', currency }).format(amount);
  if (amount === 0 || /[1-9]/.test(text)) return text;
  return numberFormat({ style: 'currency', currency, maximumSignificantDigits: 2 }).format(amount);
}

/** Nov 21, 2026 */
export function formatDate(value: Instant): string {
  return dateFormat({ year: 'numeric', month: 'short', day: 'numeric' }).format(toDate(value));
}

/** A day of the calendar such as 2026-11-21, which is the same everywhere: Nov 21, 2026 */
export function formatDay(day: string): string {
  return dateFormat({ year: 'numeric', month: 'short', day: 'numeric' }, 'UTC').format(
    new Date(`${day}T00:00:00Z`),
  );
}

/** The month of a day of the calendar: November 2026 */
export function formatMonth(day: string): string {
  return dateFormat({ year: 'numeric', month: 'long' }, 'UTC').format(new Date(`${day}T00:00:00Z`));
}

/** Monday; days of the week are counted from Sunday, which is 0. */
export function formatWeekday(day: number): string {
  // The first of a month that began on a Sunday.
  return dateFormat({ weekday: 'long' }, 'UTC').format(new Date(Date.UTC(2026, 1, 1 + day)));
}

/** Nov 21, 2026, 9:05 AM */
export function formatDateTime(value: Instant): string {
  return dateFormat({
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  }).format(toDate(value));
}

/** 9:05 AM */
export function formatTime(value: Instant): string {
  return dateFormat({ hour: 'numeric', minute: '2-digit' }).format(toDate(value));
}

/** Thu */
export function formatShortWeekday(value: Instant): string {
  return dateFormat({ weekday: 'short' }).format(toDate(value));
}

/** 'Just now' under a minute, then 'Nm ago', 'Nh ago' and 'Nd ago', rounded down. */
export function formatRelativeTime(value: Instant, now: Instant = Date.now()): string {
  const minutes = Math.floor((toDate(now).getTime() - toDate(value).getTime()) / 60_000);
  if (minutes < 1) return t('common.time.justNow');
  if (minutes < 60) return t('common.time.minutesAgo', { n: minutes });
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return t('common.time.hoursAgo', { n: hours });
  return t('common.time.daysAgo', { n: Math.floor(hours / 24) });
}

/** 95 s → 1 min 35 sec, in the words of the language; the two largest units. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const parts: [number, string][] = [
    [Math.floor(whole / 86_400), 'day'],
    [Math.floor((whole % 86_400) / 3600), 'hour'],
    [Math.floor((whole % 3600) / 60), 'minute'],
    [whole % 60, 'second'],
  ];
  const first = parts.findIndex(([amount]) => amount > 0);
  const shown = first === -1 ? parts.slice(3) : parts.slice(first, first + 2);
  return shown
    .filter(([amount], index) => amount > 0 || index === 0)
    .map(([amount, unit]) => numberFormat({ style: 'unit', unit, unitDisplay: 'short' }).format(amount))
    .join(' ');
}

/** 1536000 → 1.5 MB */
export function formatBytes(bytes: number): string {
  const steps = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];
  const step = bytes < 1 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3));
  return numberFormat({
    style: 'unit',
    unit: steps[step] ?? 'byte',
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(bytes / 1000 ** step);
}

function numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${activeLocale()}n${JSON.stringify(options)}`;
  const known = cache.get(key);
  if (known instanceof Intl.NumberFormat) return known;
  const format = new Intl.NumberFormat(activeLocale(), options);
  cache.set(key, format);
  return format;
}

export function dateFormat(options: Intl.DateTimeFormatOptions, zone = timeZone): Intl.DateTimeFormat {
  const key = `${activeLocale()}d${zone}${JSON.stringify(options)}`;
  const known = cache.get(key);
  if (known instanceof Intl.DateTimeFormat) return known;
  const format = new Intl.DateTimeFormat(activeLocale(), { ...options, timeZone: zone });
  cache.set(key, format);
  return format;
}

function toDate(value: Instant): Date {
  return value instanceof Date ? value : new Date(value);
}
