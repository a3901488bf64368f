import {
  customKeyOf,
  findMissingColumns,
  isCustomTarget,
  importLimits,
  readHeadings,
  type ImportColumn,
  type ImportMapping,
  type ImportTarget,
  type NamePart,
} from '@app/domain/contact-imports/contact-import';
import { findFieldByName, type CustomFieldRule } from '@app/domain/custom-fields/custom-field';
import { restoreCsvCell } from '@app/domain/contact-imports/csv-cell';
import {
  CsvRowTooLarge,
  openCsvReader,
  readCsvHeader,
  type CsvRow,
} from '@app/domain/contact-imports/csv-reader';
import type { FileColumns } from '@app/domain/contact-imports/failed-rows-file';
import { consentColumns, type ConsentColumn } from '@app/domain/contact-imports/import-consent';
import { JsonElementsError, splitJsonArray } from '@app/domain/contact-imports/json-elements';
import { ImportRefused } from './import-text.ts';

/** The values of one contact as the file has them, still unchecked. */
export type SourceRow = NamedCells & {
  /** The cells of the row, or the element of JSON. */
  asWritten: unknown;
  /** Values of custom fields, by their keys. */
  custom?: Record<string, unknown>;
  /** What the column or key is called that says who wants marketing. */
  consentIn?: string;
  /** More values than columns: some value stands in the wrong place. */
  hasExtraCells?: true;
  /** Its cells were parted as if quotes meant nothing. */
  wrongQuote?: CsvRow['problem'];
  /** Of a row with too many cells: what stands in the columns when they are counted from its end. */
  fromEnd?: NamedCells;
};

type NamedCells = Partial<Record<ImportColumn | NamePart | ConsentColumn, unknown>>;

/** A first line is far shorter; a longer text has some other fault, which is found at its place. */
const HEADER_CHARACTERS = 64 * 1024;
const ROWS_AT_ONCE = 1_000;

/**
 * Text that starts with { or [ is JSON, everything else CSV; rows come in groups as the text arrives. `onColumns` hears of the
 * columns of a CSV file before its first row.
 */
