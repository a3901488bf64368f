import { findFieldByName, type CustomFieldRule } from '../custom-fields/custom-field.ts';
import { consentColumns, readConsentHeading, sortByConsent, type ConsentColumn } from './import-consent.ts';
import {
  findOtherName,
  countryColumn,
  importColumns,
  isAddress,
  isLongNumber,
  looksLikeData,
  nameParts,
  REASON_HEADING,
  type CountryColumn,
  type ImportColumn,
  type NamePart,
} from './import-headings.ts';

/** A column of ours, a part of the name, a number for rows without the first one, what was said about marketing, or a custom field by its key. */
export type ImportTarget =
  | ImportColumn
  | NamePart
  | CountryColumn
  | 'otherPhone'
  | ConsentColumn
  | `custom:${string}`;

/** What the columns of a file mean: by the heading as the file has it, or one after the other; null is ignored. */
export type ImportMapping = Readonly<Record<string, ImportTarget>> | readonly (ImportTarget | null)[];

type NamedField = Pick<CustomFieldRule, 'key' | 'label'>;

const mappedColumns = [
  ...importColumns,
  ...nameParts,
  countryColumn,
  'otherPhone',
  ...consentColumns,
] as const;

/** What may stand in several columns: further numbers, and further columns that say who does not want marketing. */
export const severalTargets: ReadonlySet<ImportTarget> = new Set<ImportTarget>(['otherPhone', 'optOut']);

/**
 * What a heading means by itself: a column of ours, a custom field by key or label, or what people said about marketing, which
 * must not be passed over.
 */
function readHeading(heading: string, fields: readonly NamedField[]): ImportTarget | undefined {
  const word = heading.trim().toLowerCase();
  const field = findFieldByName(fields, heading);
  const column = importColumns.find((known) => known === word);
  // A business may have kept the language in a field of its own before contacts had one.
  if (column === 'language' && field) return `custom:${field.key}`;
  return column ?? (field ? `custom:${field.key}` : readConsentHeading(heading));
}

/** What the headings mean by themselves; the first of two that mean the same wins. */
export function readHeadings(
  headings: readonly string[],
  fields: readonly NamedField[],
): Readonly<Record<string, ImportTarget>> {
  const mapping: Record<string, ImportTarget> = {};
  for (const heading of sortByConsent(headings)) {
    const target = readHeading(heading, fields);
    if (target && (severalTargets.has(target) || !Object.values(mapping).includes(target)))
      mapping[heading] = target;
  }
  return mapping;
}

/**
 * A first guess at what each column means. The first of two that mean the same wins, but for numbers: the one that messages reach
 * most likely is the number, and the others stand in where it is empty.
 */
export function guessMapping(
  headings: readonly string[],
  fields: readonly NamedField[],
): (ImportTarget | null)[] {
  const known = readHeadings(headings, fields);
  const guess: (ImportTarget | null)[] = headings.map(() => null);
  const phones: { at: number; rank: number }[] = [];
  const place = (at: number, target: ImportTarget) => {
    if (severalTargets.has(target) || !guess.includes(target)) guess[at] = target;
  };
  const others = headings.map((heading) => (heading === REASON_HEADING ? undefined : findOtherName(heading)));
  for (const [at, heading] of headings.entries()) {
    const target = Object.hasOwn(known, heading) ? known[heading] : undefined;
    if (target && target !== 'phone') place(at, target);
    else if (others[at]?.column === 'phone') phones.push({ at, rank: others[at].rank });
  }
  for (const [at, other] of others.entries())
    if (other && other.column !== 'phone' && guess[at] === null) place(at, other.column);
  const [first, ...rest] = phones.toSorted((one, another) => one.rank - another.rank);
  if (first) guess[first.at] = 'phone';
  for (const { at } of rest) guess[at] = 'otherPhone';
  return settleName(guess);
}

/** A name beside a first name alone is the last name, as “Nom” beside “Prénom”; beside a last name alone the first one, as “Nombre” beside “Apellidos”. */
function settleName(guess: (ImportTarget | null)[]): (ImportTarget | null)[] {
  const [hasFirst, hasLast] = ['firstName' as const, 'lastName' as const].map((part) => guess.includes(part));
  if (hasFirst === hasLast) return guess;
  return guess.map((target) => (target === 'name' ? (hasFirst ? 'lastName' : 'firstName') : target));
}

