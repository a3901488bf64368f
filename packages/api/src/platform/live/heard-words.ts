const KEPT_MS = 60_000;
const MOST = 10_000;

/**
 * What this process has asked or left a moment ago, so that words which come every second from hundreds of tabs cost the database next to
 * nothing. Forgets the oldest where there are too many.
 */
export function createHeardWords() {
  const until = new Map<string, number>();
  return {
    /** Whether it was heard within the last while. */
    has(word: string, now: number): boolean {
      return (until.get(word) ?? 0) > now;
    },
    hear(word: string, now: number, keptMs = KEPT_MS): void {
      until.delete(word);
      until.set(word, now + keptMs);
      for (const oldest of until.keys()) {
        if (until.size <= MOST) break;
        until.delete(oldest);
      }
    },
    forget(word: string): void {
      until.delete(word);
    },
  };
}
