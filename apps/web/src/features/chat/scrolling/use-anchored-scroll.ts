import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** What stays where it is while other things change: the end of the list, or an item with its distance from the top. */
type Anchor = { kind: 'end' } | { kind: 'item'; id: string; top: number };
/** So near to the end counts as being there. */
const AT_END_PX = 48;
/** So far from an end more is read. */
const AHEAD_PX = 1_200;

/**
 * Keeps what somebody looks at in its place, to the pixel: whatever is put before it, loads its picture or goes away. Whoever is at the end stays
 * there. The list stands in the normal flow with its real heights, so nothing is guessed.
 */
export function useAnchoredScroll(ends: { onNearStart: () => void; onNearEnd: () => void }) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const anchor = useRef<Anchor>({ kind: 'end' });
  const [isAtEnd, setIsAtEnd] = useState(true);
  const latest = useRef(ends);
  useEffect(() => {
    latest.current = ends;
  });

  const note = useCallback(() => {
    const view = scroller.current;
    if (!view) return;
    const left = view.scrollHeight - view.scrollTop - view.clientHeight;
    const atEnd = left < AT_END_PX;
    anchor.current = atEnd ? { kind: 'end' } : (firstShown(view, list.current) ?? anchor.current);
    setIsAtEnd(atEnd);
    if (view.scrollTop < AHEAD_PX) latest.current.onNearStart();
    if (left < AHEAD_PX) latest.current.onNearEnd();
  }, []);

  const restore = useCallback(() => {
    const view = scroller.current;
    if (!view) return;
    if (anchor.current.kind === 'end') view.scrollTop = view.scrollHeight;
    else {
      const { id, top } = anchor.current;
      const element = findItem(list.current, id);
      if (!element) return;
      const moved = topIn(view, element) - top;
      if (Math.abs(moved) >= 0.5) view.scrollTop += moved;
    }
  }, []);

  // After each drawing, before it is painted.
  useLayoutEffect(restore);
  useEffect(() => {
    const view = scroller.current;
    const element = list.current;
    if (!view || !element) return undefined;
    const observer = new ResizeObserver(() => {
      restore();
      // A short page does not scroll by itself.
      if (view.scrollHeight <= view.clientHeight + AHEAD_PX) latest.current.onNearStart();
    });
    observer.observe(element);
    observer.observe(view);
    return () => observer.disconnect();
  }, [restore]);

  /** Shows an item that is in the list, in the upper part of the view; false where it is not. */
  const showItem = useCallback(
    (id: string): boolean => {
      const view = scroller.current;
      const element = findItem(list.current, id);
      if (!view || !element) return false;
      const room = Math.max(0, view.clientHeight - element.offsetHeight);
      anchor.current = { kind: 'item', id, top: Math.round(room / 3) };
      restore();
      note();
      return true;
    },
    [note, restore],
  );
  const showEnd = useCallback(() => {
    anchor.current = { kind: 'end' };
    restore();
    setIsAtEnd(true);
  }, [restore]);
  const middleItem = useCallback((): string | null => {
    const view = scroller.current;
    const shown = view && firstShown(view, list.current, view.clientHeight / 2);
    return shown?.kind === 'item' ? shown.id : null;
  }, []);
  const isNearEnd = useCallback(() => anchor.current.kind === 'end', []);
  return { scroller, list, onScroll: note, isAtEnd, isNearEnd, showItem, showEnd, middleItem };
}

function topIn(view: HTMLElement, element: HTMLElement): number {
  return element.getBoundingClientRect().top - view.getBoundingClientRect().top;
}

function findItem(list: HTMLElement | null, id: string): HTMLElement | null {
  return list?.querySelector<HTMLElement>(`[data-item="${CSS.escape(id)}"]`) ?? null;
}

/** The first item that ends below `from`, found by halving. */
function firstShown(view: HTMLElement, list: HTMLElement | null, from = 0): Anchor | null {
  const items = list?.querySelectorAll<HTMLElement>('[data-item]') ?? [];
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle]!; // between the two
    if (topIn(view, item) + item.offsetHeight > from) high = middle;
    else low = middle + 1;
  }
  const item = items[low];
  return item ? { kind: 'item', id: item.dataset.item ?? '', top: topIn(view, item) } : null;
}
