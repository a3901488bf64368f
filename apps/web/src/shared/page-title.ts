import { useEffect } from 'react';

let drawn = '';

/** Names the document after the page. */
export function usePageTitle(title: string): void {
  drawn = title;
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** The title of the page that was drawn last; the build writes it into the file of that page. */
export function readDrawnTitle(): string {
  return drawn;
}
