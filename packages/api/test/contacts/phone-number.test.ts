import { getCountries } from 'libphonenumber-js/min';
import { expect, test } from 'vitest';
import { phoneCountries, readPhoneCountry } from '@app/domain/contacts/phone-country';
import { readPhoneNumber } from '../../src/contacts/phone-number.ts';

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
] as const)('%j in a file from %s is %j', (written, home, stored) => {
  expect(readPhoneNumber(written, home)).toBe(stored);
});

test('the countries that can be chosen are those whose numbers are understood', () => {
  expect([...phoneCountries].toSorted()).toEqual(getCountries().toSorted());
  expect(readPhoneCountry('DE')).toBe('DE');
  expect(readPhoneCountry('de')).toBeUndefined();
});
