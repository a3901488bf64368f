/** How numbers of a style are meant. */
export type NumberKind = 'number' | 'date';

/** Formats of dates and times that a workbook does not describe (ECMA-376 part 1, 18.8.30). */
const DATE_FORMATS = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
] as const;

/** Whether a format shows days or times; text in quotes, colours and what is escaped do not count. */
export function readNumberKind(format: number, code: string | undefined): NumberKind {
  if (code === undefined)
    return DATE_FORMATS.some(([from, to]) => format >= from && format <= to) ? 'date' : 'number';
  const plain = code.replaceAll(/"[^"]*"|\\.|_.|\*./g, '').replaceAll(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '');
  return /[dmyhs]/i.test(plain.replace(/general/i, '')) ? 'date' : 'number';
}

const DAY_MS = 86_400_000;
/** Days are counted from here, so that the first of March 1900 is 61; the other system begins in 1904. */
const [EPOCH_1900, EPOCH_1904] = [Date.UTC(1899, 11, 30), Date.UTC(1904, 0, 1)];
const LAST_DAY = 2_958_465;

/** A number of a cell as people would write it: whole ones with all their figures, which may be those of a telephone, and days as 2026-11-21. */
export function writeNumber(raw: string, kind: NumberKind, isFrom1904: boolean): string {
  const number = Number(raw);
  if (raw.trim() === '' || !Number.isFinite(number)) return raw;
  if (kind === 'date' && number >= 0 && number <= LAST_DAY) return writeDate(number, isFrom1904);
  if (Number.isInteger(number)) return BigInt(number).toString();
  // Beyond that there is only what binary fractions leave.
  const short = Number(number.toPrecision(15));
  return String(short);
}

function writeDate(serial: number, isFrom1904: boolean): string {
  // The 29th of February 1900 is a day for spreadsheets, and for nobody else.
  const days = !isFrom1904 && serial >= 1 && serial < 60 ? serial + 1 : serial;
  const ms = Math.round((days * DAY_MS) / 1_000) * 1_000;
  const text = new Date((isFrom1904 ? EPOCH_1904 : EPOCH_1900) + ms).toISOString();
  const [day, time] = [text.slice(0, 10), text.slice(11, 19).replace(/:00$/, '')];
  if (serial < 1) return time;
  return Number.isInteger(serial) ? day : `${day} ${time}`;
}

/** The place of a column, from 0: `C5` stands in the third. */
export function readColumn(reference: string): number {
  let place = 0;
  for (const letter of reference) {
    const code = letter.charCodeAt(0) - 64;
    if (code < 1 || code > 26) break;
    place = place * 26 + code;
  }
  return place - 1;
}
