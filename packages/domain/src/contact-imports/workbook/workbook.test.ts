import { describe, expect, test } from 'vitest';
import { readColumn, readNumberKind, writeNumber } from './cell-values.ts';
import { openSheetReader, openStringsReader } from './sheet-reader.ts';
import { readSheets, readStyles } from './workbook-parts.ts';
import { XmlUnreadable } from './xml-reader.ts';
import { findDirectory, readDirectory, ZipUnreadable } from './zip-directory.ts';

const rules = {
  strings: ['Ann', 'Bob & Co'],
  styles: ['number', 'date'],
  isFrom1904: false,
  cells: 10,
} as const;

/** In pieces of a few letters, as a file may arrive. */
function readSheet(xml: string, size = 7) {
  const reader = openSheetReader(rules);
  const rows = [];
  for (let at = 0; at < xml.length; at += size) rows.push(...reader.push(xml.slice(at, at + size)));
  return [...rows, ...reader.end()];
}

describe('a sheet', () => {
  test('has the rows that are not empty, with their values in the columns where they stand', () => {
    const xml = `<?xml version="1.0"?><x:worksheet xmlns:x="y"><x:sheetData><x:row r="1"/>
      <x:row r="3"><x:c r="A3" t="s"><x:v>1</x:v></x:c><x:c r="C3"><x:v>4.91511234567E11</x:v></x:c></x:row>
      <x:row r="4"><x:c t="inlineStr"><x:is><x:r><x:t>Da</x:t></x:r><x:r><x:t>na</x:t></x:r><x:rPh><x:t>spoken</x:t></x:rPh></x:is></x:c>
        <x:c s="1"><x:v>46347</x:v></x:c><x:c t="b"><x:v>1</x:v></x:c><x:c t="e"><x:v>#N/A</x:v></x:c>
        <x:c t="str"><x:f>A1&amp;"&gt;"</x:f><x:v>a &lt;b&gt; &#252;</x:v></x:c></x:row></x:sheetData></x:worksheet>`;
    expect(readSheet(xml)).toEqual([
      { cells: ['Bob & Co', '', '491511234567'], line: 3 },
      { cells: ['Dana', '2026-11-21', 'TRUE', '', 'a <b> ü'], line: 4 },
    ]);
  });

  test('with a cell far to the right is refused, and so is one that is no XML', () => {
    expect(() => readSheet('<row r="1"><c r="XFD1"><v>1</v></c></row>')).toThrow(/too many cells/);
    expect(() => readSheet('<!DOCTYPE a [<!ENTITY b "c">]><row/>')).toThrow(XmlUnreadable);
    expect(() => readSheet('<row r="1"><c')).toThrow(XmlUnreadable);
  });
});

test('shared texts keep their order, also empty ones', () => {
  const reader = openStringsReader();
  const xml =
    '<sst><si><t xml:space="preserve"> Ann</t></si><si/><si><t>Bob</t><rPh><t>x</t></rPh></si></sst>';
  expect([...reader.push(xml), ...reader.end()]).toEqual([' Ann', '', 'Bob']);
});

test.each([
  ['46347', 'date', '2026-11-21'],
  ['46347.5', 'date', '2026-11-21 12:00'],
  ['1', 'date', '1900-01-01'],
  ['0.25', 'date', '06:00'],
  ['0.30000000000000004', 'number', '0.3'],
  ['1.5E3', 'number', '1500'],
  ['4.91511234567E+11', 'number', '491511234567'],
  ['', 'number', ''],
  ['n/a', 'number', 'n/a'],
] as const)('the number %s of a %s is %j', (raw, kind, text) => {
  expect(writeNumber(raw, kind, false)).toBe(text);
});

test.each([
  [14, undefined, 'date'],
  [0, undefined, 'number'],
  [164, 'dd\\.mm\\.yyyy', 'date'],
  [164, '[$-409]d mmm yy;@', 'date'],
  [164, '[h]:mm', 'date'],
  [164, '"days" 0', 'number'],
  [164, '[Red]0.00', 'number'],
  [164, 'General', 'number'],
  [164, '+0', 'number'],
] as const)('the format %s %j shows a %s', (format, code, kind) => {
  expect(readNumberKind(format, code)).toBe(kind);
});

test('columns are counted by their letters', () => {
  expect(['A1', 'Z9', 'AA1', 'XFD1048576'].map(readColumn)).toEqual([0, 25, 26, 16_383]);
});

test('sheets stand in their order with what is hidden, and styles say which numbers are days', () => {
  const workbook = `<workbook><workbookPr date1904="1"/><sheets><sheet name="A &amp; B" sheetId="4" r:id="rId2"/>
    <sheet name="Old" state="veryHidden" sheetId="1" r:id="rId1"/></sheets></workbook>`;
  const relations = `<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/>
    <Relationship Id="rId2" Target="/xl/worksheets/sheet2.xml"/></Relationships>`;
  expect(readSheets(workbook, relations)).toEqual({
    isFrom1904: true,
    sheets: [
      { name: 'A & B', path: 'xl/worksheets/sheet2.xml', isHidden: false },
      { name: 'Old', path: 'xl/worksheets/sheet1.xml', isHidden: true },
    ],
  });
  expect(
    readStyles(
      '<styleSheet><numFmts><numFmt numFmtId="165" formatCode="yyyy-mm-dd"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="165"/></cellXfs></styleSheet>',
    ),
  ).toEqual(['number', 'date']);
});

test('what is no archive, or one with a password, is refused', () => {
  expect(() => findDirectory(new Uint8Array(100))).toThrow(ZipUnreadable);
  const entry = new Uint8Array(46);
  const view = new DataView(entry.buffer);
  view.setUint32(0, 0x02014b50, true);
  expect(readDirectory(entry).size).toBe(1);
  view.setUint16(8, 1, true);
  expect(() => readDirectory(entry)).toThrow(ZipUnreadable);
  view.setUint16(8, 0, true);
  view.setUint32(24, 0xffffff00, true);
  expect(() => readDirectory(entry)).toThrow(ZipUnreadable);
});
