/** The platform's clock and ours may differ by this much. */
const SKEW_MS = 10 * 60_000;

/**
 * When an event happened, in milliseconds: 0 stands for an event whose time nobody knows, which is also one from the future. Such an
 * event opens no window and outdoes no word that has a time.
 */
export function readEventTime(occurredAt: number, now: number): number {
  return Number.isSafeInteger(occurredAt) && occurredAt > 0 && occurredAt <= now + SKEW_MS ? occurredAt : 0;
}

/**
 * The moment from which a word about consent counts: never after its arrival, or a clock that is ahead would outdo what is said
 * next. Of an unknown moment an opt-out counts from its arrival, an opt-in never first.
 */
export function readConsentTime(kind: 'opt_in' | 'opt_out', occurredAt: number, now: number): number {
  return kind === 'opt_out' ? Math.min(occurredAt || now, now) : Math.min(occurredAt, now);
}
