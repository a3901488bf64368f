import { useCallback, useEffect, useRef, useState } from 'react';

/**
 * The element that scrolls the page and where the rows begin in it. `attach` is the ref of the element of the rows. The place is measured when that element
 * comes and when anything around it changes its size. A drawing measures nothing: the browser would have to lay out the page each time.
 */
export function useScroller() {
  const body = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<{ scroller: HTMLElement | null; offset: number }>({
    scroller: null,
    offset: 0,
  });
  const attach = useCallback((element: HTMLDivElement) => {
    body.current = element;
    const scroller = scrollParentOf(element);
    function measure() {
      const offset =
        element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
      setPlace((before) =>
        before.scroller === scroller && Math.abs(before.offset - offset) < 1 ? before : { scroller, offset },
      );
    }
    measure();
    // What stands above the table (cards, banners) can grow after the first paint.
    const observer = new ResizeObserver(measure);
    for (let above: HTMLElement | null = element; above && above !== scroller; above = above.parentElement) {
      observer.observe(above);
    }
    return () => {
      observer.disconnect();
      body.current = null;
    };
  }, []);
  return { ...place, body, attach };
}

function scrollParentOf(element: HTMLElement): HTMLElement {
  for (let parent = element.parentElement; parent; parent = parent.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(parent).overflowY)) return parent;
  }
  return document.documentElement;
}

/** Asks for more once the end comes near, and again when rows come or somebody scrolls on: where more cannot be had, no drawing asks anew. */
export function useEndReached(
  lastShown: number,
  count: number,
  status: string,
  onEndReached: (() => void) | undefined,
): void {
  const ask = useRef(onEndReached);
  useEffect(() => {
    ask.current = onEndReached;
  });
  const hasMore = onEndReached !== undefined;
  useEffect(() => {
    // A screen ahead, so that scrolling does not have to wait.
    if (hasMore && status === 'ready' && count > 0 && lastShown >= count - 25) ask.current?.();
  }, [lastShown, count, status, hasMore]);
}
