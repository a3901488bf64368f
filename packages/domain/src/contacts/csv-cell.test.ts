import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCsvHeader, restoreCsvCell, writeCsvCell } from './csv-cell.ts';

test('what is written never begins like a formula and comes back the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."='+-@\t\r a,;") }), (text) => {
      const cell = writeCsvCell(text);
      const [content = ''] = readCsvHeader(cell.replaceAll('\r', '\t'));
      expect(content).not.toMatch(/^[=+\-@\t\r]/);
      if (!text.includes('\r')) expect(restoreCsvCell(content)).toBe(text);
    }),
  );
});

test.each([
  ['a,b\nc', ['a', 'b']],
  ['\ufeff"a,""b""",c', ['a,"b"', 'c']],
  ['"two\nlines",x\r\n', ['two\nlines', 'x']],
  ['', ['']],
])('the header of %j', (text, cells) => {
  expect(readCsvHeader(text)).toEqual(cells);
});
