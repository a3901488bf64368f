import { useRouter } from '@tanstack/react-router';
import { useLayoutEffect, useRef } from 'react';
import { repeatEarlyPress } from '../../shared/sign-in/early-input.ts';
import { loadFile } from '../../ui/load-file.ts';
import { firstKeys } from './first-keys.ts';

/** Long enough that what the page shows first is there. */
const QUIET_MS = 1_500;
/** What was pressed before the keys are there counts for so long. */
const EARLY_KEYS_MS = 3_000;

/** Ctrl/Cmd+K opens the palette, `/` focuses the page's search, `?` lists the shortcuts; `page-keys.ts` brings the others. */
export function useShortcuts(actions: { onPalette: () => void; onHelp: () => void }): void {
  const latest = useRef(actions);
  useLayoutEffect(() => {
    latest.current = actions;
  });
  // Before the page is painted: who sees it may press a key at once.
  useLayoutEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const key = event.key.toLowerCase();
      if (key === firstKeys.palette && (event.ctrlKey || event.metaKey) && !event.shiftKey) {
        event.preventDefault();
        latest.current.onPalette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event.target)) return;
      if (key === firstKeys.help) latest.current.onHelp();
      else if (key === firstKeys.search) {
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
  usePageKeys();
}

/** The keys that the first view can do without come once it is quiet, or with the first of them, which count. */
function usePageKeys(): void {
  const router = useRouter();
  useLayoutEffect(() => {
    const early: KeyboardEvent[] = [];
    let isGone = false;
    let isAsked = false;
    let end = () => {
      clearTimeout(quiet);
      removeEventListener('keydown', keep);
    };
    async function begin() {
      if (isAsked) return;
      isAsked = true;
      const { followKeys } = await loadFile(() => import('./page-keys.ts'));
      end();
      if (!isGone) end = followKeys(router, early.filter(isRecent));
    }
    /** Two keys in a row are faster than a file. */
    function keep(event: KeyboardEvent) {
      early.push(event);
      void begin();
    }
    const quiet = setTimeout(() => void begin(), QUIET_MS);
    addEventListener('keydown', keep);
    return () => {
      isGone = true;
      end();
    };
  }, [router]);
}

/** Without a connection the file may come much later. */
function isRecent({ timeStamp }: KeyboardEvent): boolean {
  return performance.now() - timeStamp < EARLY_KEYS_MS;
}

/** Typed into a field, or pressed in what lies over the page. */
function isElsewhere(target: EventTarget | null): boolean {
  return (
    (target instanceof HTMLElement &&
      (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))) ||
    document.querySelector('[role="dialog"], [role="alertdialog"]') !== null
  );
}
