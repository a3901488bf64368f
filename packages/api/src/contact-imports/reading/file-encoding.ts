import { detectAll } from 'jschardet';
import { guessUnicode } from '@app/domain/contact-imports/file-letters';
import { countryOfNumber } from '@app/domain/settings/calling-codes';

/** How the letters of a file are read, as the Encoding Standard calls it; `mixed` for lines of UTF-8 and of Windows in one file. */
export type LettersGuess = {
  encoding: string;
  /** The file says so itself, or its bytes can be nothing else. */
  isCertain: boolean;
  /** All in which it can be read, the likely ones first. */
  possible: readonly string[];
};

const WESTERN = 'windows-1252';
/** By the countries whose programs write them (Microsoft and ISO code pages). */
const ENCODINGS: Readonly<Record<string, readonly string[]>> = {
  'windows-1250': ['PL', 'CZ', 'SK', 'HU', 'HR', 'SI', 'RO', 'AL', 'BA', 'ME'],
  'windows-1251': ['RU', 'UA', 'BG', 'BY', 'RS', 'MK', 'KZ', 'KG', 'TJ', 'MN', 'UZ', 'MD'],
  'windows-1253': ['GR', 'CY'],
  'windows-1254': ['TR', 'AZ'],
  'windows-1255': ['IL'],
  'windows-1256': [
    'EG',
    'SA',
    'AE',
    'MA',
    'DZ',
    'TN',
    'LY',
    'IQ',
    'IR',
    'JO',
    'LB',
    'KW',
    'QA',
    'BH',
    'OM',
    'YE',
    'SY',
    'SD',
    'PS',
    'PK',
    'AF',
  ],
  'windows-1257': ['LT', 'LV', 'EE'],
  'windows-1258': ['VN'],
  'windows-874': ['TH'],
  shift_jis: ['JP'],
  'euc-jp': ['JP'],
  gb18030: ['CN', 'SG'],
  big5: ['TW', 'HK', 'MO'],
  'euc-kr': ['KR', 'KP'],
  'koi8-r': ['RU'],
  'koi8-u': ['UA'],
  'iso-8859-2': ['PL', 'CZ', 'SK', 'HU', 'HR', 'SI', 'RO'],
  'iso-8859-5': ['RU'],
  ibm866: ['RU'],
  macintosh: [],
};
/** Of the two that one country has the later one is rare. */
const RARE = new Set(['euc-jp', 'koi8-r', 'koi8-u', 'iso-8859-2', 'iso-8859-5', 'ibm866', 'macintosh']);

/** All that can be chosen. */
export const fileEncodings: readonly string[] = ['utf-8', WESTERN, ...Object.keys(ENCODINGS)];

/** So much of a file tells. */
export const LETTERS_LOOKED_AT = 64 * 1024;

/**
 * In which letters a file is written, by its beginning. Small files are guessed badly by their bytes alone (jschardet proposes), so the countries of the
 * numbers in them decide with it: a file with Polish numbers has Polish letters.
 */
export function guessLetters(start: Uint8Array): LettersGuess {
  const unicode = guessUnicode(start);
  if (unicode !== null && unicode !== 'utf-8') return certain(unicode);
  const lines = splitLines(start);
  const utf8 = lines.filter((line) => isUtf8(line));
  if (utf8.length === lines.length) return certain('utf-8');
  const others = lines.filter((line) => !isUtf8(line));
  // What is UTF-8 with letters of its own in some lines, and is none in others, was put together of two files.
  if (utf8.some((line) => line.some((byte) => byte > 0x7f)))
    return { encoding: 'mixed', isCertain: false, possible: ['mixed', ...fileEncodings] };
  const bytes = joinLines(others);
  const countries = countCountries(start);
  const proposed = new Map(
    detectAll(toBinary(bytes)).flatMap(({ encoding, confidence }) =>
      typeof encoding === 'string' ? [[nameOf(encoding), confidence] as const] : [],
    ),
  );
  const scored = [WESTERN, ...Object.keys(ENCODINGS)].flatMap((encoding) => {
    const text = decode(encoding, bytes);
    if (text === null) return [];
    const ofCountries = shareOf(encoding === WESTERN ? null : (ENCODINGS[encoding] ?? []), countries);
    const byBytes = proposed.get(encoding) ?? 0;
    const score =
      2 * ofCountries * (RARE.has(encoding) ? 0.4 : 1) +
      byBytes +
      readable(text) -
      (RARE.has(encoding) ? 0.5 : 0);
    return [{ encoding, score }];
  });
  const possible = scored.toSorted((one, other) => other.score - one.score).map(({ encoding }) => encoding);
  return { encoding: possible[0] ?? WESTERN, isCertain: false, possible };
}

