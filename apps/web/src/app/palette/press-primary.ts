const PRIMARY = 'button[type="submit"], button[data-variant="primary"]';
const OVER_PAGE = '[role="dialog"], [role="alertdialog"]';

/**
 * Ctrl/Cmd+Enter: presses the one button that the dialog on top, else the form around the focus, is for. Where several could be
 * meant, or it waits, nothing happens; what deletes is confirmed by itself.
 */
export function pressPrimary(target: EventTarget | null): boolean {
  const place = placeOf(target);
  if (!place) return false;
  const found = new Set([...place.querySelectorAll<HTMLButtonElement>(PRIMARY), ...submitsOf(place)]);
  const [button, other] = [...found].filter((one) => one.checkVisibility?.() !== false);
  if (!button || other || button.disabled || button.ariaDisabled === 'true') return false;
  // What is kept when its field is left, is kept first.
  button.focus();
  button.click();
  return true;
}

/** Something lies over the page. */
export function isCovered(): boolean {
  return document.querySelector(OVER_PAGE) !== null;
}

function placeOf(target: EventTarget | null): Element | null {
  const over = [...document.querySelectorAll(OVER_PAGE)].at(-1);
  if (over) return over;
  return target instanceof Element
    ? (target.closest('form') ?? document.querySelector('#content [data-step-footer]'))
    : null;
}

/** Those of a form that stand outside of it. */
function submitsOf(place: Element): HTMLButtonElement[] {
  return place instanceof HTMLFormElement && place.id
    ? [
        ...document.querySelectorAll<HTMLButtonElement>(
          `button[type="submit"][form="${CSS.escape(place.id)}"]`,
        ),
      ]
    : [];
}
