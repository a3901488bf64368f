/**
 * Public pages stand in the HTML: they can be typed into, filled by the browser and pressed before their script is there. Their
 * first drawing takes over what was typed, and then the press counts.
 */
let found: FormData | undefined;

declare global {
  interface Window {
    /** Of `public/theme.js`: the button that was pressed last; from then on nothing is held back. */
    takeEarlyPress?: () => HTMLButtonElement | undefined;
  }
}

/** Draws over the page's form without losing what stands in its fields, then repeats a press that nobody heard. */
export function takeOver(root: Element, draw: () => void): void {
  const form = root.querySelector('form');
  if (form) found = new FormData(form);
  draw();
  // The next page begins empty.
  found = undefined;
  const pressed = window.takeEarlyPress?.();
  if (pressed?.isConnected) pressed.click();
}

/** What stood in the field of this name; empty for none and for a box that is not ticked. */
export function readEarlyInput(name: string): string {
  const value = found?.get(name);
  return typeof value === 'string' ? value : '';
}
