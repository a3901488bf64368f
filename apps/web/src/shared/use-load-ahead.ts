import { useEffect } from 'react';

/** Long enough that what the page shows first is there. */
const QUIET_MS = 1_500;

/** Loads the code of a page's dialogs once the page is quiet: they then open at once, and without a connection too. */
export function useLoadAhead(loads: readonly (() => Promise<unknown>)[]): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      if (!navigator.onLine) return;
      // Whoever opens the dialog loads it again, and is told what is wrong.
      for (const load of loads) load().catch(() => undefined);
    }, QUIET_MS);
    return () => clearTimeout(timer);
  }, [loads]);
}
