import type { MessageKey } from '../messages.ts';

/**
 * One filter of a list, said once: its part of the address, of the question to the server and of the toolbar follow, and
 * which of the rows on this device it leaves.
 */
export interface ListFilter<Row> {
  label: MessageKey;
  /** The choice that leaves nothing out. */
  all: MessageKey;
  values: readonly string[];
  /** Method, so that a filter may take its own values alone. */
  say(value: string): string;
  /** What a row has of it. */
  of(row: Row): string;
}

// The rows that a filter is about do not matter to who reads its choices.
type Filters = Record<string, Pick<ListFilter<never>, 'values'>>;
/** What is chosen of each filter, by its name. */
type Choices<Of extends Filters> = { [Name in keyof Of & string]: 'all' | Of[Name]['values'][number] };
type Chosen<Of extends Filters> = { [Name in keyof Of & string]?: Of[Name]['values'][number] };

/** The choices that an address holds. */
export function readFilters<Of extends Filters>(filters: Of, search: Record<string, unknown>): Choices<Of> {
  const choices = Object.entries(filters).map(([name, { values }]) => [
    name,
    values.find((value) => value === search[name]) ?? 'all',
  ]);
  return Object.fromEntries(choices) as Choices<Of>; // each name with one of its values
}

/** What of them leaves rows out, as the server is asked. */
export function chosenFilters<Of extends Filters>(filters: Of, choices: Choices<Of>): Chosen<Of> {
  const chosen = namesOf(filters).flatMap((name) => (choices[name] === 'all' ? [] : [[name, choices[name]]]));
  return Object.fromEntries(chosen) as Chosen<Of>;
}

/** Whether the server would keep the row. */
export function fitsFilters<Row, Of extends Record<string, ListFilter<Row>>>(
  filters: Of,
  choices: Choices<Of>,
  row: Row,
): boolean {
  return namesOf(filters).every(
    (name) => choices[name] === 'all' || filters[name]?.of(row) === choices[name],
  );
}

export function namesOf<Of extends Filters>(filters: Of): (keyof Of & string)[] {
  return Object.keys(filters);
}
