import { instantToZonedTime, zonedTimeToInstant } from '../../campaigns/zoned-time.ts';

export const snoozePresets = ['in_3_hours', 'tomorrow', 'next_week'] as const;
export type SnoozePreset = (typeof snoozePresets)[number];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MORNING = '09:00';
const MONDAY = 1;

/** When a conversation comes back: mornings are those on the clocks of the person who asks. */
export function snoozeUntil(preset: SnoozePreset, now: Date, timeZone: string): Date {
  const inHours = new Date(now.getTime() + 3 * HOUR_MS);
  if (preset === 'in_3_hours') return inHours;
  const today = Date.parse(`${instantToZonedTime(now, timeZone).slice(0, 10)}T00:00:00Z`);
  const toMonday = (MONDAY + 7 - new Date(today).getUTCDay()) % 7 || 7;
  const day = new Date(today + (preset === 'tomorrow' ? 1 : toMonday) * DAY_MS);
  return zonedTimeToInstant(`${day.toISOString().slice(0, 10)}T${MORNING}`, timeZone) ?? inHours;
}

/** The choices of a moment, each once: on a Sunday the next week begins tomorrow. */
export function snoozeChoices(now: Date, timeZone: string): { preset: SnoozePreset; until: Date }[] {
  const all = snoozePresets.map((preset) => ({ preset, until: snoozeUntil(preset, now, timeZone) }));
  return all.filter(
    ({ until }, place) => all.findIndex((one) => one.until.getTime() === until.getTime()) === place,
  );
}
