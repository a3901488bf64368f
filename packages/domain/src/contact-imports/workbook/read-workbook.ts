import { CsvRowTooLarge, type CsvRow } from '../csv-reader.ts';
import { openSheetReader, openStringsReader } from './sheet-reader.ts';
import { readSheets, readStyles, type Sheet } from './workbook-parts.ts';
import { XmlUnreadable } from './xml-reader.ts';
import {
  findDirectory,
  LOCAL_BYTES,
  measureLocalHeader,
  readDirectory,
  TAIL_BYTES,
  ZipUnreadable,
  type ZipEntry,
} from './zip-directory.ts';

/** A file of which any part can be read, and what the host has to read it with. */
export type WorkbookSource = {
  size: number;
  read(from: number, to: number): AsyncIterable<Uint8Array>;
  /** Inflates (RFC 1951) where that is wanted, and decodes UTF-8; of a text that is longer than `most` bytes no more than a piece beyond. */
  decode(
    bytes: AsyncIterable<Uint8Array>,
    wanted: { isDeflated: boolean; most: number },
  ): AsyncIterable<string>;
};

export const workbookLimits = {
  /** Of the parts that are read at once. */
  partBytes: 32 * 2 ** 20,
  /** Of a sheet, which is read piece by piece. */
  sheetBytes: 4 * 2 ** 30,
  stringsBytes: 512 * 2 ** 20,
  strings: 4_000_000,
  charactersOfStrings: 96 * 2 ** 20,
} as const;

/** Why a workbook is not read; `sheet_gone` is one that was asked for by its name. */
export class WorkbookRefused extends Error {
  readonly problem: 'workbook_unreadable' | 'workbook_too_large' | 'sheet_gone';
  constructor(problem: WorkbookRefused['problem']) {
    super(problem);
    this.problem = problem;
  }
}

export type Workbook = {
  /** Those that people see. */
  sheets: readonly string[];
  /** The rows of the sheet of this name, else of the first. `strings` bounds how many shared texts are read ahead, where only the first rows are wanted. */
  rows(sheet: string | undefined, most: { cells: number; strings?: number }): AsyncGenerator<CsvRow[]>;
};

/** Opens an Excel file (ECMA-376). Its rows are read piece by piece; only the texts that cells share are kept. */
export async function openWorkbook(source: WorkbookSource): Promise<Workbook> {
  const entries = await refusing(async () => {
    const { from, bytes } = findDirectory(
      await readAll(source, Math.max(0, source.size - TAIL_BYTES), source.size),
    );
    return readDirectory(await readAll(source, from, Math.min(from + bytes, source.size)));
  });
  const { sheets, isFrom1904, styles } = await refusing(async () => ({
    ...readSheets(
      await readPart(source, entries.get('xl/workbook.xml')),
      await readPart(source, entries.get('xl/_rels/workbook.xml.rels')),
    ),
    styles: entries.has('xl/styles.xml')
      ? readStyles(await readPart(source, entries.get('xl/styles.xml')))
      : [],
  }));
  const shown = sheets.filter(({ path, isHidden }) => !isHidden && entries.has(path));

  async function* rows(name: string | undefined, most: { cells: number; strings?: number }) {
    const sheet = findSheet(shown, name);
    const strings = await readStrings(source, entries.get('xl/sharedStrings.xml'), most.strings);
    const reader = openSheetReader({ strings, styles, isFrom1904, cells: most.cells });
    const entry = entries.get(sheet.path);
    if (!entry) throw new WorkbookRefused('workbook_unreadable');
    try {
      for await (const text of readEntry(source, entry, workbookLimits.sheetBytes)) yield reader.push(text);
      yield reader.end();
    } catch (error) {
      throw asRefusal(error);
    }
  }

  return { sheets: shown.map(({ name }) => name), rows };
}

function findSheet(sheets: readonly Sheet[], name: string | undefined): Sheet {
  const sheet = name === undefined ? sheets[0] : sheets.find((one) => one.name === name);
  if (sheet) return sheet;
  throw new WorkbookRefused(name === undefined ? 'workbook_unreadable' : 'sheet_gone');
}

async function readStrings(
  source: WorkbookSource,
  entry: ZipEntry | undefined,
  enough = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const strings: string[] = [];
  if (!entry) return strings;
  const reader = openStringsReader();
  let characters = 0;
  const take = (read: string[]) => {
    for (const text of read) {
      characters += text.length;
      strings.push(text);
    }
    if (strings.length > workbookLimits.strings || characters > workbookLimits.charactersOfStrings)
      throw new WorkbookRefused('workbook_too_large');
  };
  return refusing(async () => {
    for await (const text of readEntry(source, entry, workbookLimits.stringsBytes)) {
      take(reader.push(text));
      if (strings.length >= enough) return strings;
    }
    take(reader.end());
    return strings;
  });
}

async function readPart(source: WorkbookSource, entry: ZipEntry | undefined): Promise<string> {
  if (!entry) throw new WorkbookRefused('workbook_unreadable');
  let whole = '';
  for await (const text of readEntry(source, entry, workbookLimits.partBytes)) whole += text;
  return whole;
}

async function* readEntry(
  source: WorkbookSource,
  { offset, compressedSize, size, isDeflated }: ZipEntry,
  most: number,
): AsyncGenerator<string> {
  if (size > most) throw new WorkbookRefused('workbook_too_large');
  const start =
    offset + measureLocalHeader(await readAll(source, offset, Math.min(offset + LOCAL_BYTES, source.size)));
  const end = start + compressedSize;
  if (end > source.size) throw new WorkbookRefused('workbook_unreadable');
  // What an entry says of its size is not taken on trust: no more than that is inflated.
  yield* source.decode(source.read(start, end), { isDeflated, most: size });
}

async function readAll(source: WorkbookSource, from: number, to: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(Math.max(0, to - from));
  let at = 0;
  for await (const piece of source.read(from, to)) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

async function refusing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw asRefusal(error);
  }
}

function asRefusal(error: unknown): unknown {
  const isBroken =
    error instanceof ZipUnreadable || error instanceof XmlUnreadable || error instanceof RangeError;
  return isBroken && !(error instanceof CsvRowTooLarge) ? new WorkbookRefused('workbook_unreadable') : error;
}
