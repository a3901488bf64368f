import { instantToZonedTime, zonedTimeToInstant } from '@app/domain/campaigns/zoned-time';

export type QuickTime = { name: 'hour' | 'evening' | 'tomorrow' | 'monday'; at: Date };

/** Times that people choose often, on the clocks of a time zone: in an hour, this evening, tomorrow morning, Monday morning. */
export function quickTimes(now: Date, timeZone: string): QuickTime[] {
  const today = instantToZonedTime(now, timeZone).slice(0, 10);
  const day = (days: number) => {
    const date = new Date(`${today}T12:00:00Z`);
    date.setUTCDate(date.getUTCDate() + days);
    return date;
  };
  const at = (date: Date, time: string) =>
    zonedTimeToInstant(`${date.toISOString().slice(0, 10)}T${time}`, timeZone);
  const toMonday = ((8 - day(0).getUTCDay()) % 7 || 7) as number;
  const times: [QuickTime['name'], Date | null][] = [
    ['hour', new Date(now.getTime() + HOUR_MS)],
    ['evening', at(day(0), '18:00')],
    ['tomorrow', at(day(1), '09:00')],
    ['monday', toMonday === 1 ? null : at(day(toMonday), '09:00')],
  ];
  return times.flatMap(([name, time]) =>
    time && (name !== 'evening' || time.getTime() - now.getTime() > HOUR_MS) ? [{ name, at: time }] : [],
  );
}

const HOUR_MS = 3_600_000;
