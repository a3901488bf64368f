/**
 * A spreadsheet runs what begins like this as a formula. So may the part behind a semicolon be: many countries separate the
 * columns of a file by it. A plain number such as a phone number with its plus is none.
 */
const RISKY = /(^|;)(?='*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20])(?![+-]?\d+(?:\.\d+)?(?:;|$))/g;
const GUARDED = /(^|;)'(?='*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20])/g;

/** One CSV cell (RFC 4180). A quote mark in front of a formula keeps spreadsheets from running it. */
export function writeCsvCell(text: string): string {
  return writeCell(text, ',');
}

/** A whole line, for a file whose columns something else may separate. */
export function writeCsvRow(cells: readonly string[], delimiter: CsvDelimiter): string {
  return `${cells.map((text) => writeCell(text, delimiter)).join(delimiter)}\r\n`;
}

function writeCell(text: string, delimiter: CsvDelimiter): string {
  const guarded = text.replace(RISKY, "$1'");
  const isPlain = !/[",\r\n]/.test(guarded) && !guarded.includes(delimiter);
  return isPlain ? guarded : `"${guarded.replaceAll('"', '""')}"`;
}

/** A text for a cell that is never run, from which an import takes nothing away: each mark that it would is there twice. */
export function keepCsvMarks(text: string): string {
  return text.replace(GUARDED, "$1''");
}

/** Spreadsheets take a file for Unicode when it begins with this mark. */
export const BYTE_ORDER_MARK = '\ufeff';

/** What separates the columns: spreadsheets of many countries write semicolons, tabs are what they copy, and databases write bars. */
export const csvDelimiters = [',', ';', '\t', '|'] as const;
export type CsvDelimiter = (typeof csvDelimiters)[number];

/** Takes away the quote marks that `writeCsvCell` put in front; every other cell stays as it is. */
export function restoreCsvCell(text: string): string {
  return text.replace(GUARDED, '$1');
}