function certain(encoding: string): LettersGuess {
  return { encoding, isCertain: true, possible: [encoding] };
}

/** Null where bytes stand for nothing in it. */
function decode(encoding: string, bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return /[\u0080-\u009f\ufffd]/.test(text) ? null : text;
  } catch {
    return null;
  }
}

/** How much of it looks like words: letters of one script side by side, small ones behind large ones, and few signs between them. */
function readable(text: string): number {
  const odd = text.match(/[^\p{ASCII}\p{L}\p{M}\p{N}’‘“”„–—…«»€ªº°·・ー]/gu)?.length ?? 0;
  const letters = text.match(/[^\p{ASCII}]/gu)?.length ?? 1;
  const inside = text.match(/\p{Ll}\p{Lu}/gu)?.length ?? 0;
  const mixed =
    text.match(/\p{Script=Latin}(?!\p{Script=Latin})\p{L}|(?!\p{Script=Latin})\p{L}\p{Script=Latin}/gu)
      ?.length ?? 0;
  // Western letters alone side by side are those of another script.
  const rows = text.match(/[\u00c0-\u00ff]{3,}/gu)?.length ?? 0;
  const half = text.match(/[\uff61-\uff9f]/gu)?.length ?? 0;
  return 1 - Math.min(1, (odd + inside + mixed + 2 * rows + half) / letters);
}

/** Of the countries that numbers tell, so many are of these; null: of none that has letters of its own. */
function shareOf(countries: readonly string[] | null, counted: ReadonlyMap<string, number>): number {
  const all = [...counted.values()].reduce((sum, count) => sum + count, 0);
  if (all === 0) return 0;
  const own = new Set(Object.values(ENCODINGS).flat());
  const matches = [...counted].filter(([country]) =>
    countries ? countries.includes(country) : !own.has(country),
  );
  return matches.reduce((sum, [, count]) => sum + count, 0) / all;
}

function countCountries(bytes: Uint8Array): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const text = toBinary(bytes);
  for (const [, written = ''] of text.matchAll(/(?:\+|\b00)(\d[\d\s().\-/]{6,18}\d)/g)) {
    const country = countryOfNumber(written.replaceAll(/\D/g, ''));
    if (country !== null) counts.set(country, (counts.get(country) ?? 0) + 1);
  }
  return counts;
}

function toBinary(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

/** Its names differ from those of the Encoding Standard. */
function nameOf(encoding: string): string {
  const name = encoding.toLowerCase();
  const known: Record<string, string> = {
    ...{ 'iso-8859-1': WESTERN, 'iso-8859-15': WESTERN, ascii: WESTERN, gb2312: 'gb18030', gbk: 'gb18030' },
    ...{
      'iso-8859-7': 'windows-1253',
      'iso-8859-8': 'windows-1255',
      'iso-8859-9': 'windows-1254',
      'tis-620': 'windows-874',
    },
    ...{ 'x-mac-cyrillic': 'windows-1251', maccyrillic: 'windows-1251', shift_jis: 'shift_jis' },
  };
  return known[name] ?? name;
}

function splitLines(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let from = 0, end = 0; from < bytes.length; from = end) {
    end = bytes.indexOf(LINE_FEED, from) + 1 || bytes.length;
    lines.push(bytes.subarray(from, end));
  }
  // The last one may be cut in a letter.
  return bytes.length >= LETTERS_LOOKED_AT && lines.length > 1 ? lines.slice(0, -1) : lines;
}

const LINE_FEED = 10;

function joinLines(lines: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(lines));
}

function isUtf8(line: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(line);
    return true;
  } catch {
    return false;
  }
}
