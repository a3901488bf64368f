/**
 * The guards at the ends of a popup hand the focus on, and are hidden from screen readers though they can have it
 * (https://www.w3.org/WAI/standards-guidelines/act/rules/6cfa84/proposed/). Shown, they are as empty as before. A `ref` of the
 * popup: around what opens it they appear a moment after it.
 */
export function showFocusGuards(popup: HTMLElement | null): (() => void) | undefined {
  if (!popup) return undefined;
  const show = () => {
    for (const guard of document.querySelectorAll('[data-base-ui-focus-guard][aria-hidden]'))
      guard.removeAttribute('aria-hidden');
  };
  show();
  const observer = new MutationObserver(show);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => observer.disconnect();
}
