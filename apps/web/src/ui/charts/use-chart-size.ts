import { useEffect, useState } from 'react';
import type { RefObject } from 'react';
import { flushSync } from 'react-dom';

/** In pixels: what the margins of A4 leave (`@page` in print.css). Letter is a little wider. */
const PAPER_WIDTH = 703;

type Size = { width: number; height: number };

/**
 * The size of an element in pixels, followed as it changes. On paper it is drawn anew, as wide as it is there: shrunk with the page, its letters could not be
 * read. Nothing is laid out for paper before it is printed, so the page is made as narrow for a moment.
 */
export function useChartSize(frame: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 480, height: 256 });
  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const measure = (): Size => ({ width: element.clientWidth, height: element.clientHeight });
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(element);
    const fitPaper = () => {
      const page = element.closest<HTMLElement>('#content');
      if (!page) return;
      const { maxWidth } = page.style;
      page.style.maxWidth = `${PAPER_WIDTH}px`;
      const narrow = measure();
      page.style.maxWidth = maxWidth;
      flushSync(() => setSize(narrow));
    };
    const fitScreen = () => setSize(measure());
    addEventListener('beforeprint', fitPaper);
    addEventListener('afterprint', fitScreen);
    return () => {
      observer.disconnect();
      removeEventListener('beforeprint', fitPaper);
      removeEventListener('afterprint', fitScreen);
    };
  }, [frame]);
  return size;
}
