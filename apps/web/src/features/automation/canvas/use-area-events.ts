import { useEffect, useEffectEvent, type RefObject } from 'react';

type Heard = { [Name in 'keydown' | 'copy' | 'cut' | 'paste']: (event: HTMLElementEventMap[Name]) => void };

/** Keys and the clipboard for the items of the canvas; what has the focus beside them, such as a field, keeps its own. */
export function useAreaEvents(area: RefObject<HTMLElement | null>, heard: Heard): void {
  const hear = useEffectEvent((event: Event) => {
    const isOnItem = event.target instanceof Element && event.target.closest('.react-flow') !== null;
    const isEscape = event instanceof KeyboardEvent && event.key === 'Escape';
    if (!isOnItem && !isEscape) return;
    // The space bar would press the button as well, once it is released.
    if (event.type === 'keyup') {
      if (event instanceof KeyboardEvent && event.key === ' ') event.preventDefault();
      return;
    }
    (heard as unknown as Record<string, (event: Event) => void>)[event.type]?.(event);
  });
  useEffect(() => {
    const element = area.current;
    const types = ['keydown', 'keyup', 'copy', 'cut', 'paste'];
    for (const type of types) element?.addEventListener(type, hear);
    return () => {
      for (const type of types) element?.removeEventListener(type, hear);
    };
  }, [area]);
}
