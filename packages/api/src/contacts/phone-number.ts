import type { PhoneCountry } from '@app/domain/contacts/phone-country';
import { getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** In these countries and services a number may begin with 0 after the country code. */
const LEADING_ZERO = new Set(['39', '225', '241', '242', '378', '379']);

/** With its plus: no country has shorter ones, though the lengths of some allow for numbers of a village among itself. */
const SHORTEST = '+'.length + 7;

/**
 * A number as people write it, as E.164 with the plus; null when no country has such a number. The country must be
 * there (`+44…`, `0044…`, or the digits of a whole international number). It judges by country code and length, not
 * by the ranges in use: those change weekly, and the platform's own test numbers lie outside of them.
 * A quote mark before it, by which spreadsheets keep its zeros, is none of it.
 * Where a home country is given, what has neither plus nor 00 is a number of it, with or without its leading zero.
 */
export function readPhoneNumber(written: string, home?: PhoneCountry): string | null {
  const marked = written
    .trim()
    .replace(/^['’]\s*/, '')
    .replace(/^tel:\s*/i, '')
    .replace(/^00/, '+');
  if (marked.startsWith('+')) return readMarked(marked);
  const whole = readMarked(`+${marked}`);
  if (!home || (whole && marked.startsWith(getCountryCallingCode(home)))) return whole;
  return readMarked(marked, home) ?? whole;
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
