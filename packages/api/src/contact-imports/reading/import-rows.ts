import { restoreCsvCell, type CsvDelimiter } from '@app/domain/contact-imports/csv-cell';
import {
  CsvRowTooLarge,
  openCsvReader,
  readCsvHeader,
  type CsvRow,
} from '@app/domain/contact-imports/csv-reader';
import { importLimits } from '@app/domain/contact-imports/contact-import';
import type { FileColumns } from '@app/domain/contact-imports/failed-rows-file';
import { UNREADABLE } from '@app/domain/contact-imports/file-letters';
import {
  customKeyOf,
  findHeadingRow,
  guessMapping,
  findMissingColumns,
  isByPlace,
  isCustomTarget,
  placeTargets,
  readHeadings,
  targetsOf,
  type ImportMapping,
  type ImportTarget,
} from '@app/domain/contact-imports/import-mapping';
import type { CustomFieldRule } from '@app/domain/custom-fields/custom-field';
import { ImportRefused } from './import-text.ts';
import { readJson } from './json-rows.ts';
import { cardHeadings, isVCard, readVCards } from './vcard-rows.ts';
import type { SourceRow } from './source-row.ts';

/** What says how the rows of a file are read. */
export type RowReading = {
  fields: readonly CustomFieldRule[];
  mapping?: ImportMapping | undefined;
  /** The first row is a contact already, and the mapping goes by place. */
  isHeadless?: boolean | undefined;
  /** Hears of the columns before the first row. */
  onColumns: (columns: FileColumns) => void;
};

/** A first line is far shorter; a longer text has some other fault, which is found at its place. */
const HEADER_CHARACTERS = 64 * 1024;
const ROWS_AT_ONCE = 1_000;

