import { useEffect } from 'react';
import type { MessageKey } from '../messages.ts';

/** What a key does on the page that is shown; the list of keys names it. */
export type PageShortcut = readonly [label: MessageKey, keys: readonly string[]];

let shown: readonly PageShortcut[] = [];

export function pageShortcuts(): readonly PageShortcut[] {
  return shown;
}

/** Tells the list of keys what the page understands; `shortcuts` stands outside of the component. */
export function usePageShortcuts(shortcuts: readonly PageShortcut[]): void {
  useEffect(() => {
    shown = shortcuts;
    return () => {
      shown = [];
    };
  }, [shortcuts]);
}

/** Whether a key belongs to what has the focus, or to a dialog or menu that lies over the page. */
export function isKeyTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing)
    return true;
  const { target } = event;
  if (document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]'))
    return true;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  );
}
