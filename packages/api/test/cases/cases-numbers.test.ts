import { getCountries, getExampleNumber, type CountryCode } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { describe, expect, test } from 'vitest';
import { readPhoneCountry } from '@app/domain/contacts/phone-country';
import { readNumberOf, readPhoneNumber } from '../../src/contacts/phone-number.ts';

const known = getCountries().flatMap((country: CountryCode) => {
  const example = getExampleNumber(country, examples);
  const home = readPhoneCountry(country);
  return example && home ? [{ country: home, example, number: String(example.number) }] : [];
});

describe('an example number of each country', () => {
  test('there is one of nearly all', () => expect(known.length).toBeGreaterThan(230));

  test.each(known)('$country $number', ({ country, example, number }) => {
    const international = example.formatInternational();
    expect(readPhoneNumber(international)).toBe(number);
    expect(readPhoneNumber(number)).toBe(number);
    expect(readPhoneNumber(number.replace('+', '00'))).toBe(number);
    expect(readPhoneNumber(international, 'DE')).toBe(number);
    expect(readPhoneNumber(example.formatNational(), country)).toBe(number);
    expect(readNumberOf(country, example.formatNational())).toBe(number);
    expect(readNumberOf(country, international)).toBe(number);
  });
});
