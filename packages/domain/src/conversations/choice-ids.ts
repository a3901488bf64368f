/** What people tap in a message: its buttons, or the rows of its list. */
type Choice = { id?: string | undefined };

/** As long as every channel takes one. */
export const LONGEST_CHOICE_ID = 200;

/** The ids under which taps come back: those that the caller chose, and for the others one by their place. */
export function buttonIds(buttons: readonly Choice[]): string[] {
  return buttons.map(({ id }, place) => id ?? `button-${place + 1}`);
}

/** The same for a list, by section. */
export function rowIds(sections: readonly { rows: readonly Choice[] }[]): string[][] {
  return sections.map(({ rows }, section) =>
    rows.map(({ id }, place) => id ?? `row-${section + 1}-${place + 1}`),
  );
}

/** A tap is told apart by its id alone. */
export function areDifferent(ids: readonly string[]): boolean {
  return new Set(ids).size === ids.length;
}