/** Text that starts with { or [ is JSON, everything else CSV; rows come in groups as the text arrives. */
export async function* readImportRows(
  texts: AsyncIterable<string>,
  reading: RowReading,
): AsyncGenerator<SourceRow[]> {
  const source = texts[Symbol.asyncIterator]();
  let start = '';
  while (start.trim() === '') {
    const { value, done } = await source.next();
    if (done) throw new ImportRefused('empty');
    start = value.replace(/^\ufeff/, '');
  }
  const rest = { [Symbol.asyncIterator]: () => source };
  if (/^\s*[{[]/.test(start)) return yield* readJson(start, rest, reading);
  if (isVCard(start))
    return yield* nameRows(readVCards(startOver(start, rest)), {
      ...reading,
      mapping: mappingOfCards(reading),
      delimiter: ',',
    });
  const header = await readStart(start, rest);
  yield* nameRows(skipTitles(readCsv(header, rest), reading), { ...reading, delimiter: header.delimiter });
}

async function* startOver(start: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield start;
  yield* rest;
}

/** Cards say themselves what they hold. */
function mappingOfCards({ mapping, fields }: RowReading): ImportMapping {
  return mapping ?? guessMapping(cardHeadings, fields);
}

async function* readCsv(
  header: { text: string; delimiter: CsvDelimiter; linesBefore: number },
  rest: AsyncIterable<string>,
): AsyncGenerator<CsvRow[]> {
  const reader = openCsvReader({
    delimiter: header.delimiter,
    cells: importLimits.cellsOfRow,
    characters: importLimits.charactersOfRow,
    linesBefore: header.linesBefore,
  });
  yield reader.push(header.text);
  for await (const text of rest) yield reader.push(text);
  yield reader.end();
}

/** So many rows are looked at for the headings. */
const ROWS_ABOVE = 10;

/** Without what stands above the headings, such as the title of a report. */
export async function* skipTitles(
  groups: AsyncIterable<CsvRow[]>,
  { fields, isHeadless, mapping }: RowReading,
): AsyncGenerator<CsvRow[]> {
  let waiting: CsvRow[] | undefined = [];
  for await (const group of groups) {
    if (!waiting) yield group;
    else {
      const rows: CsvRow[] = waiting.length === 0 ? group : [...waiting, ...group];
      waiting = rows.filter((row) => !isBlank(row));
      if (waiting.length < ROWS_ABOVE) continue;
      yield cutAbove(waiting);
      waiting = undefined;
    }
  }
  if (waiting) yield cutAbove(waiting);

  function cutAbove(rows: CsvRow[]): CsvRow[] {
    const isNamed = mapping !== undefined && !isByPlace(mapping);
    if (isHeadless || isNamed || rows.some(({ problem }, at) => problem && at < ROWS_ABOVE)) return rows;
    return rows.slice(
      findHeadingRow(
        rows.slice(0, ROWS_ABOVE).map(({ cells }) => cells),
        fields,
      ),
    );
  }
}

/** The cells of each row by what their columns mean. */
export async function* nameRows(
  groups: AsyncIterable<CsvRow[]>,
  { delimiter, ...reading }: RowReading & { delimiter: CsvDelimiter },
): AsyncGenerator<SourceRow[]> {
  let columns: Column[] | undefined;
  let consentIn: string | undefined;
  try {
    for await (const group of groups) {
      const rows = group.filter((row) => !isBlank(row));
      const [first] = columns ? [] : rows;
      if (first) {
        const headings = reading.isHeadless ? nameColumns(first, reading) : first.cells;
        if (!reading.isHeadless) rows.shift();
        columns = readHeader({ ...first, cells: headings }, reading);
        consentIn = headings[columns.indexOf('consent')];
        reading.onColumns({ headings, delimiter });
      }
      // A large file arrives faster than it is read, and behind a quote that nobody closed many rows come at once: others get their turn.
      for (let from = 0; from === 0 || from < rows.length; from += ROWS_AT_ONCE) {
        yield rows.slice(from, from + ROWS_AT_ONCE).map((row) => nameRow(row, columns!, consentIn)); // set with the first row
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  } catch (problem) {
    throw problem instanceof CsvRowTooLarge ? refuseLargeRow(problem) : problem;
  }
  if (!columns) throw new ImportRefused('empty');
}

/** Of a file without headings: words that an import understands, so that its failed rows can be imported again. */
function nameColumns({ cells }: CsvRow, { mapping, fields }: RowReading): string[] {
  const targets = mapping && isByPlace(mapping) ? mapping : [];
  return Array.from({ length: Math.max(cells.length, targets.length) }, (_, at) => {
    const target = targets[at];
    if (!target) return `Column ${at + 1}`;
    if (!isCustomTarget(target)) return target;
    return fields.find(({ key }) => key === customKeyOf(target))?.label ?? customKeyOf(target);
  });
}

/** As much of the text as tells what separates its columns. */
async function readStart(start: string, rest: AsyncIterable<string>) {
  let text = start.trimStart();
  const source = rest[Symbol.asyncIterator]();
  for (;;) {
    const { delimiter, isWhole, from, linesBefore } = readCsvHeader(text);
    const next = isWhole || text.length > HEADER_CHARACTERS ? undefined : await source.next();
    if (!next || next.done)
      return {
        text: start.slice(0, start.length - start.trimStart().length) + text.slice(from),
        ...{ delimiter, linesBefore },
      };
    text += next.value;
  }
}

/** Undefined for a column that means nothing to us. */
type Column = ImportTarget | undefined;

function readHeader(
  { cells, line, problem }: CsvRow,
  { fields, mapping }: Pick<RowReading, 'fields' | 'mapping'>,
): Column[] {
  if (problem) throw new ImportRefused(`header_${problem}`, { line });
  for (const key of targetsOf(mapping ?? [])
    .filter(isCustomTarget)
    .map(customKeyOf))
    if (!fields.some((field) => field.key === key)) throw new ImportRefused('field_gone', { key });
  const columns = placeTargets(cells, mapping ?? readHeadings(cells, fields));
  const missing = findMissingColumns(columns);
  if (missing.length > 0) throw new ImportRefused('missing_columns', { columns: missing.join(',') });
  return columns;
}

/** Spreadsheets write `;;;;` for rows that somebody emptied. */
function isBlank({ cells, problem }: CsvRow): boolean {
  return !problem && cells.every((cell) => cell.trim() === '');
}

function nameRow({ cells, problem }: CsvRow, columns: Column[], consentIn: string | undefined): SourceRow {
  const isUnreadable = cells.some((cell) => cell.includes(UNREADABLE));
  const asWritten = cells.map((cell) => restoreCsvCell(cell.replaceAll(UNREADABLE, '')));
  const values = problem ? asWritten.map((value) => value.replaceAll('"', '').trim()) : asWritten;
  const row: SourceRow = { ...nameCells(values, columns), asWritten };
  if (consentIn !== undefined) row.consentIn = consentIn;
  if (isUnreadable) row.isUnreadable = true;
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
    } else if (column === 'otherPhone') row.otherPhones = [...(row.otherPhones ?? []), value];
    else if (column === 'optOut') row.optOut = withMore(row.optOut, value);
    else row[column] = value;
  });
  return row;
}

/** Several columns may say it. */
function withMore(before: unknown, value: unknown): unknown {
  return before === undefined
    ? value
    : [...(Array.isArray(before) ? (before as unknown[]) : [before]), value];
}

function refuseLargeRow({ problem, line }: CsvRowTooLarge): ImportRefused {
  return problem === 'cells'
    ? new ImportRefused('too_many_cells', { line, most: importLimits.cellsOfRow })
    : new ImportRefused('row_too_long', { line });
}
