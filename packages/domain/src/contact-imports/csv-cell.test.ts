import fc from 'fast-check';
import { expect, test } from 'vitest';
import { restoreCsvCell, writeCsvCell } from './csv-cell.ts';
import { readCsvHeader } from './csv-reader.ts';

test('what is written never begins like a formula and comes back the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."='+-@\t\r a,;.12＝") }), (text) => {
      const cell = writeCsvCell(text);
      const [content = ''] = readCsvHeader(`${cell.replaceAll('\r', '\t')},,,,,,,,,,,,,,,,,,,,,,`).cells;
      // Wherever a comma or a semicolon separates the columns; a plain number is harmless.
      const risky = content.split(';').filter((part) => !/^[+-]?\d+(\.\d+)?$/.test(part));
      expect(risky.filter((part) => /^[=+\-@\t\r＝]/.test(part))).toEqual([]);
      if (!text.includes('\r')) expect(restoreCsvCell(content)).toBe(text);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['+447700900123', '+447700900123'],
  ['-12.5', '-12.5'],
  ["'+447700900123", "''+447700900123"],
  ['+44 7700 900123', "'+44 7700 900123"],
  ['+1+1', "'+1+1"],
  ['=1+1', "'=1+1"],
  ['vip;=1+1;+44', "vip;'=1+1;+44"],
])('%j is written as %j: only what can run is guarded', (text, cell) => {
  expect(writeCsvCell(text)).toBe(cell);
  expect(restoreCsvCell(cell)).toBe(text);
});

test('a number that another product guarded is read as the number', () => {
  expect(restoreCsvCell("'+447700900123")).toBe('+447700900123');
});

test.each([
  ['a,b\nc', ['a', 'b']],
  ['\ufeff"a,""b""",c', ['a,"b"', 'c']],
  ['"two\nlines",x\r\n', ['two\nlines', 'x']],
  ['', ['']],
  // As the rows below it are read: a quote in the wrong place is a sign like any other.
  ['a"b,c\n', ['a"b', 'c']],
])('the header of %j', (text, cells) => {
  expect(readCsvHeader(text).cells).toEqual(cells);
});

test.each([
  ['name,phone', ',', false],
  ['Name;Telefon\n', ';', true],
  ['Name;Telefon;"Ort, Land"\r\nAnn,,,;1;x', ';', true],
  ['name,phone,"tags;a;b;c"\n', ',', true],
  ['Name\tPhone\tCity, country\n', '\t', true],
  ['name\n;;;', ',', true],
  ['"Full\nname";Phone', ';', false],
])('the delimiter of %j is %j', (text, delimiter, isWhole) => {
  expect(readCsvHeader(text)).toMatchObject({ delimiter, isWhole });
});
