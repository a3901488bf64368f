/** The platform's clock and ours may differ by this much. */
const SKEW_MS = 10 * 60_000;

/**
 * When an event happened, in milliseconds: 0 stands for an event whose time nobody knows, which is also one from the future. Such an
 * event opens no window and outdoes no word that has a time.
 */
export function readEventTime(occurredAt: number, now: number): number {
  return Number.isSafeInteger(occurredAt) && occurredAt > 0 && occurredAt <= now + SKEW_MS ? occurredAt : 0;
}

export type ConsentTime = {
  /** By our clock, as staff's words are timed: never after the arrival, or a clock that is ahead would outdo what staff note next. */
  at: number;
  /** By the platform's clock, which alone orders what people say; null when it is unknown. */
  saidAt: number | null;
};

/** When a word about consent counts from. Of an unknown moment an opt-out counts from its arrival, an opt-in never first. */
export function readConsentTime(kind: 'opt_in' | 'opt_out', occurredAt: number, now: number): ConsentTime {
  if (occurredAt === 0) return { at: kind === 'opt_out' ? now : 0, saidAt: null };
  return { at: Math.min(occurredAt, now), saidAt: occurredAt };
}
