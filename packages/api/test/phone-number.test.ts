import { expect, test } from 'vitest';
import { readPhoneNumber } from '../src/contacts/phone-number.ts';

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
  ['not a number', null],
  ['', null],
])('%j is %j', (written, stored) => {
  expect(readPhoneNumber(written)).toBe(stored);
});
