import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeCsvCell } from './csv-cell.ts';
import { CsvRowTooLarge, openCsvReader } from './csv-reader.ts';

const rules = { delimiter: ',', cells: 3, characters: 20 } as const;

function read(pieces: readonly string[], limits: Partial<typeof rules> | object = { characters: 1_000 }) {
  const reader = openCsvReader({ ...rules, ...limits });
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
}

describe('a CSV text', () => {
  test.each([
    ['rows ended in three ways', 'a,b\r\nc,\rd\n', [['a', 'b'], ['c', ''], ['d']]],
    ['empty lines', '\n\r\n\na\n\n\n', [['a']]],
    ['quoted cells', '"a, ""b""","c\r\nd",\n""', [['a, "b"', 'c\r\nd', ''], ['']]],
    [
      'spaces around quotes',
      '"a" , "b, c"  \n  " d ",e  , f',
      [
        ['a', 'b, c'],
        [' d ', 'e  ', ' f'],
      ],
    ],
    ['a last row without an end', 'a\nb,', [['a'], ['b', '']]],
    ['nothing', '', []],
  ])('with %s', (_, text, rows) => {
    expect(read([text]).map(({ cells }) => cells)).toEqual(rows);
  });

  test('comes back as it was written', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', 'ä', ' ') });
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell)), (rows) => {
        const text = rows.map((cells) => `${cells.map(writeCsvCell).join(',')}\r\n`).join('');
        expect(read([text]).map(({ cells }) => cells.join('|'))).toEqual(
          // A spreadsheet would run what begins with a line end, so that a quote mark stands before it.
          rows.map((cells) => cells.map((one) => one.replace(/^(?=[\r\n])/, "'")).join('|')),
        );
      }),
    );
  });
});

describe('a wrong quote spoils its own line alone:', () => {
  const good = { cells: ['c', 'd'], line: 2 };
  test.each([
    ['inside a cell', 'a"x"y,b\nc,d', [{ cells: ['a"x"y', 'b'], line: 1, problem: 'stray_quote' }, good]],
    ['behind a cell', '"a"x,b\nc,d\n', [{ cells: ['"a"x', 'b'], line: 1, problem: 'stray_quote' }, good]],
    [
      'behind the spaces of a cell',
      '"a" x,b\nc,d',
      [{ cells: ['"a" x', 'b'], line: 1, problem: 'stray_quote' }, good],
    ],
    ['one alone', '"a,b\r\nc,d', [{ cells: ['"a', 'b'], line: 1, problem: 'open_quote' }, good]],
    [
      'one before a row with quotes',
      '"a,b\nc,d\n"e","f"',
      [{ cells: ['"a', 'b'], line: 1, problem: 'open_quote' }, good, { cells: ['e', 'f'], line: 3 }],
    ],
    [
      'one in the last row',
      '"c\nd",x\na,"b',
      [
        { cells: ['c\nd', 'x'], line: 1 },
        { cells: ['a', '"b'], line: 3, problem: 'open_quote' },
      ],
    ],
  ])('%s', (_, text, rows) => {
    expect(read([text])).toEqual(rows);
  });

  test('one that opens far from any other', () => {
    const rows = read([`"a\n${'b\n'.repeat(50)}`], {});
    expect(rows).toHaveLength(51);
    expect(rows.filter(({ problem }) => problem)).toEqual([
      { cells: ['"a'], line: 1, problem: 'open_quote' },
    ]);
  });
});

describe('a row too large', () => {
  const judge = (text: string) => {
    try {
      return `${read([text], {}).length} rows`;
    } catch (error) {
      if (error instanceof CsvRowTooLarge) return `${error.problem} in line ${error.line}`;
      throw error;
    }
  };
  test.each([
    ['rows at the limit', 'a,b,c\nd,e,f\r\ng,h,i\rj,k,l', '4 rows'],
    ['one cell too many', 'a,b,c\nd,e,f,g\n', 'cells in line 2'],
    ['commas alone', ',,,', 'cells in line 1'],
    ['commas inside quotes', '"a,b,c,d,e",f\n', '1 rows'],
    ['quotes inside quotes', '"a"",,,,""b",c,d\n', '1 rows'],
    ['a long row', `a,b\r\n${'x'.repeat(21)}`, 'characters in line 2'],
    ['a row over many lines', `"a\nb\nc",d\n1,2,3,4`, 'cells in line 4'],
    ['a long line behind a wrong quote', `a"b"${'x'.repeat(21)}`, 'characters in line 1'],
    ['carriage returns alone', 'a,b\r\r1,2,3,4', 'cells in line 3'],
  ])('%s', (_, text, expected) => {
    expect(judge(text)).toBe(expected);
  });
});

test('any text is read the same in any pieces', () => {
  const unit = fc.constantFrom('a', ',', '"', '\n', '\r', 'ä', ' ');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 60 }), fc.nat({ max: 59 }), (text, cut) => {
      const filler = 'x,y\n'.repeat(1_200);
      const whole = read([filler + text + filler], { cells: 100, characters: 10_000 });
      const parts = [filler + text.slice(0, cut), text.slice(cut) + filler];
      expect(read(parts, { cells: 100, characters: 10_000 })).toEqual(whole);
    }),
    { numRuns: 200 },
  );
});

test('quotes that never close are read in one go, however many there are', () => {
  // Each line opens a quote when it is read alone, and keeps one open when it is read inside of it.
  const lines = 20_000;
  const text = `x"${'x'.repeat(40)}","\n"${'y'.repeat(40)}\n${'z'.repeat(40)}\n`.repeat(lines);
  const rows = read([text], { cells: 1_000, characters: 1_000_000 });
  expect(rows.filter(({ problem }) => problem).length).toBeGreaterThanOrEqual(lines);
});
