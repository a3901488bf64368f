import type { PhoneCountry } from '@app/domain/contacts/phone-country';
import type { AmbiguousNumber, AmbiguousReading } from '@app/domain/contacts/ambiguous-number';
import { identityOfNumber } from '@app/domain/contacts/number-spellings';
import { unwrapNumber } from '@app/domain/contacts/written-number';
import { parsePhoneNumberFromString as parseByRanges } from 'libphonenumber-js/max';
import { getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** With its plus: no country has shorter ones, though the lengths of some allow for numbers of a village among itself. */
const SHORTEST = '+'.length + 7;

/** So long no country's numbers usually are without their own code, and with one they are. */
const DIGITS_WITH_CODE = 12;

/**
 * A number as people write it, as E.164 with the plus; null when no country has such a number. The country must be
 * there (`+44…`, `0044…`, or the digits of a whole international number). It judges by country code and length, not
 * by the ranges in use: those change weekly, and the platform's own test numbers lie outside of them. They only tell which
 * of two readings is meant.
 * A quote mark before it, by which spreadsheets keep its zeros, is none of it.
 * Where a home country is given, what has neither plus nor 00 is a number of it, with or without its leading zero. What is no mobile number
 * there, and one of another country with its code, is read as `twofold` says.
 */
export function readPhoneNumber(
  written: string,
  home?: PhoneCountry,
  twofold: AmbiguousReading = 'international',
): string | null {
  return validateNumber(written, home, twofold).number;
}

/** The same, with whether it could have been read in another way, too: without a home, whatever has neither plus nor 00. */
export function validateNumber(
  written: string,
  home: PhoneCountry | undefined,
  twofold: AmbiguousReading = 'international',
): { number: string | null; isAmbiguous: boolean } {
  const marked = strip(written);
  if (marked.startsWith('+')) return { number: readMarked(marked), isAmbiguous: false };
  const { atHome, whole, isAmbiguous } = readBothWays(marked, home);
  if (!home) return { number: whole, isAmbiguous: whole !== null };
  if (atHome === null || whole === null) return { number: atHome ?? whole, isAmbiguous };
  const isWhole = isAmbiguous ? twofold === 'international' : isMeantWhole({ marked, atHome, whole, home });
  return { number: isWhole ? whole : atHome, isAmbiguous };
}

/** Both readings of a number of which nothing says for certain which is meant; null for every other. */
export function findAmbiguous(written: string, home: PhoneCountry): AmbiguousNumber | null {
  const marked = strip(written);
  if (marked.startsWith('+')) return null;
  const { atHome, whole, isAmbiguous } = readBothWays(marked, home);
  return isAmbiguous && atHome && whole ? { written, home: atHome, international: whole } : null;
}

function strip(written: string): string {
  return unwrapNumber(written)
    .replace(/^\(\+\s*(\d[\d\s]*)\)/, '+$1 ')
    .replace(/^\(?00\)?(?=[\s(]*[1-9])/, '+');
}

/**
 * A number in a row that says its own country: without plus or 00 it is of that country or of none, whatever other country has such numbers.
 */
export function readNumberOf(country: PhoneCountry, written: string): string | null {
  const marked = strip(written);
  if (marked.startsWith('+')) return readMarked(marked);
  const { atHome, whole } = readBothWays(marked, country);
  const isOfCountry =
    whole !== null && marked.replaceAll(/\D/g, '').startsWith(getCountryCallingCode(country));
  if (atHome === null || whole === null || !isOfCountry) return atHome ?? (isOfCountry ? whole : null);
  return isMeantWhole({ marked, atHome, whole, home: country }) ? whole : atHome;
}

/** Whether it is a number that people carry along, by the ranges that are known; of countries with one kind for both every number may be. */
export function isMobileNumber(number: string): boolean {
  return isMobile(number);
}

function readBothWays(marked: string, home: PhoneCountry | undefined) {
  // An area code in brackets is no country code.
  const whole = marked.startsWith('(') ? null : readMarked(`+${marked}`);
  const atHome = home ? readMarked(marked, home) : null;
  if (!home || !atHome || !whole || atHome === whole) return { atHome, whole, isAmbiguous: false };
  const isAmbiguous =
    !marked.startsWith(getCountryCallingCode(home)) &&
    !isMobile(atHome) &&
    (isMobile(whole) || whole.length > DIGITS_WITH_CODE);
  return { atHome, whole, isAmbiguous };
}

type Readings = { marked: string; atHome: string; whole: string; home: PhoneCountry | undefined };

/** What begins like the code of the home country has it, unless it is a mobile number there that happens to begin so. */
function isMeantWhole({ marked, atHome, whole, home }: Readings): boolean {
  if (!home || !marked.startsWith(getCountryCallingCode(home))) return false;
  return !isMobile(atHome) || isMobile(whole);
}

/** By the ranges that are known, or by those of a country that has one kind for both. */
function isMobile(number: string): boolean {
  const kind = parseByRanges(number)?.getType();
  return kind === 'MOBILE' || kind === 'FIXED_LINE_OR_MOBILE';
}

/** What is no number of its country any more, such as one of Benin with eight digits, is read in the spelling of today. */
function readMarked(marked: string, home?: PhoneCountry): string | null {
  if (!/^[+\d\s().\-/]+$/.test(marked)) return null;
  const read = readPossible(marked, home);
  if (read !== null || home) return read;
  const digits = marked.replaceAll(/\D/g, '');
  const today = identityOfNumber(`+${digits}`);
  return today === `+${digits}` ? null : readPossible(today);
}

function readPossible(marked: string, home?: PhoneCountry): string | null {
  const parsed = parsePhoneNumberFromString(marked, home);
  if (!parsed || parsed.number.length < SHORTEST || parsed.ext || !parsed.isPossible()) return null;
  // In North America area codes begin with 2 to 9; everywhere else numbers may begin with 0 where the country says so, today or tomorrow.
  if (parsed.countryCallingCode === '1' && /^[01]/.test(parsed.nationalNumber)) return null;
  return parsed.number;
}
