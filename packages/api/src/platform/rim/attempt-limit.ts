import type { Clock } from '../clock.ts';

export type AttemptLimit = {
  /** Counts an attempt and says whether it may go on; when not, the seconds to wait. */
  begin(key: string): { isAllowed: true } | { isAllowed: false; retryAfterSeconds: number };
  /** Takes an attempt back that turned out well. */
  forgive(key: string): void;
};

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
        return { isAllowed: true };
      }
      if (known.count >= max)
        return { isAllowed: false, retryAfterSeconds: Math.ceil((known.endsAt - now) / 1000) };
      known.count += 1;
      return { isAllowed: true };
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
