const HELD = 'button, [role=menuitem]';
const PRESSABLE = 'button, a, label, input, [role]';

/**
 * The second half of a double click presses nothing that came in place of what the first half pressed: a dialog that closed
 * at once must not hand it to the page below, nor Pause to the Resume that it became.
 */
export function guardSecondHalf(page: Document): void {
  let first: { element: Element; text: string | null } | null = null;
  page.addEventListener(
    'click',
    (event) => {
      const isSecondHalf = event.detail > 1 && first !== null;
      if (isSecondHalf && (!first?.element.isConnected || first.element.textContent !== first.text)) {
        event.preventDefault();
        event.stopImmediatePropagation();
        return;
      }
      const { target } = event;
      const element = target instanceof Element ? (target.closest(PRESSABLE) ?? target) : null;
      first = element && { element, text: element.textContent };
    },
    { capture: true },
  );
}

/**
 * Enter that is held down presses once: what comes in its place under the focus, a dialog's button or the Pause that Start became, waits
 * for a press of its own.
 */
export function guardHeldEnter(page: Document): void {
  page.addEventListener(
    'keydown',
    (event) => {
      const { key, repeat, target } = event;
      if (!repeat || key !== 'Enter' || !(target instanceof Element) || !target.matches(HELD)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    { capture: true },
  );
}
