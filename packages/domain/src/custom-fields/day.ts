/** True for a day of the calendar as `2026-11-21`, from the year 1 on. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return false;
  const day = new Date(`${text}T00:00:00Z`);
  // A day that no month has, such as the 30th of February, comes back as another one.
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
