import { useCallback } from 'react';

/** Beyond the bar; what notifications keep between themselves and it is their own. */
const ROOM = 4;
/** Where a short page ends early, so much below the bar takes two of them. */
const ROOM_OF_TWO = 200;

type BarRef = (bar: HTMLElement | null) => (() => void) | undefined;

/** For a bar at the end of the page, wherever that stands and however many lines it has: notifications stay clear of it. */
export function useBottomBar(): BarRef {
  return useCallback(
    (bar) =>
      measure(bar, '--bottom-bar', ({ top, bottom }) =>
        innerHeight - bottom >= ROOM_OF_TWO ? 0 : Math.max(0, innerHeight - top) + ROOM,
      ),
    [],
  );
}

/** For the head of what fills the screen: notifications stay below it. */
export function useTopBar(): BarRef {
  return useCallback((bar) => measure(bar, '--top-bar', ({ bottom }) => bottom), []);
}

function measure(
  bar: HTMLElement | null,
  property: '--bottom-bar' | '--top-bar',
  placeOf: (rect: DOMRect) => number,
): (() => void) | undefined {
  if (!bar) return undefined;
  const { style } = document.documentElement;
  const place = () => style.setProperty(property, `${Math.round(placeOf(bar.getBoundingClientRect()))}px`);
  const observer = new ResizeObserver(place);
  observer.observe(bar);
  // What grows above it moves it as well.
  if (bar.parentElement) observer.observe(bar.parentElement);
  addEventListener('scroll', place, { capture: true, passive: true });
  addEventListener('resize', place);
  return () => {
    observer.disconnect();
    removeEventListener('scroll', place, { capture: true });
    removeEventListener('resize', place);
    style.removeProperty(property);
  };
}
