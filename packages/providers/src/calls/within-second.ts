import { createHash } from 'node:crypto';

/**
 * A time of a service whose times are whole seconds: two changes within one second are told apart by what they left behind. `state` is all that is
 * exchanged of the record.
 */
export function withinSecond(second: Date, state: unknown): Date {
  const part = createHash('md5').update(JSON.stringify(state)).digest().readUInt16BE() % 1_000;
  return new Date(second.getTime() + part);
}

/** The end of such a second by our clock: an edit in the same second as one of ours counts as the later one, so that it is not lost. */
export function endOfSecond(second: Date, clockAheadMs: number): Date {
  return new Date(second.getTime() + 999 - clockAheadMs);
}

/**
 * By how much the clock of a service is ahead, in ms, from the `Date` of its answer. The service wrote it between `askedAt` and `answeredAt`, both by our
 * clock in ms: 0 where both clocks may agree within two seconds, however slow the answer was, and else the middle of what is possible.
 */
export function clockAheadOf(
  headers: Readonly<Record<string, string>>,
  askedAt: number,
  answeredAt: number,
): number {
  const told = Date.parse(headers['date'] ?? '');
  if (Number.isNaN(told)) return 0;
  const [least, most] = [told - answeredAt, told - askedAt];
  return least <= 2_000 && most >= -2_000 ? 0 : Math.round((least + most) / 2);
}
