const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;

/**
 * When promotional messages may reach people of a country, in minutes of its day. India lets them through from 7:00 to 22:00 of its time
 * (UTC+5:30, all year).
 */
const countries = [{ prefix: '+91', offset: 330, from: 7 * 60, until: 22 * 60 }] as const;

/** Milliseconds until a promotional message may leave to this number; 0 for now. `at` in milliseconds since 1970. */
export function untilPromotionAllowed(phone: string, at: number): number {
  const country = countries.find(({ prefix }) => phone.startsWith(prefix));
  if (!country) return 0;
  const minute = (at / MINUTE_MS + country.offset) % DAY_MINUTES;
  if (minute >= country.from && minute < country.until) return 0;
  const wait = minute < country.from ? country.from - minute : DAY_MINUTES - minute + country.from;
  return Math.ceil(wait * MINUTE_MS);
}
