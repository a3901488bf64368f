import { expect, test } from 'vitest';
import { openCsvReader } from './csv-reader.ts';
import { openFailedRowsFile, type FailedRow, type FileColumns } from './failed-rows-file.ts';

function write(columns: FileColumns, rows: readonly FailedRow[]): string {
  const file = openFailedRowsFile(columns);
  return file.start + rows.map((row, index) => file.write(row, index)).join('') + file.end;
}

test('a CSV file has the columns of the other one, and the reason as its last', () => {
  const columns = { headings: ['Name', 'Telefon'], delimiter: ';' } as const;
  const text = write({ ...columns, headings: [...columns.headings] }, [
    { row: 2, message: 'Row 2: No', source: JSON.stringify(['Groß; Jürgen', '=1+1', 'too much']) },
    { row: 3, message: 'Row 3: Gone', source: null },
  ]);
  const reader = openCsvReader({ delimiter: ';', cells: 9, characters: 999 });
  expect(text.startsWith('\ufeff')).toBe(true);
  expect([...reader.push(text.slice(1)), ...reader.end()].map(({ cells }) => cells)).toEqual([
    ['Name', 'Telefon', 'Import error'],
    ['Groß; Jürgen', "'=1+1", 'Row 2: No', 'too much'],
    ['', '', 'Row 3: Gone'],
  ]);
});

test('the reason of an earlier try gives way to the new one', () => {
  const columns: FileColumns = { headings: ['name', 'phone', 'Import error'], delimiter: ',' };
  const rows = [{ row: 1, message: 'Row 1: New', source: '["Ann","1","Row 7: Old"]' }];
  expect(write(columns, rows)).toBe('\ufeffname,phone,Import error\r\nAnn,1,Row 1: New\r\n');
});

test('a value without a column stays behind the reason, also after another try', () => {
  const columns: FileColumns = { headings: ['name', 'phone', 'Import error'], delimiter: ',' };
  const rows = [{ row: 1, message: 'Row 1: New', source: '["Ann","1","Row 7: Old","extra"]' }];
  expect(write(columns, rows)).toBe('\ufeffname,phone,Import error\r\nAnn,1,Row 1: New,extra\r\n');
});

test('a JSON file has the elements, each with its reason', () => {
  const rows = [
    { row: 1, message: 'Row 1: No', source: '{"name":"Ann","tags":["a"]}' },
    { row: 2, message: 'Row 2: No', source: '7' },
    { row: 3, message: 'Row 3: Gone', source: null },
  ];
  expect(JSON.parse(write(null, rows))).toEqual({
    contacts: [
      { name: 'Ann', tags: ['a'], importError: 'Row 1: No' },
      { row: 2, value: 7, importError: 'Row 2: No' },
      { row: 3, value: null, importError: 'Row 3: Gone' },
    ],
  });
});