export async function* readImportRows(
  texts: AsyncIterable<string>,
  fields: readonly CustomFieldRule[],
  mapping: ImportMapping | undefined,
  onColumns: (columns: FileColumns) => void,
): AsyncGenerator<SourceRow[]> {
  const source = texts[Symbol.asyncIterator]();
  let start = '';
  while (start.trim() === '') {
    const { value, done } = await source.next();
    if (done) throw new ImportRefused('empty');
    start = value.replace(/^\ufeff/, '');
  }
  const rest = { [Symbol.asyncIterator]: () => source };
  yield* /^\s*[{[]/.test(start)
    ? readJson(start, rest, fields)
    : readCsv(start, rest, { fields, mapping, onColumns });
}

async function* readJson(
  start: string,
  rest: AsyncIterable<string>,
  fields: readonly CustomFieldRule[],
): AsyncGenerator<SourceRow[]> {
  const elements = splitJsonArray('contacts');
  const findConsent = rememberConsentKeys(fields);
  const push = (text: string) => elements.push(text).map((element) => asRow(element, fields, findConsent));
  try {
    yield push(start);
    for await (const text of rest) yield push(text);
    elements.end();
  } catch (error) {
    throw error instanceof JsonElementsError ? refuseJson(error) : error;
  }
}

type ConsentKeys = (values: object) => Pick<SourceRow, ConsentColumn | 'consentIn'>;

function asRow(element: unknown, fields: readonly CustomFieldRule[], findConsent: ConsentKeys): SourceRow {
  const values: Partial<Record<ImportColumn, unknown>> = Object(element);
  const { name, phone, email, tags, status } = values;
  const row: SourceRow = { name, phone, email, tags, status, ...findConsent(values), asWritten: element };
  if (fields.length > 0) row.custom = readCustom(values, fields);
  return row;
}

const MOST_SHAPES = 100;

/** What elements say about marketing, by whatever key; those of one file mostly have the same keys. */
function rememberConsentKeys(fields: readonly CustomFieldRule[]): ConsentKeys {
  const shapes = new Map<string, [string, ConsentColumn][]>();
  return (values) => {
    const keys = Object.keys(values);
    const shape = keys.join('\n');
    const known = shapes.get(shape) ?? Object.entries(readHeadings(keys, fields)).filter(isConsentEntry);
    if (shapes.size < MOST_SHAPES) shapes.set(shape, known);
    const named = new Map(Object.entries(values));
    const [consentIn] = known.find(([, column]) => column === 'consent') ?? [];
    const said = Object.fromEntries(known.map(([key, column]) => [column, named.get(key)]));
    return consentIn === undefined ? said : { ...said, consentIn };
  };
}

function isConsentEntry(entry: [string, ImportTarget]): entry is [string, ConsentColumn] {
  return consentColumns.some((column) => column === entry[1]);
}

/** As our own export has them, in an object of their own, or beside the other values; by key or by label. */
function readCustom(values: object, fields: readonly CustomFieldRule[]): Record<string, unknown> {
  const own: unknown = 'customFields' in values ? values.customFields : undefined;
  const custom: Record<string, unknown> = {};
  for (const [name, value] of [...Object.entries(values), ...Object.entries(Object(own))]) {
    const field = findFieldByName(fields, name);
    if (field) custom[field.key] = value;
  }
  return custom;
}

const JSON_PROBLEMS = {
  'not-an-array': 'not_an_array',
  'too-deep': 'json_too_deep',
  'too-long': 'json_too_long',
  unfinished: 'json_unfinished',
  malformed: 'json_malformed',
} as const;

export function refuseJson({ problem, line }: JsonElementsError): ImportRefused {
  return new ImportRefused(JSON_PROBLEMS[problem], { line });
}

type CsvChoices = {
  fields: readonly CustomFieldRule[];
  mapping: ImportMapping | undefined;
  onColumns: (columns: FileColumns) => void;
};

async function* readCsv(
  start: string,
  rest: AsyncIterable<string>,
  { fields, mapping, onColumns }: CsvChoices,
): AsyncGenerator<SourceRow[]> {
  const header = await readStart(start, rest);
  const reader = openCsvReader({
    delimiter: header.delimiter,
    cells: importLimits.cellsOfRow,
    characters: importLimits.charactersOfRow,
  });
  let columns: Column[] | undefined;
  let consentIn: string | undefined;
  async function* take(read: () => CsvRow[]): AsyncGenerator<SourceRow[]> {
    const rows = readOrRefuse(read);
    const first = columns ? undefined : rows.shift();
    if (first) {
      columns = readHeader(first, fields, mapping);
      consentIn = first.cells[columns.indexOf('consent')];
      onColumns({ headings: first.cells, delimiter: header.delimiter });
    }
    // A large file arrives faster than it is read, and behind a quote that nobody closed many rows come at once: others get their turn.
    for (let from = 0; from === 0 || from < rows.length; from += ROWS_AT_ONCE) {
      const some = rows.slice(from, from + ROWS_AT_ONCE).filter((row) => !isBlank(row));
      yield some.map((row) => nameRow(row, columns!, consentIn)); // set with the first row
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  yield* take(() => reader.push(header.text));
  for await (const text of rest) yield* take(() => reader.push(text));
  yield* take(() => reader.end());
  if (!columns) throw new ImportRefused('empty');
}

function readOrRefuse(read: () => CsvRow[]): CsvRow[] {
  try {
    return read();
  } catch (problem) {
    throw problem instanceof CsvRowTooLarge ? refuseLargeRow(problem) : problem;
  }
}

/** As much of the text as tells what separates its columns. */
async function readStart(start: string, rest: AsyncIterable<string>) {
  let text = start.trimStart();
  const source = rest[Symbol.asyncIterator]();
  for (;;) {
    const { delimiter, isWhole } = readCsvHeader(text);
    const next = isWhole || text.length > HEADER_CHARACTERS ? undefined : await source.next();
    if (!next || next.done)
      return { text: start.slice(0, start.length - start.trimStart().length) + text, delimiter };
    text += next.value;
  }
}

/** Undefined for a column that means nothing to us. */
type Column = ImportTarget | undefined;

function readHeader(
  { cells, line, problem }: CsvRow,
  fields: readonly CustomFieldRule[],
  mapping: ImportMapping | undefined,
): Column[] {
  if (problem) throw new ImportRefused(`header_${problem}`, { line });
  for (const key of Object.values(mapping ?? {})
    .filter(isCustomTarget)
    .map(customKeyOf))
    if (!fields.some((field) => field.key === key)) throw new ImportRefused('field_gone', { key });
  const seen = new Set<ImportTarget>();
  const meaning = mapping ?? readHeadings(cells, fields);
  const columns = cells.map((cell) => {
    const name = Object.hasOwn(meaning, cell) && meaning[cell];
    if (!name || seen.has(name)) return undefined;
    seen.add(name);
    return name;
  });
  const missing = findMissingColumns(seen);
  if (missing.length > 0) throw new ImportRefused('missing_columns', { columns: missing.join(',') });
  return columns;
}

/** Spreadsheets write `;;;;` for rows that somebody emptied. */
function isBlank({ cells, problem }: CsvRow): boolean {
  return !problem && cells.every((cell) => cell.trim() === '');
}

function nameRow({ cells, problem }: CsvRow, columns: Column[], consentIn: string | undefined): SourceRow {
  const asWritten = cells.map(restoreCsvCell);
  const values = problem ? asWritten.map((value) => value.replaceAll('"', '').trim()) : asWritten;
  const row: SourceRow = { ...nameCells(values, columns), asWritten };
  if (consentIn !== undefined) row.consentIn = consentIn;
  if (problem) row.wrongQuote = problem;
  if (cells.slice(columns.length).some((cell) => cell.trim() !== '')) {
    row.hasExtraCells = true;
    row.fromEnd = nameCells(values.slice(-columns.length), columns);
  }
  return row;
}

function nameCells(values: readonly string[], columns: Column[]): Omit<SourceRow, 'asWritten'> {
  const row: Omit<SourceRow, 'asWritten'> = {};
  const custom: Record<string, unknown> = {};
  columns.forEach((column, index) => {
    if (!column) return;
    const value = values[index] ?? '';
    if (isCustomTarget(column)) {
      custom[customKeyOf(column)] = value;
      row.custom = custom;
    } else row[column] = value;
  });
  return row;
}

function refuseLargeRow({ problem, line }: CsvRowTooLarge): ImportRefused {
  return problem === 'cells'
    ? new ImportRefused('too_many_cells', { line, most: importLimits.cellsOfRow })
    : new ImportRefused('row_too_long', { line });
}
