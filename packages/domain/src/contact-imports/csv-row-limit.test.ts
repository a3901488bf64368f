import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CsvRowTooLarge, limitCsvRows } from './csv-row-limit.ts';

const limit = { cells: 3, characters: 20, delimiter: ',' } as const;

function judge(pieces: readonly string[]): string {
  const look = limitCsvRows(limit);
  try {
    pieces.forEach(look);
    return 'small enough';
  } catch (error) {
    if (error instanceof CsvRowTooLarge) return `${error.problem} in line ${error.line}`;
    throw error;
  }
}

describe('a CSV text', () => {
  test.each([
    ['rows at the limit', 'a,b,c\nd,e,f\r\ng,h,i\rj,k,l', 'small enough'],
    ['one cell too many', 'a,b,c\nd,e,f,g\n', 'cells in line 2'],
    ['commas alone', ',,,', 'cells in line 1'],
    ['commas inside quotes', '"a,b,c,d,e",f\n', 'small enough'],
    ['quotes inside quotes', '"a"",,,,""b",c,d\n', 'small enough'],
    ['a long row', `a,b\r\n${'x'.repeat(21)}`, 'characters in line 2'],
    ['a row over many lines', `"a\nb\nc",d\n1,2,3,4`, 'cells in line 4'],
    ['a quote that never closes', `"a\n${'b\n'.repeat(20)}`, 'characters in line 1'],
    ['carriage returns alone', 'a,b\r\r1,2,3,4', 'cells in line 3'],
  ])('with %s', (_, text, expected) => {
    expect(judge([text])).toBe(expected);
  });

  test('is judged the same in any pieces', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', 'ä'), maxLength: 60 });
    fc.assert(
      fc.property(text, (whole) => {
        expect(judge([...whole])).toBe(judge([whole]));
      }),
    );
  });
});
