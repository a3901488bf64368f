import type { PageShortcut } from '../../../shared/actions/page-shortcuts.ts';

import type { Direction } from './canvas-layout.ts';

/** What keys do on the canvas; the panel of keys and the list of the page name them. */
export const canvasShortcuts: readonly PageShortcut[] = [
  ['canvas.key.move', ['←', '↑', '→', '↓']],
  ['canvas.key.open', ['Enter']],
  ['canvas.key.back', ['Esc']],
  ['canvas.key.add', ['A']],
  ['canvas.key.connect', ['T']],
  ['canvas.key.select', ['Space']],
  ['canvas.key.selectAll', ['Ctrl', 'A']],
  ['canvas.key.copy', ['Ctrl', 'C']],
  ['canvas.key.cut', ['Ctrl', 'X']],
  ['canvas.key.paste', ['Ctrl', 'V']],
  ['canvas.key.delete', ['Del']],
  ['automation.undo', ['Ctrl', 'Z']],
  ['automation.redo', ['Ctrl', 'Shift', 'Z']],
  ['canvas.key.fit', ['F']],
];

const directions: Record<string, Direction | undefined> = {
  ...{ ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' },
};

/** Where an arrow key leads; with another key held it is no move. */
export function directionOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): Direction | undefined {
  return ctrlKey || metaKey || altKey ? undefined : directions[key];
}

/** `a`, `Enter`, `mod+a` with Ctrl or Cmd. */
export function keyOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string {
  const name = key.length === 1 ? key.toLowerCase() : key;
  return `${altKey ? 'alt+' : ''}${ctrlKey || metaKey ? 'mod+' : ''}${name}`;
}
