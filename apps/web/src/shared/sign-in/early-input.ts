/**
 * Pages stand in the HTML: they can be typed into, filled by the browser and pressed before their script is there. The first
 * drawing takes over what was typed, and then the press counts.
 */
let found: FormData | undefined;

declare global {
  interface Window {
    /** Of `public/theme.js`: the last press on a button or on the keys of the palette; from then on it keeps none. */
    takeEarlyPress?: () => Event | undefined;
  }
}

/** Draws over the page's form without losing what stands in its fields, then lets an early press count. */
export function takeOver(root: Element, draw: () => void): void {
  renderAnew(root, draw);
  repeatEarlyPress();
}

/** Draws other elements in the place of the page's, which keep what stands in the form, and the focus where it has a name. */
export function renderAnew(root: Element, draw: () => void): void {
  const form = root.querySelector('form');
  const focused = document.activeElement?.id;
  if (form) found = new FormData(form);
  draw();
  // The next page begins empty.
  found = undefined;
  if (focused) document.getElementById(focused)?.focus();
}

/** Repeats a press that nobody heard. */
export function repeatEarlyPress(): void {
  const press = window.takeEarlyPress?.();
  if (press instanceof KeyboardEvent) document.body.dispatchEvent(new KeyboardEvent(press.type, press));
  else if (press?.target instanceof Element && press.target.isConnected)
    press.target.closest('button')?.click();
}

/** What stood in the field of this name; empty for none and for a box that is not ticked. */
export function readEarlyInput(name: string): string {
  const value = found?.get(name);
  return typeof value === 'string' ? value : '';
}
