import { stillNeeded } from '../../shared/actions/still-needed.ts';
import { loadMessages, t } from '../../shared/messages.ts';
import { notify } from '../../ui/toast.ts';

const PRIMARY = 'button[type="submit"], button[data-variant="primary"]';
const REQUIRED = '[required], [aria-required="true"]';
const OVER_PAGE = '[role="dialog"], [role="alertdialog"]';

/**
 * Ctrl/Cmd+Enter: presses the one button that the dialog on top, else the form around the focus, is for. One that cannot be pressed
 * says why. Where several could be meant, or it waits, nothing happens; what deletes is confirmed by itself.
 */
export function pressPrimary(target: EventTarget | null): boolean {
  const place = placeOf(target);
  if (!place) return false;
  const found = new Set([...place.querySelectorAll<HTMLButtonElement>(PRIMARY), ...submitsOf(place)]);
  const [button, other] = [...found].filter((one) => one.checkVisibility?.() !== false);
  if (!button || other || button.ariaDisabled === 'true') return false;
  if (button.disabled) {
    void sayWhyNot(button, place);
    return true;
  }
  // What is kept when its field is left, is kept first.
  button.focus();
  button.click();
  return true;
}

/** What the button itself says, else which fields are still empty; the first of them takes the focus. */
async function sayWhyNot(button: HTMLButtonElement, place: Element): Promise<void> {
  const empty = [...place.querySelectorAll<HTMLElement>(REQUIRED)].filter(isEmpty);
  empty[0]?.focus();
  await loadMessages('palette');
  const fields = empty.flatMap((field) => labelOf(field) ?? []);
  notify.info(reasonOf(button) || (fields.length > 0 ? stillNeeded(...fields) : t('palette.notReady')));
}

/** What stands beside the button as its description. */
function reasonOf(button: HTMLButtonElement): string {
  const described = button.getAttribute('aria-describedby');
  return (described && document.getElementById(described)?.textContent) || button.title;
}

function isEmpty(field: HTMLElement): boolean {
  return 'value' in field && field.matches('input, textarea, select')
    ? field.value === ''
    : field.matches('[data-placeholder], :has([data-placeholder])');
}

function labelOf(field: HTMLElement): string | undefined {
  const [label] = 'labels' in field ? (field.labels as NodeListOf<HTMLLabelElement>) : [];
  const named = label ?? document.getElementById(field.getAttribute('aria-labelledby') ?? '');
  return named?.textContent.trim() || field.ariaLabel || undefined;
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
