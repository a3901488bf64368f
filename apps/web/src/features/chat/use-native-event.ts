import { useEffect, useRef, type RefObject } from 'react';

/** Listens on an element that is no control itself, such as a message in a log, which the arrows go through. */
export function useNativeEvent<Name extends keyof HTMLElementEventMap>(
  element: RefObject<HTMLElement | null>,
  name: Name,
  listen: (event: HTMLElementEventMap[Name]) => void,
): void {
  const latest = useRef(listen);
  useEffect(() => {
    latest.current = listen;
  });
  useEffect(() => {
    const target = element.current;
    const tell = (event: HTMLElementEventMap[Name]) => latest.current(event);
    target?.addEventListener(name, tell);
    return () => target?.removeEventListener(name, tell);
  }, [element, name]);
}
