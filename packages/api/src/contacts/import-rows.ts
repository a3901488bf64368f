import {
  importColumns,
  importWords,
  type ImportColumn,
  type ImportMapping,
} from '@app/domain/contacts/contact-import';
import { restoreCsvCell } from '@app/domain/contacts/csv-cell';
import { JsonElementsError, splitJsonArray } from '@app/domain/contacts/json-elements';
import { CsvError, parse, type Parser } from 'csv-parse';
import { ImportRefused } from './import-text.ts';

/** The values of one contact as the file has them, still unchecked. */
export type SourceRow = Partial<Record<ImportColumn, unknown>> & {
  /** More values than columns: some value stands in the wrong place. */
  hasExtraCells?: true;
};

const MAX_RECORD = 1_000_000;
const MAX_COLUMNS = 1_000;

/** Text that starts with { or [ is JSON, everything else CSV; rows come in groups as the text arrives. */
export async function* readImportRows(
  texts: AsyncIterable<string>,
  mapping?: ImportMapping,
): AsyncGenerator<SourceRow[]> {
  const source = texts[Symbol.asyncIterator]();
  let start = '';
  while (start.trim() === '') {
    const { value, done } = await source.next();
    if (done) throw new ImportRefused('The file is empty.');
    start = value.replace(/^\ufeff/, '');
  }
  const rest = { [Symbol.asyncIterator]: () => source };
  yield* /^\s*[{[]/.test(start) ? readJson(start, rest) : readCsv(start, rest, mapping);
}

async function* readJson(start: string, rest: AsyncIterable<string>): AsyncGenerator<SourceRow[]> {
  const elements = splitJsonArray('contacts');
  const push = (text: string) => elements.push(text).map(asRow);
  try {
    yield push(start);
    for await (const text of rest) yield push(text);
    elements.end();
  } catch (error) {
    throw error instanceof JsonElementsError ? new ImportRefused(describeJsonProblem(error)) : error;
  }
}

function asRow(element: unknown): SourceRow {
  const fields: Partial<Record<ImportColumn, unknown>> = Object(element);
  const { name, phone, email, tags, status } = fields;
  return { name, phone, email, tags, status };
}

function describeJsonProblem({ problem, line }: JsonElementsError): string {
  switch (problem) {
    case 'not-an-array':
      return importWords.notAnArray;
    case 'too-deep':
      return `Line ${line}: the JSON is nested too deeply.`;
    case 'too-long':
      return `Line ${line}: one contact is longer than a million characters.`;
    case 'unfinished':
      return `The JSON ends in line ${line} before it is complete.`;
    case 'malformed':
      return `Line ${line} is not valid JSON.`;
  }
}

async function* readCsv(
  start: string,
  rest: AsyncIterable<string>,
  mapping: ImportMapping | undefined,
): AsyncGenerator<SourceRow[]> {
  const parser = parse({ relax_column_count: true, skip_empty_lines: true, max_record_size: MAX_RECORD });
  let failure: unknown;
  parser.on('error', (error) => (failure = error));
  let columns: Column[] | undefined;
  const takeRows = (): SourceRow[] => {
    const records = drain(parser);
    if (!columns && records[0]) columns = readHeader(records.shift()!, mapping); // it was just seen
    return columns ? records.map((record) => nameCells(record, columns!)) : []; // set in the line above
  };
  const settle = async () => {
    // The parser reports its errors after the current turn.
    await new Promise((resolve) => setImmediate(resolve));
    if (failure) throw describeCsvProblem(failure);
  };
  parser.write(start);
  yield takeRows();
  await settle();
  for await (const text of rest) {
    parser.write(text);
    yield takeRows();
    await settle();
  }
  parser.end();
  do {
    await settle();
    yield takeRows();
  } while (!parser.readableEnded && !parser.destroyed);
  if (!columns) throw new ImportRefused('The file is empty.');
}

function drain(parser: Parser): string[][] {
  const records: string[][] = [];
  for (let record = parser.read(); record !== null; record = parser.read()) records.push(record);
  return records;
}

/** Undefined for a column that means nothing to us. */
type Column = ImportColumn | undefined;

function readHeader(cells: string[], mapping: ImportMapping | undefined): Column[] {
  if (cells.length > MAX_COLUMNS)
    throw new ImportRefused(`Line 1 has ${cells.length} columns; at most ${MAX_COLUMNS} can be read.`);
  const seen = new Set<ImportColumn>();
  const columns = cells.map((cell) => {
    const name = mapping
      ? Object.hasOwn(mapping, cell) && mapping[cell]
      : importColumns.find((column) => column === cell.trim().toLowerCase());
    if (!name || seen.has(name)) return undefined;
    seen.add(name);
    return name;
  });
  const missing = (['name', 'phone'] as const).filter((column) => !seen.has(column));
  if (missing.length > 0) {
    throw new ImportRefused(
      `Line 1 has no column ${missing.join(' and no column ')}. It must name the columns, separated by commas: name, phone, email, tags, status.`,
    );
  }
  return columns;
}

function nameCells(record: string[], columns: Column[]): SourceRow {
  const row: SourceRow = {};
  columns.forEach((column, index) => {
    if (column) row[column] = restoreCsvCell(record[index] ?? '');
  });
  if (record.slice(columns.length).some((cell) => cell.trim() !== '')) row.hasExtraCells = true;
  return row;
}

function describeCsvProblem(error: unknown): unknown {
  if (!(error instanceof CsvError)) return error;
  const line = `Line ${typeof error.lines === 'number' ? error.lines : 1}`;
  switch (error.code) {
    case 'CSV_MAX_RECORD_SIZE':
      return new ImportRefused(`${line}: one row is longer than a million characters.`);
    case 'CSV_QUOTE_NOT_CLOSED':
      return new ImportRefused(`${line}: a quote is opened and never closed.`);
    default:
      return new ImportRefused(
        `${line}: a quote stands in the wrong place; write a quote inside quotes twice.`,
      );
  }
}
