const MARKED = '#content :is([data-problem], [aria-invalid="true"])';
/** A tab or the canvas may have to be drawn first. */
const LONGEST_WAIT_MS = 3_000;

/**
 * Opens the next place that is marked as missing or wrong, and gives it the focus: of list, canvas or settings, whichever is shown.
 * Pressed again, it goes on to the next place, and behind the last to the first.
 */
export function showNextProblem(): void {
  const until = performance.now() + LONGEST_WAIT_MS;
  const look = (): void => {
    // A field that is wrong stands inside of its step or trigger.
    const places = [...document.querySelectorAll<HTMLElement>(MARKED)].filter(
      (place) => place.hasAttribute('data-problem') || !place.closest('[data-problem]'),
    );
    const here = places.findIndex((place) => place.contains(shown));
    const next = places[(here + 1) % places.length];
    if (next) show(next);
    else if (performance.now() < until) requestAnimationFrame(look);
  };
  look();
}

/** What was shown last; the focus has moved to the button since. */
let shown: Element | null = null;

function show(place: HTMLElement): void {
  shown = place;
  const button = place.matches('button, input, textarea, [role="combobox"]')
    ? place
    : place.querySelector<HTMLElement>('button');
  if (place.hasAttribute('data-problem') && button?.ariaExpanded !== 'true') button?.click();
  // Its fields are drawn by then.
  requestAnimationFrame(() => {
    const field = place.querySelector<HTMLElement>('[aria-invalid="true"]') ?? button ?? place;
    // What has nothing to press is read out all the same.
    if (field === place && button === null) place.tabIndex = -1;
    field.focus({ preventScroll: true });
    place.scrollIntoView({ block: 'nearest' });
  });
}
