import { REASON_HEADING } from './import-headings.ts';
import { BYTE_ORDER_MARK, writeCsvRow, type CsvDelimiter } from './csv-cell.ts';

/** How a CSV file calls its columns and separates them; null for JSON. */
export type FileColumns = { headings: string[]; delimiter: CsvDelimiter } | null;

/** A row as the file had it, in JSON (null where it is not kept), and why it was not imported. */
export type FailedRow = { row: number; message: string; source: string | null };

/** The same of a JSON element. */
const REASON_KEY = 'importError';

export type FailedRowsFile<Row = FailedRow> = {
  type: 'csv' | 'json';
  start: string;
  /** One row; `index` counts from 0. */
  write(row: Row, index: number): string;
  end: string;
};

/** The rows that were not imported as a file of the same kind, which can be mended and imported again. */
export function openFailedRowsFile(columns: FileColumns): FailedRowsFile {
  return columns ? openCsv(columns) : JSON_FILE;
}

function openCsv({ headings, delimiter }: NonNullable<FileColumns>): FailedRowsFile {
  // A file of failed rows that failed again has the column already.
  const hasReason = headings.at(-1) === REASON_HEADING;
  const width = hasReason ? headings.length - 1 : headings.length;
  // What has no column stands behind the reason, so that it can be put where it belongs.
  const writeRow = (cells: readonly string[], reason: string) => {
    const filled = Array.from({ length: width }, (_, index) => cells[index] ?? '');
    return writeCsvRow([...filled, reason, ...cells.slice(headings.length)], delimiter);
  };
  return {
    type: 'csv',
    start: BYTE_ORDER_MARK + writeRow(headings, REASON_HEADING),
    write: ({ message, source }) => writeRow(readCells(source), message),
    end: '',
  };
}

function readCells(source: string | null): string[] {
  const cells: unknown = source === null ? [] : JSON.parse(source);
  return Array.isArray(cells) ? cells.map(String) : [];
}

const JSON_FILE: FailedRowsFile = {
  type: 'json',
  start: '{"contacts":[',
  write({ row, message, source }, index) {
    const element: unknown = source === null ? null : JSON.parse(source);
    const known = typeof element === 'object' && !Array.isArray(element) && element !== null;
    const written = known
      ? { ...element, [REASON_KEY]: message }
      : { row, value: element, [REASON_KEY]: message };
    return `${index === 0 ? '' : ','}\n${JSON.stringify(written)}`;
  },
  end: '\n]}\n',
};
