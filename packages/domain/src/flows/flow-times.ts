import { instantToZonedTime, zonedTimeToInstant } from '../campaigns/zoned-time.ts';
import { isDay } from '../custom-fields/day.ts';
import type { Known } from './run-state.ts';

/** The zone that a field `time_zone` names. */
export function zoneOf(name: string, known: Pick<Known, 'contactZone' | 'workspaceZone'>): string {
  if (name === '' || name === 'workspace') return known.workspaceZone;
  return name === 'contact' ? known.contactZone : name;
}

/** The instant of a wall clock time such as `2026-11-21T09:30`, in milliseconds. A time that the clocks skip is an hour later, one that comes twice the first; null on a day that no calendar has, such as 31 February. */
export function instantOf(local: string, zone: string): number | null {
  if (!isDay(local.slice(0, 10))) return null;
  return zonedTimeToInstant(local, zone)?.getTime() ?? null;
}

/** The next time after `now` that the clocks of the zone show `time`, on one of the weekdays (1 is Monday) if there are any. */
export function nextTimeOfDay(
  { time, weekdays = [] }: { time: string; weekdays?: readonly number[] },
  zone: string,
  now: number,
): number {
  const [today = ''] = instantToZonedTime(new Date(now), zone).split('T');
  for (let ahead = 0; ahead <= 8; ahead += 1) {
    const day = addDays(today, ahead);
    if (weekdays.length > 0 && !weekdays.includes(weekdayOf(day))) continue;
    const instant = instantOf(`${day}T${time}`, zone);
    if (instant !== null && instant > now) return instant;
  }
  return now; // not reached: every week has each weekday
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** 1 is Monday, 7 is Sunday. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
}
