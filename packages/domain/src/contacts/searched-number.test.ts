import { expect, test } from 'vitest';
import { searchedNumber } from './searched-number.ts';

test.each([
  ['0171 2345678', '1712345678'],
  ['0171/234-5678', '1712345678'],
  ['+49 (0)171 234', '+49171234'],
  ['0049 171 234', '+49171234'],
  ['+1 (415) 555', '+1415555'],
  ['7700 900-002', '7700900002'],
  ['5678', '5678'],
  ['0900', '0900'],
  ['(0)', null],
  ['Ann 5', null],
  ['a@b.c', null],
  ['', null],
])('%j is looked for as %j', (term, number) => {
  expect(searchedNumber(term)).toBe(number);
});
