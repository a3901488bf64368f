import { expect, test } from 'vitest';
import { ContentReader } from '../content-reader.ts';
import { readSuggestions } from './rcs-suggestions.ts';

test.each([
  ['in groups', '+49 151-200.400/01', '+4915120040001'],
  ['with the zero of callers at home', '+49 (0)151 20040001', '+4915120040001'],
  ['with two zeros in front', '0049 151 20040001', '+4915120040001'],
  ['with signs that nobody sees', '\u202a+49 151 20040001\u202c', '+4915120040001'],
  ['as it is dialled at home', '0151 / 2004', '01512004'],
  ['of a service', '*100#', '*100#'],
])('a button dials a number that is written %s', (_, phone, expected) => {
  const reader = new ContentReader();
  const [suggestion] = readSuggestions(reader, [{ type: 'dial', text: 'Call', phone }], 'suggestions', 4);
  expect(suggestion).toMatchObject({ type: 'dial', phone: expected });
  expect(reader.faults).toEqual([]);
});
