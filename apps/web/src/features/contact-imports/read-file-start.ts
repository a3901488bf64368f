import { openCsvReader, readCsvHeader } from '@app/domain/contact-imports/csv-reader';
import { guessUnicode } from '@app/domain/contact-imports/file-letters';
import { splitJsonArray } from '@app/domain/contact-imports/json-elements';
import { listJsonKeys, readJsonValues } from '@app/domain/contact-imports/json-contact';
import { openWorkbook, type WorkbookSource } from '@app/domain/contact-imports/workbook/read-workbook';
import { api } from '../../shared/api.ts';

/** What the beginning of a file shows; the server reads all of it, and decides. */
export type FileStart = {
  /** The first rows of a table, with that of the headings; none of what cannot be read here. */
  rows: readonly (readonly string[])[];
  /** The headings are keys of JSON, which go by their name and in any order. */
  isJson: boolean;
  /** Of a workbook. */
  sheets: readonly string[];
  /** In which letters a text is read where that is not certain, and all in which it can be, with words of the file. */
  letters: Letters | null;
};

export type Letters = {
  encoding: string;
  possible: readonly { encoding: string; examples: readonly string[] }[];
};

const NOTHING: FileStart = { rows: [], isJson: false, sheets: [], letters: null };
/** Longer headings are left to the server. */
const START = 192 * 1024;
const ROWS = 1_000;
const CELLS = 1_000;
const STRINGS = 20_000;
const PIECE = 256 * 1024;

/** The beginning of a text that was pasted, or of a file once it is decoded. */
export function readTextStart(whole: string): FileStart {
  const start = whole.slice(0, START).replace(/^[\ufeff\s]*/, '');
  if (start === '') return NOTHING;
  if (/^[{[]/.test(start)) return readJsonStart(start);
  const { delimiter, isWhole, from } = readCsvHeader(start);
  if (!isWhole && start.length >= START && !/[\r\n]/.test(start)) return NOTHING;
  try {
    const reader = openCsvReader({ delimiter, cells: CELLS, characters: START });
    const rows = reader.push(start.slice(from));
    if (whole.length < START) rows.push(...reader.end());
    return { ...NOTHING, rows: takeRows(rows) };
  } catch {
    // What is wrong with it is said by the server, with its line.
    return NOTHING;
  }
}

type How = { sheet: string | undefined; encoding: string | undefined };

export async function readFileStart(file: File, { sheet, encoding }: How): Promise<FileStart> {
  const bytes = new Uint8Array(await file.slice(0, START).arrayBuffer());
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  if (isZip) return readWorkbookStart(file, sheet);
  const isCut = file.size > START;
  if (isPlain(bytes, isCut)) return readTextStart(decodeStart(bytes, isCut));
  try {
    return await askForStart(bytes, encoding);
  } catch {
    // Without the server the letters are those of most files; it decides when the file is imported.
    return readTextStart(decodeStart(bytes, isCut));
  }
}

/** UTF-8, and no cards: what is in it is seen here. */
function isPlain(bytes: Uint8Array, isCut: boolean): boolean {
  const unicode = guessUnicode(bytes);
  if (unicode !== null && unicode !== 'utf-8') return true;
  const whole = isCut ? bytes.subarray(0, bytes.lastIndexOf(LINE_FEED) + 1 || bytes.length) : bytes;
  try {
    return !/^[\ufeff\s]*BEGIN:VCARD/i.test(new TextDecoder('utf-8', { fatal: true }).decode(whole));
  } catch {
    return false;
  }
}

/** So much of a file tells in which letters it is. */
const ASKED = 64 * 1024;

async function askForStart(bytes: Uint8Array, chosen: string | undefined): Promise<FileStart> {
  const start = toBase64(bytes.subarray(0, ASKED));
  const read = await api.contactImports.readStart({
    start,
    ...(chosen !== undefined && { encoding: chosen }),
  });
  const { isCertain, possible, cards } = read;
  const encoding = chosen ?? read.encoding;
  const letters = isCertain ? null : { encoding, possible };
  if (cards) return { ...NOTHING, rows: cards, letters };
  const text = encoding === 'mixed' ? decodeStart(bytes, true) : new TextDecoder(encoding).decode(bytes);
  return { ...readTextStart(text), letters };
}

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let from = 0; from < bytes.length; from += 4_096)
    binary += String.fromCharCode(...bytes.subarray(from, from + 4_096));
  return btoa(binary);
}

/** Lines that are no UTF-8 are of Windows, as the server reads them. */
function decodeStart(bytes: Uint8Array, isCut: boolean): string {
  const unicode = guessUnicode(bytes);
  if (unicode !== null && unicode !== 'utf-8') return new TextDecoder(unicode).decode(bytes);
  const whole = isCut ? bytes.subarray(0, bytes.lastIndexOf(LINE_FEED) + 1 || bytes.length) : bytes;
  let text = '';
  for (let from = 0, end = 0; from < whole.length; from = end) {
    end = whole.indexOf(LINE_FEED, from) + 1 || whole.length;
    text += decodeLine(whole.subarray(from, end));
  }
  return text;
}

const LINE_FEED = 10;

function decodeLine(line: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(line);
  } catch {
    return new TextDecoder('windows-1252').decode(line);
  }
}

async function readWorkbookStart(file: File, sheet: string | undefined): Promise<FileStart> {
  const workbook = await openWorkbook({
    size: file.size,
    decode: decodeEntry,
    async *read(from, to) {
      for (let at = from; at < to; at += PIECE)
        yield new Uint8Array(await file.slice(at, Math.min(at + PIECE, to)).arrayBuffer());
    },
  });
  const first = [];
  const name = sheet !== undefined && workbook.sheets.includes(sheet) ? sheet : undefined;
  for await (const rows of workbook.rows(name, { cells: CELLS, strings: STRINGS })) {
    first.push(...rows);
    if (first.length >= ROWS) break;
  }
  return { ...NOTHING, rows: takeRows(first), sheets: workbook.sheets };
}

const decodeEntry: WorkbookSource['decode'] = async function* (bytes, { isDeflated, most }) {
  const pieces = bytes[Symbol.asyncIterator]();
  const stream = new ReadableStream<BufferSource>({
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
  });
  const reader = (
    isDeflated ? stream.pipeThrough(new DecompressionStream('deflate-raw')) : stream
  ).getReader() as ReadableStreamDefaultReader<Uint8Array>; // of either bytes come
  const decoder = new TextDecoder('utf-8');
  try {
    for (let size = 0; size <= most;) {
      const { value, done } = await reader.read();
      if (done) break;
      size += value.length;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
};

function takeRows(rows: readonly { cells: string[] }[]): string[][] {
  return rows
    .map(({ cells }) => cells)
    .filter((cells) => cells.some((cell) => cell.trim() !== ''))
    .slice(0, ROWS);
}

/** The first elements, with their keys as headings. */
function readJsonStart(start: string): FileStart {
  try {
    const elements = splitJsonArray('contacts').push(start).slice(0, ROWS);
    const keys = listJsonKeys(elements).slice(0, CELLS);
    const people = elements.map((element) => {
      const values = readJsonValues(element);
      return keys.map((key) => asCell(values.get(key)));
    });
    return { ...NOTHING, isJson: true, rows: keys.length > 0 ? [keys, ...people] : [] };
  } catch {
    return NOTHING;
  }
}

function asCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(asCell).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
