const ITEM = '[role="row"], [role="option"], [role="listitem"], li, tr';
const FOCUSABLE =
  'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex]:not([tabindex="-1"])';
const MOST_REMEMBERED = 20;

/** Where an element stood that went away. */
type Place = { removed: Element; parent: Element; next: Element | null; index: number };

/**
 * What goes away with the focus in it (a deleted row, a notification, a button that becomes progress) would leave the keyboard
 * at the top of the document. The focus then goes to what took the place: the next row, the same control drawn anew, else the
 * part around it; from a dialog or a notification back to where it was before.
 */
export function keepFocus(): void {
  let focused: Element | undefined;
  /** Where the focus has been, newest last. */
  let trail: (Element | Place)[] = [];

  document.addEventListener('focusin', remember);
  document.addEventListener('focusout', forgetWhatWasLeft);
  const observer = new MutationObserver(follow);
  observer.observe(document.body, { childList: true, subtree: true });

  function remember({ target }: FocusEvent): void {
    if (!(target instanceof Element)) return;
    focused = target;
    trail = [...trail.filter((entry) => entry !== target), target].slice(-MOST_REMEMBERED);
  }

  /** A press beside it means to leave it. Some browsers tell the same of an element that is being removed. */
  function forgetWhatWasLeft({ target, relatedTarget }: FocusEvent): void {
    if (relatedTarget !== null) return;
    queueMicrotask(() => {
      if (focused === target && focused?.isConnected && document.activeElement !== focused)
        focused = undefined;
    });
  }

  function follow(records: readonly MutationRecord[]): void {
    if (trail.every((entry) => !(entry instanceof Element) || entry.isConnected)) return;
    trail = trail.flatMap((entry) =>
      entry instanceof Element && !entry.isConnected ? (findPlace(entry, records) ?? []) : [entry],
    );
    if (!focused || focused.isConnected) return;
    focused = undefined;
    // Dialogs and menus give the focus back themselves, if they can.
    requestAnimationFrame(() => requestAnimationFrame(giveBack));
  }

  function giveBack(): void {
    // What has just been opened takes the focus by itself.
    const isOpening = document.querySelector('[role="menu"]') !== null;
    if (document.activeElement !== document.body || isOpening) return;
    for (const entry of trail.toReversed()) {
      const found = entry instanceof Element ? entry : findAt(entry);
      if (found instanceof HTMLElement && isReachable(found)) return found.focus({ preventScroll: true });
    }
    startOfPage()?.focus({ preventScroll: true });
  }
}

/** Nothing is left where it was: the heading says where one is now. */
function startOfPage(): HTMLElement | null {
  const heading = document.querySelector<HTMLElement>('#content h1');
  if (heading) heading.tabIndex = -1;
  return heading ?? document.querySelector<HTMLElement>('#content');
}

function findPlace(element: Element, records: readonly MutationRecord[]): Place | undefined {
  for (const { target, removedNodes, nextSibling } of records)
    for (const removed of removedNodes)
      if (removed instanceof Element && removed.contains(element) && target instanceof Element) {
        const next = nextSibling instanceof Element ? nextSibling : null;
        const index = next ? [...target.children].indexOf(next) : target.children.length;
        return { removed, parent: target, next, index };
      }
  return undefined;
}

function findAt({ removed, parent, next, index }: Place): Element | undefined {
  const inPlace = parent.children[index];
  const successors = removed.matches(ITEM)
    ? [next, inPlace, parent.lastElementChild]
    : [inPlace?.tagName === removed.tagName ? inPlace : null];
  for (const successor of successors) {
    const found = successor ? focusableOf(successor) : undefined;
    if (found) return found;
  }
  for (let around: Element | null = parent; around; around = around.parentElement)
    if (around.hasAttribute('tabindex') && isReachable(around))
      return around.id === 'content' ? (startOfPage() ?? around) : around;
  return undefined;
}

function focusableOf(element: Element): Element | undefined {
  if (element.matches(`${FOCUSABLE}, [tabindex]`) && isReachable(element)) return element;
  return [...element.querySelectorAll(FOCUSABLE)].find(isReachable);
}

function isReachable(element: Element): boolean {
  return (
    element.isConnected && !element.closest('[inert], [data-notifications]') && element.checkVisibility()
  );
}
