import { instantToZonedTime, zonedTimeToInstant } from './zoned-time.ts';

/** Hours of the day in which nothing is sent, on the clocks of a zone: `21:00` to `09:00` goes over midnight. */
export type QuietHours = { from: string; to: string; timeZone: string };

/** When the quiet that holds at `now` ends; null when none holds. Equal hours mean no quiet at all. */
export function quietUntil({ from, to, timeZone }: QuietHours, now: Date): Date | null {
  if (from === to) return null;
  const local = instantToZonedTime(now, timeZone);
  const [day = '', time = ''] = local.split('T');
  const isQuiet = from < to ? time >= from && time < to : time >= from || time < to;
  if (!isQuiet) return null;
  const endsTomorrow = from > to && time >= from;
  // In the night in which the clocks go back an hour comes twice: it is quiet until its end has come for good.
  return zonedTimeToInstant(`${endsTomorrow ? dayAfter(day) : day}T${to}`, timeZone, 'last');
}

/** When the next quiet after `now` begins; null when there is none. */
export function quietFrom({ from, to, timeZone }: QuietHours, now: Date): Date | null {
  if (from === to) return null;
  const [day = ''] = instantToZonedTime(now, timeZone).split('T');
  const today = zonedTimeToInstant(`${day}T${from}`, timeZone);
  return today && today > now ? today : zonedTimeToInstant(`${dayAfter(day)}T${from}`, timeZone);
}

/** There are some hundred of them, each in a few ways of writing; to ask takes a hundred times as long as to remember. */
const knownZones = new Set<string>();
const MOST_ZONES = 1_000;

/** Whether this is a zone that the clocks of this machine know. */
export function isTimeZone(name: string): boolean {
  if (knownZones.has(name)) return true;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    // A browser may say Asia/Kolkata where this machine says Asia/Calcutta. Of other ways of writing there is no end: upper and lower case.
    if (timeZone === name || knownZones.size < MOST_ZONES) knownZones.add(name);
    return true;
  } catch {
    return false;
  }
}

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}
