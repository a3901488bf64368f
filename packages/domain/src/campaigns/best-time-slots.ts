import { learnBestTime, type HourCounts } from '../analytics/contact-best-time.ts';
import { quietUntil, type QuietHours } from './quiet-hours.ts';
import { instantToZonedTime } from './zoned-time.ts';

/** An hour of the day in which a part of a campaign leaves: from `at` on (milliseconds since 1970). */
export type TimeSlot = { hour: number; at: number };

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const HOURS = 24;

/**
 * The hours of the day from `now` on, each once and in their order, without those that are quiet: the first is the rest of this hour. When all of
 * them are quiet it is this hour alone, and the quiet hours hold the campaign back as they hold any other.
 */
export function listTimeSlots(now: Date, zone: string, quietHours: QuietHours | null): TimeSlot[] {
  const slots: TimeSlot[] = [];
  const first = { hour: hourAt(now, zone), at: now.getTime() };
  // Zones are off by quarters of an hour, and their clocks change.
  const minutes = Number(instantToZonedTime(now, zone).slice(14, 16));
  const begun = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS - minutes * MINUTE_MS;
  for (let place = 0; place <= HOURS; place += 1) {
    const at = place === 0 ? now : new Date(begun + place * HOUR_MS);
    const hour = hourAt(at, zone);
    const isKnown = slots.some((slot) => slot.hour === hour) || (place > 0 && hour === first.hour);
    if (isKnown || (quietHours && quietUntil(quietHours, at))) continue;
    slots.push({ hour, at: at.getTime() });
  }
  return slots.length > 0 ? slots : [first];
}

/** How much each slot is worth to contacts without data: the shares of everybody (`learnBestTime`). */
export function priorOfSlots(everybody: HourCounts, slots: readonly TimeSlot[]): number[] {
  const { shares } = learnBestTime(Array(HOURS).fill(0), everybody);
  return slots.map(({ hour }) => shares[hour] ?? 0);
}

/** Which slot suits a contact best, by their own reads and replies with everybody's as the prior; the earlier one of two alike. */
export function chooseTimeSlot(own: HourCounts, everybody: HourCounts, slots: readonly TimeSlot[]): number {
  const { shares } = learnBestTime(own, everybody);
  const worth = slots.map(({ hour }) => shares[hour] ?? 0);
  return worth.indexOf(Math.max(...worth));
}

function hourAt(instant: Date, zone: string): number {
  return Number(instantToZonedTime(instant, zone).slice(11, 13));
}
