/** True for a day of the calendar as `2026-11-21`, from the year 1 on. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return false;
  const day = new Date(`${text}T00:00:00Z`);
  // A day that no month has, such as the 30th of February, comes back as another one.
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

export const dayOrders = ['dayFirst', 'monthFirst'] as const;
export type DayOrder = (typeof dayOrders)[number];

/** By each order the day as `2026-11-21`, which the calendar may not have, and the clock and zone behind it. */
export type WrittenDay = Record<DayOrder, string> & {
  year: number;
  clock: string | undefined;
  zone: string | undefined;
};

const CLOCK = String.raw`(?:[T ,]+(\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?`;
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})([-/.])(\d\d)\2(\d\d)${CLOCK}$`);
const YEAR_LAST = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})${CLOCK}$`);

/** Such as 2026-11-21, 21.11.2026, 11/21/2026 or 2026-11-21 14:30; dots are written with the day first. */
export function readWrittenDay(text: string): WrittenDay | undefined {
  const [, year, , month, dayOfMonth, clock, zone] = YEAR_FIRST.exec(text) ?? [];
  if (year !== undefined) {
    const day = `${year}-${month}-${dayOfMonth}`;
    return { dayFirst: day, monthFirst: day, year: Number(year), clock, zone };
  }
  const [, first, mark, second, last, time, place] = YEAR_LAST.exec(text) ?? [];
  if (first === undefined || second === undefined) return undefined;
  const dayFirst = `${last}-${second.padStart(2, '0')}-${first.padStart(2, '0')}`;
  const monthFirst = mark === '.' ? dayFirst : `${last}-${first.padStart(2, '0')}-${second.padStart(2, '0')}`;
  return { dayFirst, monthFirst, year: Number(last), clock: time, zone: place };
}

/** The one day that is meant; without an order none where two can be. */
export function readDayAlone(text: string, order?: DayOrder): string | undefined {
  const written = readWrittenDay(text);
  if (!written || written.clock !== undefined || written.zone !== undefined) return undefined;
  const days = new Set((order ? [order] : dayOrders).map((known) => written[known]).filter(isDay));
  return days.size === 1 ? [...days][0] : undefined;
}

/** The order that a day tells by a part above 12. */
export function tellDayOrder(text: string): DayOrder | undefined {
  const possible = dayOrders.filter((order) => readDayAlone(text, order) !== undefined);
  return possible.length === 1 ? possible[0] : undefined;
}

/** Of these both orders are written. */
const OF_BOTH_ORDERS: ReadonlySet<string> = new Set(['CA', 'PH']);

/** How the days of a column are read whose values told these orders, in a file of a country; undefined where nobody knows. */
export function settleDayOrder(told: ReadonlySet<DayOrder>, country?: string): DayOrder | undefined {
  if (told.size > 0) return told.size === 1 ? [...told][0] : undefined;
  if (country === undefined || OF_BOTH_ORDERS.has(country)) return undefined;
  return country === 'US' ? 'monthFirst' : 'dayFirst';
}
