/**
 * A spreadsheet runs what begins like this as a formula. So may the part behind a semicolon be: many countries separate the
 * columns of a file by it. A plain number such as a phone number with its plus is none.
 */
const RISKY = /(^|;)(?='*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20])(?![+-]?\d+(?:\.\d+)?(?:;|$))/g;
const GUARDED = /(^|;)'(?='*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20])/g;

/** One CSV cell (RFC 4180). A quote mark in front of a formula keeps spreadsheets from running it. */
export function writeCsvCell(text: string): string {
  const guarded = text.replace(RISKY, "$1'");
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

/** Takes away the quote marks that `writeCsvCell` put in front; every other cell stays as it is. */
export function restoreCsvCell(text: string): string {
  return text.replace(GUARDED, '$1');
}
