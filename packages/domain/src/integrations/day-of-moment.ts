import { instantToZonedTime, zonedTimeToInstant } from '../campaigns/zoned-time.ts';
import { isDay, readWrittenDay } from '../custom-fields/day.ts';

/**
 * The day of a point in time, such as `2026-11-21T23:30:00Z`, on the clocks of a zone: there people read it as that day. A time that names no zone is on
 * its own day. Undefined for anything else.
 */
export function dayOfMoment(text: string, timeZone: string): string | undefined {
  const written = readWrittenDay(text);
  if (written?.clock === undefined || written.dayFirst !== written.monthFirst || !isDay(written.dayFirst))
    return undefined;
  if (written.zone === undefined) return written.dayFirst;
  const offset = /^[A-Z]/.test(written.zone) ? 'Z' : written.zone.replace(/(\d\d):?(\d\d)$/, '$1:$2');
  const at = new Date(`${written.dayFirst}T${written.clock}${offset}`);
  return Number.isNaN(at.getTime()) ? undefined : instantToZonedTime(at, timeZone).slice(0, 10);
}

/** The beginning of a day on the clocks of a zone, as the services write a point in time. A text that is no day stays as it is. */
export function momentOfDay(day: string, timeZone: string): string {
  return zonedTimeToInstant(`${day}T00:00`, timeZone)?.toISOString() ?? day;
}
