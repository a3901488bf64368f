import { createHash } from 'node:crypto';

/**
 * A time of a service whose times are whole seconds: two changes within one second are told apart by what they left behind. `state` is all that is
 * exchanged of the record.
 */
export function withinSecond(second: Date, state: unknown): Date {
  const part = createHash('md5').update(JSON.stringify(state)).digest().readUInt16BE() % 1_000;
  return new Date(second.getTime() + part);
}

/** By how much the clock of a service is ahead, in ms, from the `Date` of its answer; 0 within two seconds, which the way of the answer explains. */
export function clockAheadOf(headers: Readonly<Record<string, string>>): number {
  const ahead = Date.parse(headers['date'] ?? '') - Date.now();
  return Math.abs(ahead) > 2_000 ? ahead : 0;
}
