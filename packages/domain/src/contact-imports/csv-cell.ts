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

/** What separates the columns: spreadsheets of many countries write semicolons, and tabs are what they copy. */
const csvDelimiters = [',', ';', '\t'] as const;
export type CsvDelimiter = (typeof csvDelimiters)[number];

export type CsvHeader = {
  cells: string[];
  delimiter: CsvDelimiter;
  /** Its end was seen; otherwise there may be more of it. */
  isWhole: boolean;
};

/** The first line of a CSV text; what stands in it most often outside of quotes separates the columns of all lines. */
export function readCsvHeader(text: string): CsvHeader {
  const start = text.startsWith('\ufeff') ? 1 : 0;
  const counts: Record<CsvDelimiter, number> = { ',': 0, ';': 0, '\t': 0 };
  let end = start;
  for (let isQuoted = false; end < text.length; end += 1) {
    const character = text.charAt(end);
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === '\n' || character === '\r')) break;
    else if (!isQuoted && isDelimiter(character)) counts[character] += 1;
  }
  // Of equals the first wins: a comma, as long as nothing speaks against it.
  const delimiter = csvDelimiters.reduce((best, other) => (counts[other] > counts[best] ? other : best));
  return { cells: cutCells(text.slice(start, end), delimiter), delimiter, isWhole: end < text.length };
}

function isDelimiter(character: string): character is CsvDelimiter {
  return csvDelimiters.some((delimiter) => delimiter === character);
}

function cutCells(line: string, delimiter: CsvDelimiter): string[] {
  const cells = [''];
  let isQuoted = false;
  for (let index = 0; index < line.length; index += 1) {
    const character = line.charAt(index);
    if (character === '"' && isQuoted && line.charAt(index + 1) === '"') {
      cells.push(`${cells.pop() ?? ''}"`);
      index += 1;
    } else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && character === delimiter) cells.push('');
    else cells.push((cells.pop() ?? '') + character);
  }
  return cells;
}

/** Takes away the quote marks that `writeCsvCell` put in front; every other cell stays as it is. */
export function restoreCsvCell(text: string): string {
  return text.replace(GUARDED, '$1');
}
