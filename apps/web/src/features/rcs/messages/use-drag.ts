import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type PointerEvent as Press,
  type RefObject,
} from 'react';

type Drag = {
  key: string;
  pointerId: number;
  /** Where the pointer is. */
  y: number;
  /** How far it is from the middle of the part that it drags. */
  offset: number;
};

/** So close to the edge of what scrolls, a drag scrolls it. */
const EDGE = 48;
const SCROLL_STEP = 8;

/**
 * Changes the order of the elements of a list by dragging one of them. Every pointer works, a finger too. While a part is dragged the caller shows
 * all parts low, so that they are in sight.
 */
export function useDrag(
  list: RefObject<HTMLElement | null>,
  { keys, onMove }: { keys: readonly string[]; onMove: (from: number, to: number) => void },
) {
  const [held, setHeld] = useState<{ key: string; height: number }>();
  const dragged = held?.key;
  const drag = useRef<Drag>(undefined);

  // The parts have just become low, or high again: the one that is dragged stays under the pointer as far as it can.
  const last = useRef<string>(undefined);
  useLayoutEffect(() => {
    const key = dragged ?? last.current;
    last.current = dragged;
    const part = key === undefined ? null : partOf(list.current, key);
    if (!part) return;
    if (!drag.current) return part.scrollIntoView({ block: 'nearest' });
    scrollerOf(part)?.scrollBy(0, middleOf(part) - drag.current.y);
    drag.current.offset = drag.current.y - middleOf(part);
  }, [dragged, list]);

  useEffect(() => {
    if (dragged === undefined) return undefined;
    const place = () => {
      const node = list.current;
      const now = drag.current;
      if (!node || !now) return;
      const y = now.y - now.offset;
      const others = [...node.children].filter((part) => (part as HTMLElement).dataset['key'] !== now.key);
      const to = others.filter((part) => middleOf(part) < y).length;
      onMove(keys.indexOf(now.key), to);
    };
    const move = (event: PointerEvent) => {
      if (!drag.current || event.pointerId !== drag.current.pointerId) return;
      drag.current.y = event.clientY;
      place();
    };
    const end = (event: PointerEvent) => {
      if (event.pointerId !== drag.current?.pointerId) return;
      drag.current = undefined;
      setHeld(undefined);
    };
    let frame = requestAnimationFrame(function scroll() {
      const scroller = scrollerOf(list.current);
      if (scroller && drag.current) {
        const { top, bottom } = scroller.getBoundingClientRect();
        const { y } = drag.current;
        const by = y < top + EDGE ? -SCROLL_STEP : y > bottom - EDGE ? SCROLL_STEP : 0;
        const before = scroller.scrollTop;
        scroller.scrollBy(0, by);
        if (scroller.scrollTop !== before) place();
      }
      frame = requestAnimationFrame(scroll);
    });
    // An order that changes moves the pressed element in the document, and an event at it would be lost.
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', end);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', end);
    };
  });

  return {
    /** The key of the part that is dragged. */
    dragged,
    /** The list keeps its height meanwhile, so that it can be scrolled to where the pointer is. */
    minHeight: held?.height,
    /** The pointer took hold of a part. */
    grip(event: Press, key: string) {
      if (drag.current || event.button !== 0) return;
      drag.current = { key, pointerId: event.pointerId, y: event.clientY, offset: 0 };
      setHeld({ key, height: list.current?.offsetHeight ?? 0 });
    },
  };
}

const partOf = (list: HTMLElement | null, key: string) =>
  list?.querySelector(`:scope > [data-key="${key}"]`) ?? null;

function middleOf(part: Element): number {
  const { top, height } = part.getBoundingClientRect();
  return top + height / 2;
}

/** What scrolls around an element. */
function scrollerOf(element: Element | null): Element | null {
  for (let at = element?.parentElement; at; at = at.parentElement)
    if (at.scrollHeight > at.clientHeight && /auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  return null;
}
