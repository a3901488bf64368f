import { importLimits } from '@app/domain/contact-imports/contact-import';
import { openWorkbook, WorkbookRefused } from '@app/domain/contact-imports/workbook/read-workbook';
import { guessLetters, LETTERS_LOOKED_AT } from './file-encoding.ts';
import { nameRows, readImportRows, skipTitles, type RowReading } from './import-rows.ts';
import { decodeImport, ImportRefused, type ImportEncoding } from './import-text.ts';
import type { SourceRow } from './source-row.ts';
import { decodeEntry } from './workbook-bytes.ts';

/** A file that is here: all of it piece by piece, or a part of it. */
export type ImportFile = {
  size(): Promise<number>;
  /** Without an end all that follows. */
  read(from?: number, to?: number): AsyncIterable<Uint8Array>;
};

export type FileReading = RowReading & {
  /** Of a workbook; without a name its first. */
  sheet?: string | undefined;
  onEncoding?: (encoding: ImportEncoding) => void;
  /** In which letters it is read; otherwise as they are guessed. */
  encoding?: string | undefined;
};

/** The rows of a JSON, CSV or Excel file, whatever it is called. */
export async function* readFileRows(
  file: ImportFile,
  { sheet, onEncoding, encoding: chosen, ...reading }: FileReading,
): AsyncGenerator<SourceRow[]> {
  if (!(await isZip(file))) {
    const encoding = chosen ?? (await guessFileLetters(file));
    return yield* readImportRows(
      decodeImport(file.read(), { mayMix: true, encoding, ...(onEncoding && { onEncoding }) }),
      reading,
    );
  }
  try {
    const { read } = file;
    const workbook = await openWorkbook({ size: await file.size(), read, decode: decodeEntry });
    const rows = workbook.rows(sheet, { cells: importLimits.cellsOfRow });
    yield* nameRows(skipTitles(rows, reading), { ...reading, delimiter: ',' });
    onEncoding?.('utf-8');
  } catch (error) {
    if (!(error instanceof WorkbookRefused)) throw error;
    throw new ImportRefused(error.problem, sheet === undefined ? {} : { sheet });
  }
}

async function guessFileLetters({ read }: ImportFile): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of read(0, LETTERS_LOOKED_AT)) pieces.push(piece);
  return guessLetters(new Uint8Array(Buffer.concat(pieces))).encoding;
}

const ZIP = [0x50, 0x4b, 0x03, 0x04];

/** A workbook is an archive, told by its first bytes. */
export async function isZip({ read }: ImportFile): Promise<boolean> {
  const start: number[] = [];
  for await (const piece of read(0, ZIP.length)) start.push(...piece);
  return ZIP.every((byte, index) => start[index] === byte);
}
