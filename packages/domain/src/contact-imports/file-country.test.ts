import { expect, test } from 'vitest';
import { guessFileCountry } from './file-country.ts';

const spanish = Array.from({ length: 199 }, (_, index) => `612 345 ${100 + index}`);

test.each([
  [
    'half of all have a code',
    ['+49 171 2345678', '0171 9876543', '0049 30 1234567', '+43 660 1234567'],
    'DE',
  ],
  ['one of two has a code', ['612 345 678', '+34 612 345 679'], 'ES'],
])('%s and says the country of the others', (_, numbers, country) => {
  expect(guessFileCountry(numbers)).toEqual({ country, isCertain: true });
});

test.each([
  ['one stranger among many', [...spanish, '+351 912 345 678'], 'PT'],
  ['less than half of all', ['+49 171 2345678', '0171 9876543', '0171 9876544'], 'DE'],
])('%s is no more than a hint', (_, numbers, country) => {
  expect(guessFileCountry(numbers)).toEqual({ country, isCertain: false });
});

test.each([
  ['as many of one as of another', ['+49 171 2345678', '+43 660 1234567', '0171 9876543']],
  ['each has its code', ['+49 171 2345678', '+49 171 2345679']],
  ['none has one', ['0171 2345678', '030 1234']],
  ['nothing that is a number', ['', 'n/a', '+', '-']],
  ['a code that no country has', ['+999 123456789', '0171 2345678']],
])('%s says nothing', (_, numbers) => {
  expect(guessFileCountry(numbers)).toBeUndefined();
});
