import type { PhoneCountry } from '@app/domain/contacts/phone-country';
import type { AmbiguousNumber, AmbiguousReading } from '@app/domain/contacts/ambiguous-number';
import { parsePhoneNumberFromString as parseByRanges } from 'libphonenumber-js/max';
import { getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** In these countries and services a number may begin with 0 after the country code. */
const LEADING_ZERO = new Set(['39', '225', '241', '242', '378', '379']);

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
  return written
    .trim()
    .replace(/^['’]\s*/, '')
    .replace(/^tel:\s*/i, '')
    .replace(/^00/, '+');
}

function readBothWays(marked: string, home: PhoneCountry | undefined) {
  const whole = readMarked(`+${marked}`);
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

function readMarked(marked: string, home?: PhoneCountry): string | null {
  const parsed = parsePhoneNumberFromString(marked, home);
  if (
    !parsed ||
    parsed.number.length < SHORTEST ||
    parsed.ext ||
    !parsed.isPossible() ||
    !/^[+\d\s().\-/\u00a0\u2010-\u2015]+$/.test(marked)
  )
    return null;
  const national = parsed.nationalNumber;
  if (national.startsWith('0') && !LEADING_ZERO.has(parsed.countryCallingCode)) return null;
  if (parsed.countryCallingCode === '1' && national.startsWith('1')) return null;
  return parsed.number;
}
