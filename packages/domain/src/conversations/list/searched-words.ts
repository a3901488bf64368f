/** As `message_words` of the database compares them. */
const LONGEST_WORD = 40;
const MOST_WORDS = 10;
const WEEK_MS = 604_800_000;
const MARKS = /[\u0300-\u036f]/g;
const SIGNS =
  /[\ufe00-\ufe0f\p{Cc}\u0020-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u2190-\u2bff\u3000-\u303f\u{1F000}-\u{1FAFF}]+/gu;
const PLAIN: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', ł: 'l', đ: 'd', ı: 'i', ð: 'd', ς: 'σ' };

/** A text without case, accents and signs. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[ßøłđıðς]/g, (letter) => PLAIN[letter] ?? letter)
    .replace(MARKS, '')
    .replace(SIGNS, ' ');
}

/** The words of what was typed; the last may be the beginning of one. */
export function searchedWords(typed: string): string[] {
  const words = fold(typed).split(' ').filter(Boolean);
  return [...new Set(words.map((word) => [...word].slice(0, LONGEST_WORD).join('')))].slice(0, MOST_WORDS);
}

export type TextPart = { text: string; isFound: boolean };

/** The text in parts, with those apart that begin like one of the words. */
export function markWords(text: string, words: readonly string[]): TextPart[] {
  const parts: TextPart[] = [];
  for (const [piece] of text.matchAll(/[\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}]+/gu)) {
    const folded = fold(piece);
    const isFound = words.some((word) => folded.startsWith(word));
    const last = parts.at(-1);
    if (last && last.isFound === isFound) last.text += piece;
    else parts.push({ text: piece, isFound });
  }
  return parts;
}

/** About so much of a text on one line, from a little before the first word that was found. */
export function excerpt(text: string, words: readonly string[], length = 160): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const letters = [...line];
  if (letters.length <= length) return line;
  const before = markWords(line, words)[0];
  const start = before && !before.isFound ? Math.max(0, [...before.text].length - Math.floor(length / 4)) : 0;
  const cut = letters.slice(start, start + length).join('');
  return `${start > 0 ? '…' : ''}${cut}${start + length < letters.length ? '…' : ''}`;
}

/** Weeks as the database counts them, from 1970 on. */
export function weekOf(time: number): number {
  return Math.floor(time / WEEK_MS);
}
