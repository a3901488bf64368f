export type HeardWords = {
  /** Whether it was heard within the last while. */
  has(word: string, now: number): boolean;
  hear(word: string, now: number): void;
  forget(word: string): void;
};

const KEPT_MS = 60_000;
const MOST = 20_000;

/**
 * What this process has asked or left a moment ago, so that words which come every second from hundreds of tabs cost the database next to
 * nothing. Forgets the oldest where there are too many.
 */
export function createHeardWords(): HeardWords {
  const until = new Map<string, number>();
  return {
    has(word, now) {
      return (until.get(word) ?? 0) > now;
    },
    hear(word, now) {
      until.delete(word);
      until.set(word, now + KEPT_MS);
      for (const oldest of until.keys()) {
        if (until.size <= MOST) break;
        until.delete(oldest);
      }
    },
    forget(word) {
      until.delete(word);
    },
  };
}
