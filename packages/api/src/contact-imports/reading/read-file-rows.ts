import { importLimits } from '@app/domain/contact-imports/contact-import';
import { openWorkbook, WorkbookRefused } from '@app/domain/contact-imports/workbook/read-workbook';
import { nameRows, readImportRows, type RowReading } from './import-rows.ts';
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
};

/** The rows of a JSON, CSV or Excel file, whatever it is called. */
export async function* readFileRows(
  file: ImportFile,
  { sheet, onEncoding, ...reading }: FileReading,
): AsyncGenerator<SourceRow[]> {
  if (!(await isZip(file)))
    return yield* readImportRows(
      decodeImport(file.read(), { mayMix: true, ...(onEncoding && { onEncoding }) }),
      reading,
    );
  try {
    const { read } = file;
    const workbook = await openWorkbook({ size: await file.size(), read, decode: decodeEntry });
    const rows = workbook.rows(sheet, { cells: importLimits.cellsOfRow });
    yield* nameRows(rows, { ...reading, delimiter: ',' });
    onEncoding?.('utf-8');
  } catch (error) {
    if (!(error instanceof WorkbookRefused)) throw error;
    throw new ImportRefused(error.problem, sheet === undefined ? {} : { sheet });
  }
}

const ZIP = [0x50, 0x4b, 0x03, 0x04];

/** A workbook is an archive, told by its first bytes. */
export async function isZip({ read }: ImportFile): Promise<boolean> {
  const start: number[] = [];
  for await (const piece of read(0, ZIP.length)) start.push(...piece);
  return ZIP.every((byte, index) => start[index] === byte);
}
