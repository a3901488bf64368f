import type { KeyboardEvent } from 'react';

type FieldKey = KeyboardEvent<HTMLElement> & { preventBaseUIHandler(): void };

/** Escape closes the list of a field. Where it is closed, Escape is for the dialog around it; the library would clear the field. */
export function keepOnEscape(event: FieldKey): void {
  if (event.key === 'Escape' && event.currentTarget.ariaExpanded !== 'true') event.preventBaseUIHandler();
}
