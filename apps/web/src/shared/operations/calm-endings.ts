import { useEffect, useState } from 'react';
import type { Operation } from './operations.ts';

/** How long the banner shows an operation that ended well, in milliseconds. The notification about it stays. */
const SHOWN_MS = 30_000;

/** Whether it ended well and leaves nothing to do: no file to download, no failed rows, no deletion that can be undone. */
export function isCalmEnding({ state, kind, file, fileGone, result }: Operation): boolean {
  return (
    state === 'done' && kind !== 'contact-removal' && file === null && fileGone === null && !result.failed
  );
}

function hiddenAt({ endedAt }: Operation): number {
  return Date.parse(endedAt ?? '') + SHOWN_MS;
}

/** The operations without those that ended well a while ago. */
export function useWithoutCalmEndings(operations: readonly Operation[]): readonly Operation[] {
  const [now, setNow] = useState(Date.now);
  const ends = operations.filter(isCalmEnding).map(hiddenAt);
  const next = Math.min(...ends.filter((end) => end > now));
  useEffect(() => {
    if (next === Infinity) return undefined;
    // A clock that runs behind that of the server must not keep the banner longer than that.
    const timer = setTimeout(() => setNow(next), Math.min(SHOWN_MS, Math.max(0, next - Date.now())));
    return () => clearTimeout(timer);
  }, [next]);
  return operations.filter((operation) => !isCalmEnding(operation) || hiddenAt(operation) > now);
}
