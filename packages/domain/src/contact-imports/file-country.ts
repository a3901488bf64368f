import { readPhoneCountry, type PhoneCountry } from '../contacts/phone-country.ts';
import { countryOfNumber } from '../settings/calling-codes.ts';

const INTERNATIONAL = /^(?:\+|00)\s*\(?([1-9][\d\s().\-/]{5,})$/;
/** Of the numbers that tell their country, so many are of the one. */
const LEAST_SHARE = 0.6;

/**
 * Of which country the numbers of a file without a country code probably are: that of most of those with one. Undefined where few agree, or
 * where each number has its code.
 */
export function guessFileCountry(numbers: readonly string[]): PhoneCountry | undefined {
  const written = numbers.map((number) => number.trim()).filter((number) => /\d{3}/.test(number));
  const counts = new Map<string, number>();
  let told = 0;
  for (const number of written) {
    const digits = INTERNATIONAL.exec(number)?.[1]?.replaceAll(/\D/g, '');
    const country = digits === undefined ? null : countryOfNumber(digits);
    if (country === null) continue;
    told += 1;
    counts.set(country, (counts.get(country) ?? 0) + 1);
  }
  if (told === 0 || told === written.length) return undefined;
  const [[country, count] = ['', 0]] = [...counts].toSorted(([, one], [, other]) => other - one);
  return count >= told * LEAST_SHARE ? readPhoneCountry(country) : undefined;
}
