import { plainDigits } from './written-number.ts';

/** People type a number as they see it written; it is stored without the marks between the digits. */
const WRITTEN = /^\+?[\d\s().\-/]*\d[\d\s().\-/]*$/;
/** With fewer a zero at the start may as well be one of the middle. */
const LEAST_NATIONAL = 5;

/** A term as it was meant: without the marks that nobody sees, which come along when a number is copied from a chat. */
export function readableTerm(term: string): string {
  const plain = plainDigits(term);
  return WRITTEN.test(plain) ? plain : term;
}

/**
 * What to look for among stored numbers (`+491712345678`) when somebody types one: null for a term that is none. The zero
 * that a country dials before its own numbers, and the two before a country code, are not stored.
 */
export function searchedNumber(term: string): string | null {
  const plain = plainDigits(term);
  if (!WRITTEN.test(plain)) return null;
  const digits = plain.replace('(0)', '').replace(/[\s().\-/]/g, '');
  if (digits.length < LEAST_NATIONAL) return digits === '' ? null : digits;
  return digits.replace(/^00/, '+').replace(/^0/, '');
}
