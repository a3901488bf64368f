import { withPlainDigits } from '../contacts/written-number.ts';

/** Words with fewer letters than this must be written exactly: a typo in `hi` is another word. */
export const SHORTEST_WITH_TYPO = 5;
/** So much of a message is looked at; what stands behind it decides nothing. */
const MOST_WORDS = 200;
/** Scripts that put no space between words: there a keyword is found as it is written, anywhere. */
export const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Small letters without accents, in words; vowel signs of Asian scripts stay. */
export function wordsOf(text: string): string[] {
  const words = plain(text).split(/[^\p{L}\p{M}\p{N}]+/u);
  return words.filter((word) => word !== '').slice(0, MOST_WORDS);
}

/** The keywords of a trigger as people type them, `order|where is my order`: without empty ones, each once. */
export function splitKeywords(value: string, separator: '|' | ',' = '|'): string[] {
  const words = value.split(separator).map((word) => word.replace(/\s+/g, ' ').trim());
  const seen = new Set<string>();
  return words.filter((word) => {
    const name = plain(word);
    if (seen.has(name) || wordsOf(word).length === 0) return false;
    seen.add(name);
    return true;
  });
}

/**
 * The first keyword that stands in a message as whole words, one after the other; null for none. Upper case and accents make no difference, and one
 * letter of a keyword of five letters or more may be wrong, missing, doubled or swapped. Keywords are text, never patterns. The cost is bounded by
 * 200 words of the message times the words of the keywords. A list that is asked again is compiled once.
 */
export function findKeyword(text: string, keywords: readonly string[]): string | null {
  const message = readMessage(text);
  return compileKeywords(keywords).find((keyword) => stands(message, keyword))?.keyword ?? null;
}

/** A keyword in the form in which it is compared. */
export interface Keyword {
  keyword: string;
  words: readonly string[];
  /** The whole of it, where its script puts no space between words. */
  unspaced: string | null;
}

/** By list: a bot asks the same lists of its flows about every message. */
const compiled = new WeakMap<readonly string[], readonly Keyword[]>();

export function compileKeywords(keywords: readonly string[]): readonly Keyword[] {
  const known = compiled.get(keywords);
  if (known) return known;
  const made = keywords.map((keyword) => ({
    keyword,
    words: wordsOf(keyword),
    unspaced: UNSPACED.test(keyword) ? plain(keyword) : null,
  }));
  compiled.set(keywords, made);
  return made;
}

export interface Message {
  text: string;
  words: readonly string[];
  unspaced: string | null;
  exact: ReadonlySet<string>;
  /** First and last letters: a word with one typo shares at least one of the two with the keyword. */
  firsts: ReadonlySet<string>;
  lasts: ReadonlySet<string>;
}

/** One message is compared with the keywords of every flow. */
let lastRead: Message | undefined;

export function readMessage(text: string): Message {
  if (lastRead?.text === text) return lastRead;
  const words = wordsOf(text);
  lastRead = {
    ...{ text, words, unspaced: UNSPACED.test(text) ? plain(text) : null },
    exact: new Set(words),
    firsts: new Set(words.map((word) => word.charAt(0))),
    lasts: new Set(words.map((word) => word.charAt(word.length - 1))),
  };
  return lastRead;
}

/** Whether the keyword stands in the message. */
export function stands(message: Message, { words: wanted, unspaced }: Keyword): boolean {
  if (message.unspaced !== null && unspaced !== null) return message.unspaced.includes(unspaced);
  const [first] = wanted;
  if (first === undefined || !maySay(message, first)) return false;
  return message.words.some((_, place) => standsAt(message.words, place, wanted));
}

/** False rules a word out at small cost. */
function maySay({ exact, firsts, lasts }: Message, word: string): boolean {
  if (exact.has(word)) return true;
  if (word.length < SHORTEST_WITH_TYPO) return false;
  return firsts.has(word.charAt(0)) || lasts.has(word.charAt(word.length - 1));
}

function standsAt(said: readonly string[], place: number, wanted: readonly string[]): boolean {
  if (place + wanted.length > said.length) return false;
  let typos = 0;
  for (const [index, word] of wanted.entries()) {
    const written = said[place + index]!; // within, as asked above
    if (written === word) continue;
    typos += 1;
    // Lengths in code units: one letter has at most two.
    if (typos > 1 || Math.abs(written.length - word.length) > 2 || !isOneTypo(written, word)) return false;
  }
  return true;
}

/** One letter is another, missing or too many, or two neighbours are swapped. Numbers are never a typo of each other. */
export function isOneTypo(written: string, word: string): boolean {
  const a = [...written];
  const b = [...word];
  if (b.length < SHORTEST_WITH_TYPO || Math.abs(a.length - b.length) > 1 || /\p{N}/u.test(written + word))
    return false;
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end])
    end += 1;
  const left = a.slice(start, a.length - end);
  const right = b.slice(start, b.length - end);
  if (left.length + right.length === 0) return false;
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}

/** How texts are compared: small letters without accents, digits of ours, one space between words. */
export function plain(text: string): string {
  return withPlainDigits(text.slice(0, 4096))
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/\s+/g, ' ')
    .trim();
}
