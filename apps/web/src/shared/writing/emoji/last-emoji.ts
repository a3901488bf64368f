import { OFFLINE_PREFIX } from '../../offline/offline-copy.ts';

const KEY = `${OFFLINE_PREFIX}emoji`;
const MOST_KEPT = 32;

/** Those that were taken last on this device, the newest first; they go at sign-out. */
export function readLastEmoji(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((emoji) => typeof emoji === 'string') : [];
  } catch {
    return []; // Storage is off or holds something else.
  }
}

export function noteEmoji(emoji: string): void {
  try {
    const others = readLastEmoji().filter((other) => other !== emoji);
    localStorage.setItem(KEY, JSON.stringify([emoji, ...others].slice(0, MOST_KEPT)));
  } catch {
    // Storage is off.
  }
}
