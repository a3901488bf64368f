import { useCallback } from 'react';

/** At the end of a page the bar stands above the space that each page leaves at its foot, beyond that of notifications; in pixels. */
const ROOM_BELOW = 16;

/** For a bar at the end of the page, however many lines it has: notifications stay above it. */
export function useBottomBar(): (bar: HTMLElement | null) => (() => void) | undefined {
  return useCallback((bar) => {
    if (!bar) return undefined;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() =>
      style.setProperty('--bottom-bar', `${bar.offsetHeight + ROOM_BELOW}px`),
    );
    observer.observe(bar);
    return () => {
      observer.disconnect();
      style.removeProperty('--bottom-bar');
    };
  }, []);
}
