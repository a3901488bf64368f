import { useLayoutEffect, useRef } from 'react';
import { repeatEarlyPress } from '../../shared/sign-in/early-input.ts';

/** Ctrl/Cmd+K opens the palette, `/` focuses the page's search, `?` lists the shortcuts. */
export function useShortcuts(actions: { onPalette: () => void; onHelp: () => void }): void {
  const latest = useRef(actions);
  useLayoutEffect(() => {
    latest.current = actions;
  });
  // Before the page is painted: who sees it may press a key at once.
  useLayoutEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey) {
        event.preventDefault();
        latest.current.onPalette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === '?') latest.current.onHelp();
      else if (event.key === '/') {
        const search = document.querySelector<HTMLInputElement>('[data-page-search]');
        search?.focus();
        search?.select();
      } else return;
      event.preventDefault();
    }
    addEventListener('keydown', onKeyDown);
    repeatEarlyPress();
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  );
}
