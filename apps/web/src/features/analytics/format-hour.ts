import { dateFormat } from '../../shared/formats.ts';

const HOUR_MS = 3_600_000;

/** An hour of the day, or a part of one, of which 24 is the end: 12 → 12:00 PM. Some browsers write it with spaces that no keyboard has. */
export function formatHour(hour: number): string {
  const text = dateFormat({ hour: 'numeric', minute: '2-digit' }, 'UTC').format(
    new Date(Date.UTC(2026, 0, 1) + hour * HOUR_MS),
  );
  return text.replaceAll(/[\u00a0\u202f]/g, ' ');
}
