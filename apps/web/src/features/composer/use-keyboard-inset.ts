import { useEffect, useState } from 'react';

/** Pixels of the page that the keyboard on the screen covers; nothing where the browser makes the page smaller instead. */
export function useKeyboardInset(): number {
  const [inset, setInset] = useState(0);
  useEffect(() => {
    const { visualViewport: seen } = globalThis;
    if (!seen) return undefined;
    const measure = () => {
      // A page that is zoomed in is seen in part, too.
      const covered = seen.scale > 1 ? 0 : innerHeight - seen.height - seen.offsetTop;
      setInset(Math.max(0, Math.round(covered)));
    };
    seen.addEventListener('resize', measure);
    seen.addEventListener('scroll', measure);
    return () => {
      seen.removeEventListener('resize', measure);
      seen.removeEventListener('scroll', measure);
    };
  }, []);
  return inset;
}
