import { CsvRowTooLarge, type CsvRow } from '../csv-reader.ts';
import { readColumn, writeNumber, type NumberKind } from './cell-values.ts';
import { openXmlReader } from './xml-reader.ts';

type Reader<Read> = { push(piece: string): Read[]; end(): Read[] };

/** The texts that cells share (`sharedStrings.xml`), in their order. How they are spoken (`rPh`) is no part of them. */
export function openStringsReader(): Reader<string> {
  let found: string[] = [];
  let current: string | null = null;
  let isText = false;
  let spoken = 0;
  const xml = openXmlReader({
    open(name) {
      if (name === 'si') current = '';
      else if (name === 'rPh') spoken += 1;
      else if (name === 't') isText = spoken === 0;
    },
    text(text) {
      if (isText && current !== null) current += text;
    },
    close(name) {
      if (name === 't') isText = false;
      else if (name === 'rPh') spoken -= 1;
      else if (name === 'si') {
        found.push(current ?? '');
        current = null;
      }
    },
  });
  return readingWith(xml, () => {
    const read = found;
    found = [];
    return read;
  });
}

export type SheetRules = {
  strings: readonly string[];
  styles: readonly NumberKind[];
  isFrom1904: boolean;
  cells: number;
};

/**
 * The rows of a sheet, of which empty ones are none; `line` is the number that people see beside it. A formula has the value that was last
 * reckoned, an error none.
 */
export function openSheetReader(rules: SheetRules): Reader<CsvRow> {
  let found: CsvRow[] = [];
  let row: CsvRow | null = null;
  let line = 0;
  let place = 0;
  let type = 'n';
  let style = 0;
  let value = '';
  let isValue = false;
  let spoken = 0;

  const xml = openXmlReader({
    open(name, attribute) {
      if (name === 'row') {
        line = Number(attribute('r') ?? line + 1);
        row = { cells: [], line };
        place = -1;
      } else if (name === 'c') {
        const reference = attribute('r');
        place = reference === undefined ? place + 1 : readColumn(reference);
        type = attribute('t') ?? 'n';
        style = Number(attribute('s') ?? 0);
        value = '';
      } else if (name === 'rPh') spoken += 1;
      else if (name === 'v' || name === 't') isValue = spoken === 0;
    },
    text(text) {
      if (isValue) value += text;
    },
    close(name) {
      if (name === 'v' || name === 't') isValue = false;
      else if (name === 'rPh') spoken -= 1;
      else if (name === 'c') endCell();
      else if (name === 'row') endRow();
    },
  });

  function endCell(): void {
    const text = readValue({ type, style, value }, rules);
    if (!row || text === '') return;
    if (place >= rules.cells) throw new CsvRowTooLarge('cells', line);
    while (row.cells.length < place) row.cells.push('');
    row.cells[place] = text;
  }

  function endRow(): void {
    if (row && row.cells.length > 0) found.push(row);
    row = null;
  }

  return readingWith(xml, () => {
    const rows = found;
    found = [];
    return rows;
  });
}

function readValue(
  { type, style, value }: { type: string; style: number; value: string },
  { strings, styles, isFrom1904 }: SheetRules,
): string {
  switch (type) {
    case 's':
      return strings[Number(value)] ?? '';
    case 'b':
      return value === '' ? '' : value === '1' ? 'TRUE' : 'FALSE';
    case 'e':
      return '';
    case 'n':
      return writeNumber(value, styles[style] ?? 'number', isFrom1904);
    default:
      return value;
  }
}

function readingWith<Read>(xml: ReturnType<typeof openXmlReader>, take: () => Read[]): Reader<Read> {
  return {
    push(piece) {
      xml.push(piece);
      return take();
    },
    end() {
      xml.end();
      return take();
    },
  };
}
