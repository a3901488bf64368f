import { expect, test } from 'vitest';
import { openWorkbook } from '@app/domain/contact-imports/workbook/read-workbook';
import { ROWS_OF_SHEET } from '@app/domain/contact-imports/workbook/write-sheet';
import { decodeEntry } from '../../src/contact-imports/reading/workbook-bytes.ts';
import { addRows, beginWorkbook, endWorkbook } from '../../src/platform/workbooks/workbook-file.ts';

async function readBack(bytes: Uint8Array) {
  const workbook = await openWorkbook({
    size: bytes.length,
    decode: decodeEntry,
    async *read(from, to) {
      yield bytes.subarray(from, to);
    },
  });
  const read = async (sheet: string) => {
    const rows = [];
    for await (const group of workbook.rows(sheet, { cells: 100 })) rows.push(...group);
    return rows.map(({ cells }) => cells);
  };
  return { sheets: workbook.sheets, read };
}

/** As another process goes on with what the one before has kept. */
const carry = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

test('pieces that are written apart are one workbook, in which texts stay texts and days are days', async () => {
  const begun = beginWorkbook(['name', 'phone', 'born', 'orders']);
  const first = addRows(carry(begun.place), [
    ['Ann <Lee> & Co', '+447700900123', { day: '2001-02-03' }, { number: 12.5 }],
    ['', '00', { day: '1899-01-01' }, ''],
  ]);
  const second = addRows(carry(first.place), [['Jürgen 🎈\u0001', '=1+1', '', { number: 3 }]]);
  const bytes = Buffer.concat([begun.bytes, first.bytes, second.bytes, endWorkbook(carry(second.place))]);
  const { sheets, read } = await readBack(bytes);
  expect(sheets).toEqual(['Sheet1']);
  expect(await read('Sheet1')).toEqual([
    ['name', 'phone', 'born', 'orders'],
    ['Ann <Lee> & Co', '+447700900123', '2001-02-03', '12.5'],
    ['', '00', '1899-01-01'],
    ['Jürgen 🎈', '=1+1', '', '3'],
  ]);
});

test('rows beyond what a sheet can have stand in the next one, below the same headings', async () => {
  const begun = beginWorkbook(['name']);
  const place = { ...begun.place, rows: ROWS_OF_SHEET - 1 };
  const added = addRows(place, [['Ann'], ['Bob'], ['Cat']]);
  const { sheets, read } = await readBack(
    Buffer.concat([begun.bytes, added.bytes, endWorkbook(added.place)]),
  );
  expect(sheets).toEqual(['Sheet1', 'Sheet2']);
  expect(await read('Sheet1')).toEqual([['name'], ['Ann']]);
  expect(await read('Sheet2')).toEqual([['name'], ['Bob'], ['Cat']]);
});
