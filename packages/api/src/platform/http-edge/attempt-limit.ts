import type { Clock } from '../clock.ts';

export type AttemptLimit = {
  /** Counts an attempt and says whether it may go on; when not, the seconds to wait. */
  begin(key: string): Attempt;
  /** Takes an attempt back that turned out well. */
  forgive(key: string): void;
};

/** `secondsLeft` of the window, in which there are so many more attempts. */
export type Attempt = { attemptsLeft: number; secondsLeft: number } & (
  | { isAllowed: true }
  | { isAllowed: false; retryAfterSeconds: number }
);

const MOST_KEYS = 50_000;

/** At most `max` attempts per key and window, counted in this process. */
export function createAttemptLimit(
  { max, windowMs }: { max: number; windowMs: number },
  clock: Clock,
): AttemptLimit {
  const windows = new Map<string, { count: number; endsAt: number }>();
  return {
    begin(key) {
      const now = clock().getTime();
      const known = windows.get(key);
      if (!known || known.endsAt <= now) {
        if (windows.size >= MOST_KEYS) makeRoom(windows, now);
        windows.delete(key); // so that the order is that of their beginnings
        windows.set(key, { count: 1, endsAt: now + windowMs });
        return { isAllowed: true, attemptsLeft: max - 1, secondsLeft: Math.ceil(windowMs / 1000) };
      }
      const secondsLeft = Math.ceil((known.endsAt - now) / 1000);
      if (known.count >= max)
        return { isAllowed: false, attemptsLeft: 0, secondsLeft, retryAfterSeconds: secondsLeft };
      known.count += 1;
      return { isAllowed: true, attemptsLeft: max - known.count, secondsLeft };
    },
    forgive(key) {
      const known = windows.get(key);
      if (known && known.count > 0) known.count -= 1;
    },
  };
}

/** The oldest windows go: were all forgotten, whoever comes from many addresses could reset every limit. */
function makeRoom(windows: Map<string, { endsAt: number }>, now: number): void {
  for (const [key, { endsAt }] of windows) {
    if (endsAt > now && windows.size < MOST_KEYS) return;
    windows.delete(key);
  }
}
