import { expect, test } from 'vitest';
import { guessFileCountry } from './file-country.ts';

test.each([
  ['most with a code', ['+49 171 2345678', '0171 9876543', '0049 30 1234567', '+43 660 1234567'], 'DE'],
  ['one with a code speaks for the others', ['612 345 678', '+34 612 345 679'], 'ES'],
  ['as many of one as of another', ['+49 171 2345678', '+43 660 1234567', '0171 9876543'], undefined],
  ['each has its code', ['+49 171 2345678', '+49 171 2345679'], undefined],
  ['none has one', ['0171 2345678', '030 1234'], undefined],
  ['nothing that is a number', ['', 'n/a', '+', '-'], undefined],
  ['a code that no country has', ['+999 123456789', '0171 2345678'], undefined],
])('%s', (_, numbers, country) => {
  expect(guessFileCountry(numbers)).toBe(country);
});