/** What stands in each column, by its place: each target once, but for further numbers. */
export function placeTargets(
  headings: readonly string[],
  mapping: ImportMapping,
): (ImportTarget | undefined)[] {
  const seen = new Set<ImportTarget>();
  return headings.map((heading, at) => {
    const target = isByPlace(mapping)
      ? mapping[at]
      : Object.hasOwn(mapping, heading)
        ? mapping[heading]
        : undefined;
    if (!target || (seen.has(target) && !severalTargets.has(target))) return undefined;
    seen.add(target);
    return target;
  });
}

export function isByPlace(mapping: ImportMapping): mapping is readonly (ImportTarget | null)[] {
  return Array.isArray(mapping);
}

/** All that a mapping names. */
export function targetsOf(mapping: ImportMapping): ImportTarget[] {
  return Object.values<ImportTarget | null>(mapping).filter((target) => target !== null);
}

/** What a contact must have and these columns do not tell. */
export function findMissingColumns(targets: Iterable<ImportTarget | null | undefined>): ('name' | 'phone')[] {
  const known = new Set(targets);
  const tells = {
    name: known.has('name') || nameParts.some((part) => known.has(part)),
    phone: known.has('phone') || known.has('otherPhone'),
  };
  return (['name', 'phone'] as const).filter((column) => !tells[column]);
}

/** A target as the mapping of a caller has it; undefined for anything else. */
export function readTarget(text: unknown): ImportTarget | undefined {
  if (typeof text !== 'string') return undefined;
  const column = mappedColumns.find((known) => known === text);
  if (column) return column;
  const [, key] = /^custom:(\w+)$/.exec(text) ?? [];
  return key === undefined ? undefined : `custom:${key}`;
}

export function isCustomTarget(target: ImportTarget): target is `custom:${string}` {
  return target.startsWith('custom:');
}

/** The key of the custom field that a column fills. */
export function customKeyOf(target: `custom:${string}`): string {
  return target.slice('custom:'.length);
}

/** The same of a file without headings, by what stands in its columns. */
export function guessByValues(rows: readonly (readonly string[])[]): (ImportTarget | null)[] {
  const width = Math.max(0, ...rows.map((cells) => cells.length));
  const kinds = Array.from({ length: width }, (_, at) => kindOf(rows.map((cells) => cells[at] ?? '')));
  return kinds.map((kind, at) =>
    kind === 'phone' && kinds.indexOf('phone') < at
      ? 'otherPhone'
      : kind !== null && kinds.indexOf(kind) === at
        ? kind
        : null,
  );
}

function kindOf(values: readonly string[]): 'name' | 'phone' | 'email' | null {
  const written = values.map((value) => value.trim()).filter((value) => value !== '');
  const most = (is: (value: string) => boolean) => written.filter(is).length * 2 > written.length;
  if (most(isAddress)) return 'email';
  if (most(isLongNumber)) return 'phone';
  return most((value) => /\p{L}{2}/u.test(value) && !/\d/.test(value)) ? 'name' : null;
}

/** So many rows may stand above the headings. */
const MOST_ABOVE = 8;

/**
 * Where the headings stand: the first row, unless it says nothing of a table, such as the title of a report, and a row below it names what contacts have.
 */
export function findHeadingRow(rows: readonly (readonly string[])[], fields: readonly NamedField[]): number {
  const known = (cells: readonly string[]) =>
    guessMapping(cells, fields).filter((target) => target !== null).length;
  const [first = []] = rows;
  const filled = (cells: readonly string[]) => cells.filter((cell) => cell.trim() !== '').length;
  if (known(first) > 0 || looksLikeData(first)) return 0;
  const at = rows.slice(0, MOST_ABOVE + 1).findIndex((cells, place) => {
    const missing = findMissingColumns(guessMapping(cells, fields));
    return place > 0 && missing.length === 0 && filled(cells) > filled(first);
  });
  const isBelow = at > 0 && !rows.slice(0, at).some((cells) => looksLikeData(cells));
  return isBelow ? at : 0;
}
