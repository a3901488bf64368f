/** A spreadsheet runs a cell that begins like this as a formula. */
const RISKY = /^'*[=+\-@\t\r]/;
const GUARDED = /^'+[=+\-@\t\r]/;

/** One CSV cell (RFC 4180). A quote mark in front of a formula keeps spreadsheets from running it. */
export function writeCsvCell(text: string): string {
  const guarded = RISKY.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** The cells of the first line of a CSV text, also when the text is cut off behind it. */
export function readCsvHeader(text: string): string[] {
  const cells = [''];
  let isQuoted = false;
  for (let index = text.startsWith('\ufeff') ? 1 : 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '"') {
      if (isQuoted && text.charAt(index + 1) === '"') {
        cells.push(`${cells.pop() ?? ''}"`);
        index += 1;
      } else isQuoted = !isQuoted;
    } else if (!isQuoted && character === ',') cells.push('');
    else if (!isQuoted && (character === '\n' || character === '\r')) break;
    else cells.push((cells.pop() ?? '') + character);
  }
  return cells;
}

/** Takes away the quote mark that `writeCsvCell` put in front; every other cell stays as it is. */
export function restoreCsvCell(text: string): string {
  return GUARDED.test(text) ? text.slice(1) : text;
}
