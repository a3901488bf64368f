import { readEmailAddress } from '../../contacts/contact.ts';
import { plainDigits, readInternational } from '../../contacts/written-number.ts';
import { readDayAlone } from '../../custom-fields/day.ts';
import { findKeyword, plain } from '../../chatbot/match-keywords.ts';

/** What a question asks for. */
export const answerTypes = ['text', 'number', 'email', 'date', 'phone', 'choice'] as const;
export type AnswerType = (typeof answerTypes)[number];

const LONGEST_TEXT = 1_000;

export type AnswerRule = {
  type: AnswerType;
  /** Of a number. */
  least: number | null;
  most: number | null;
};

/** The answer in the form in which it is stored, such as `2026-11-27` for a day; null where it is none. What can mean two things is none. */
export function readAnswer(text: string, { type, least, most }: AnswerRule): string | null {
  const said = text.trim();
  if (said === '' || said.length > LONGEST_TEXT) return null;
  switch (type) {
    case 'number': {
      const number = readNumber(said);
      if (number === null || (least !== null && number < least) || (most !== null && number > most))
        return null;
      return String(number);
    }
    case 'email':
      return readEmailAddress(unwrapAddress(said)) ?? null;
    case 'date':
      return readDayAlone(plainDigits(said)) ?? null;
    case 'phone':
      return readInternational(said);
    default:
      return said;
  }
}

/** `1,5` and `1.5` are the same; a mark before exactly three digits could be either, so it is none: `1.500`. Digits of any script, and with a currency: `30 €`. */
export function readNumber(text: string): number | null {
  const compact = plainDigits(text)
    .replace(/[\s']/g, '')
    .replaceAll('\u066b', '.')
    .replace(/^\p{Sc}|[\p{Sc}%]$/gu, '');
  if (!/^[+-]?\d{1,15}([.,]\d{1,6})?$/.test(compact) || /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(compact))
    return null;
  return Number(compact.replace(',', '.'));
}

/** `<ann@example.com>`, a link to it, or with marks around that nobody sees. */
function unwrapAddress(text: string): string {
  return text
    .replace(/\p{Cf}/gu, '')
    .trim()
    .replace(/^<(.*)>$/, '$1')
    .replace(/^mailto:/i, '')
    .replace(/(?<=\p{L})[.,;!]$/u, '');
}

/** Which of the titles a contact meant who typed: the title, its place in the list, or a message that has one title alone. */
export function findTitle(text: string, titles: readonly string[]): number | null {
  const said = plain(text);
  if (said === '') return null;
  const exact = titles.findIndex((title) => plain(title) === said);
  if (exact >= 0) return exact;
  const [, place] = /^[(#]?(\d{1,2})[.)]?$/.exec(plainDigits(said).replace(/[\ufe0f\u20e3]/g, '')) ?? [];
  if (place !== undefined)
    return Number(place) >= 1 && Number(place) <= titles.length ? Number(place) - 1 : null;
  const named = titles.flatMap((title, index) => (findKeyword(text, [title]) === null ? [] : [index]));
  return named.length === 1 ? named[0]! : null; // there is one
}
