import { getCountries } from 'libphonenumber-js/min';
import { expect, test } from 'vitest';
import { phoneCountries, readPhoneCountry } from '@app/domain/contacts/phone-country';
import { findAmbiguous, readPhoneNumber } from '../../src/contacts/phone-number.ts';

test.each([
  ['+44 7700 900123', '+447700900123'],
  ['0044 (0)7700-900123', '+447700900123'],
  ['1 415 555 2671', '+14155552671'],
  ['+1 555 010 0000', '+15550100000'],
  ['+39 06 1234 5678', '+390612345678'],
  ['+999 1234567', null],
  ['+44 77', null],
  ['+1 0000000000', null],
  ['07700 900123', null],
  ['+1 800 FLOWERS', null],
  ['+14155552671 ext 5', null],
  ['+49 1712', null],
  ['+683 4002', '+6834002'],
  ['not a number', null],
  ['tel:+49-171-1234567', '+491711234567'],
  ['', null],
])('%j is %j', (written, stored) => {
  expect(readPhoneNumber(written)).toBe(stored);
});

test.each([
  ['0171/1234567', 'DE', '+491711234567'],
  ['(0171) 123.4567', 'DE', '+491711234567'],
  ['1711234567', 'DE', '+491711234567'],
  ['491711234567', 'DE', '+491711234567'],
  ['+44 7700 900123', 'DE', '+447700900123'],
  ['0044 7700 900123', 'DE', '+447700900123'],
  ['(415) 555-2671', 'US', '+14155552671'],
  ['1 415 555 2671', 'US', '+14155552671'],
  ['06 1234 5678', 'IT', '+390612345678'],
  ['612 345 678', 'ES', '+34612345678'],
  ['1712', 'DE', null],
  ['0171', 'DE', null],
  ['keine', 'DE', null],
  ['4,9171E+12', 'DE', null],
  // Mobile numbers that begin like the code of their country, or like that of another one.
  ['3921234567', 'IT', '+393921234567'],
  ['393331234567', 'IT', '+393331234567'],
  ['9123456789', 'IN', '+919123456789'],
  ['919123456789', 'IN', '+919123456789'],
  ['15123456789', 'DE', '+4915123456789'],
  ['34912345678', 'BR', '+5534912345678'],
  ['81234567890', 'ID', '+6281234567890'],
  ['6641234567', 'AT', '+436641234567'],
  ['4915112345678', 'DE', '+4915112345678'],
  // No country's numbers are so short: a number at home.
  ['4311234567', 'DE', '+494311234567'],
  ['69123456789', 'DE', '+4969123456789'],
] as const)('%j in a file from %s is %j', (written, home, stored) => {
  expect(readPhoneNumber(written, home)).toBe(stored);
});

test.each([
  ['33612345678', 'DE', '+4933612345678', '+33612345678'],
  ['447700900123', 'DE', '+49447700900123', '+447700900123'],
  ['4915112345678', 'AT', '+434915112345678', '+4915112345678'],
  ["'44 7700 900123", 'DE', '+49447700900123', '+447700900123'],
  ['43 664 1234567', 'DE', '+49436641234567', '+436641234567'],
  ['33612345678', 'IT', '+3933612345678', '+33612345678'],
] as const)('%j in a file from %s can be read in two ways', (written, country, home, international) => {
  expect(findAmbiguous(written, country)).toEqual({ written, home, international });
  expect(readPhoneNumber(written, country)).toBe(international);
  expect(readPhoneNumber(written, country, 'home')).toBe(home);
});

test.each([
  ['+33612345678', 'DE'],
  ['0033612345678', 'DE'],
  ['0171 1234567', 'DE'],
  ['15123456789', 'DE'],
  ['491711234567', 'DE'],
  ['34612345678', 'FR'],
  ['4311234567', 'DE'],
  ['keine', 'DE'],
] as const)('%j in a file from %s can be read in one', (written, country) => {
  expect(findAmbiguous(written, country)).toBeNull();
});

test('the countries that can be chosen are those whose numbers are understood', () => {
  expect([...phoneCountries].toSorted()).toEqual(getCountries().toSorted());
  expect(readPhoneCountry('DE')).toBe('DE');
  expect(readPhoneCountry('de')).toBeUndefined();
});
