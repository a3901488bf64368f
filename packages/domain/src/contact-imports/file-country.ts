import { readPhoneCountry, type PhoneCountry } from '../contacts/phone-country.ts';
import { countryOfNumber } from '../settings/calling-codes.ts';

const INTERNATIONAL = /^(?:\+|00)\s*\(?([1-9][\d\s().\-/]{5,})$/;
/** Of the numbers that tell their country, so many are of the one. */
const LEAST_SHARE = 0.6;
/** Of all numbers so many tell it, where the country of the others follows from it without being chosen. */
const SHARE_OF_ALL = 0.5;

export type FileCountry = {
  country: PhoneCountry;
  /** So many numbers say it that those without a code are of it, too; else it is no more than a hint. */
  isCertain: boolean;
};

/**
 * Of which country the numbers of a file without a country code may be: that of most of those with one. Undefined where few agree, or
 * where each number has its code. A few customers abroad say nothing of the others.
 */
export function guessFileCountry(numbers: readonly string[]): FileCountry | undefined {
  const written = numbers.map((number) => number.trim()).filter((number) => /\d{3}/.test(number));
  const counts = new Map<string, number>();
  let told = 0;
  for (const number of written) {
    const digits = INTERNATIONAL.exec(number)?.[1]?.replaceAll(/\D/g, '');
    const code = digits === undefined ? null : countryOfNumber(digits);
    if (code === null) continue;
    told += 1;
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  if (told === 0 || told === written.length) return undefined;
  const [[code, count] = ['', 0]] = [...counts].toSorted(([, one], [, other]) => other - one);
  const country = count >= told * LEAST_SHARE ? readPhoneCountry(code) : undefined;
  return country && { country, isCertain: count >= written.length * SHARE_OF_ALL };
}
