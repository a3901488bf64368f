/** Signs that nobody sees: direction marks, isolates, zero-width spaces, word joiners, soft hyphens, variation selectors and control characters. */
const INVISIBLE = /[\p{Cf}\p{Cc}\ufe00-\ufe0f\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0]/gu;
/** Every dash and every minus. */
const DASHES = /[\p{Pd}\u2212\u30fc\uff70]/gu;

/**
 * A number as it was meant: without signs that nobody sees, with the digits, plus signs, dashes, spaces and brackets of any script as those of ours.
 * What is no sign of a number stays.
 */
export function plainDigits(written: string): string {
  return written
    .replace(/[\t\r\n\v\f\u0085]/g, ' ')
    .replace(INVISIBLE, '')
    .replace(/\p{Nd}/gu, plainDigit)
    .replace(/[\uff0b\ufe62\u207a\u2795]/g, '+')
    .replace(DASHES, '-')
    .replace(/[\p{Zs}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/[\uff08\ufe59]/g, '(')
    .replace(/[\uff09\ufe5a]/g, ')')
    .replace(/[\uff0e\u00b7\u2022\u30fb]/g, '.')
    .replace(/[\uff0f\u2044]/g, '/')
    .trim();
}

/** The same text with digits of every script as ours. */
export function withPlainDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, plainDigit);
}

function plainDigit(digit: string): string {
  return String(digitOf(digit));
}

/** The digits of every script stand in a row of ten (Unicode, general category Nd); those of mathematics are rows side by side. */
function digitOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  if (code >= MATHEMATICAL && code < MATHEMATICAL + 50) return (code - MATHEMATICAL) % 10;
  let first = code;
  while (code - first < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return code - first;
}

const MATHEMATICAL = 0x1d7ce;

/** The parts of a cell with several numbers, as address books and people separate them. */
export function splitNumbers(cell: string): string[] {
  return cell
    .split(/:::|[\n\r;|,]|\s\/\s|\/\/|\s(?:or|oder|ou|o|und|and|et|y|e|&)\s/i)
    .map((part) => part.trim())
    .filter((part) => /\p{Nd}/u.test(part));
}

/** `="0171…"` keeps zeros and plus in spreadsheets; so does a quote mark in front. A link to a chat and a word such as `Tel.:` are no part of the number. */
export function unwrapNumber(written: string): string {
  return plainDigits(written)
    .replace(/^=\s*["'“”„]+(.*?)["'“”]*$/s, '$1')
    .replace(/^["'’‘`´]+\s*|["'’‘`´]+$/g, '')
    .replace(/^(?:(?:https?:\/\/)?[a-z.]+\.[a-z]+\/|[a-z]+:\/\/)(?:[a-z/]*\?phone=)?\+?(?=\d)/i, '+')
    .replace(/^\+(?:\+|%2b)/i, '+')
    .replace(/^(?:\p{L}[\p{L}\s]{0,20}[.:]\s*)+/u, '')
    .replace(/\s*[([][\p{L}\s.]{1,20}[)\]]$/u, '')
    .trim();
}

/** With the code of its country, as `+4915112345678`: without it nobody knows the country. Null for what is no such number. */
export function readInternational(written: string): string | null {
  const compact = unwrapNumber(written)
    .replace(/^[.:\s]+/, '')
    .replace(/^(\+|00)([\d\s]+)\(0\)/, '$1$2') // the zero that only callers at home dial
    .replace(/[\s()./-]/g, '')
    .replace(/^00/, '+');
  return /^\+[1-9]\d{7,14}$/.test(compact) ? compact : null;
}
