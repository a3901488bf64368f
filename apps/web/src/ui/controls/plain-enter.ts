import type { KeyboardEvent } from 'react';

/** Enter for the control that has the focus; with Ctrl or Cmd it is for the form around it, and saves. */
export function isPlainEnter({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === 'Enter' && !ctrlKey && !metaKey;
}
