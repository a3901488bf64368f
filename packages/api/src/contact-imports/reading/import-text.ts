import type { FileProblemCode, ProblemValues } from '@app/domain/contact-imports/import-problems';
import { guessUnicode, UNREADABLE, type Unicode } from '@app/domain/contact-imports/file-letters';
import { OperationFailed } from '../../platform/operations/operation-kind.ts';

/** A file that cannot be imported at all. */
export class ImportRefused extends OperationFailed {
  constructor(code: FileProblemCode, values: ProblemValues = {}) {
    super(code, values);
  }
}

const PIECE = 64 * 1024;
const ENOUGH_TO_TELL = 64;

/** In which letters a file was read; what is no Unicode was written by a program of Windows in western Europe or America. */
export type ImportEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'mixed' | (string & {});

type DecoderOptions = {
  onEncoding?: (encoding: ImportEncoding) => void;
  /** Lines of UTF-8 and of Windows-1252 may stand in one file; what is both in one line stands as `UNREADABLE`. */
  mayMix?: boolean;
  /** As somebody chose it, or as it was guessed (`guessLetters`); otherwise UTF-8 and Windows-1252. */
  encoding?: string | undefined;
};

/**
 * The bytes of a file as text in small pieces: UTF-8, UTF-16 by its mark or its NULs, and Windows-1252 (with it Latin-1) in lines that are no
 * UTF-8. Archives, NUL bytes and text in another encoding are refused with the line where they stand.
 */
export async function* decodeImport(
  bytes: AsyncIterable<Uint8Array>,
  options: DecoderOptions = {},
): AsyncGenerator<string> {
  let decode: ((piece: Uint8Array | null) => string) | undefined;
  let line = 1;
  const decodeAt = (piece: Uint8Array | null): string => {
    try {
      return decode?.(piece) ?? '';
    } catch (error) {
      if (!(error instanceof WrongLetters)) throw error;
      throw new ImportRefused('encoding', {
        line: line + countLines(error.before),
        encoding: error.encoding,
      });
    }
  };
  for await (const piece of cut(bytes)) {
    decode ??= openDecoder(piece, options);
    const text = decodeAt(piece);
    const nul = text.indexOf('\0');
    if (nul !== -1) {
      throw new ImportRefused('nul', { line: line + countLines(text.slice(0, nul)) });
    }
    line += countLines(text);
    yield text;
  }
  if (decode) yield decodeAt(null);
}

/** Small pieces keep memory flat and the process responsive; the first holds enough to tell the kind of file. */
async function* cut(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | undefined;
  for await (let chunk of bytes) {
    if (head) chunk = concat(head, chunk);
    head = chunk.length < ENOUGH_TO_TELL ? chunk : undefined;
    if (head) continue;
    for (let start = 0; start < chunk.length; start += PIECE) yield chunk.subarray(start, start + PIECE);
  }
  if (head && head.length > 0) yield head;
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

const FOREIGN_FILES = [
  [0x50, 0x4b, 0x03, 0x04], // zip; a workbook is read elsewhere
  [0x50, 0x4b, 0x05, 0x06],
  [0x1f, 0x8b],
  [0x25, 0x50, 0x44, 0x46], // PDF
];
/** Of Excel before 2007, and of a workbook with a password. */
const OLD_SPREADSHEET = [0xd0, 0xcf, 0x11, 0xe0];

/** Told by its first bytes. */
function refuseForeign(start: Uint8Array): void {
  const begins = (magic: readonly number[]) => magic.every((byte, index) => start[index] === byte);
  if (begins(OLD_SPREADSHEET)) throw new ImportRefused('old_spreadsheet');
  if (FOREIGN_FILES.some(begins)) throw new ImportRefused('wrong_file');
}

/** Each call gives the text of the next piece; null ends it. */
type Decoder = (piece: Uint8Array | null) => string;

function openDecoder(
  start: Uint8Array,
  { onEncoding = () => undefined, mayMix = false, encoding: chosen }: DecoderOptions,
): Decoder {
  refuseForeign(start);
  if (chosen !== undefined && !OWN_LETTERS.has(chosen)) {
    onEncoding(chosen);
    return openChosen(chosen);
  }
  const encoding = guessUnicode(start);
  if (encoding === null) return openUnmarked(onEncoding, mayMix);
  if (encoding === 'utf-8' && mayMix) return openMixed(onEncoding);
  onEncoding(encoding);
  return openMarked(encoding);
}

/** What is told by the bytes alone. */
const OWN_LETTERS = new Set(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'mixed']);

/** Letters that stand for nothing in it make their row unreadable, and no other. */
function openChosen(encoding: string): Decoder {
  const decoder = new TextDecoder(encoding);
  return (piece) =>
    (piece ? decoder.decode(piece, { stream: true }) : decoder.decode()).replaceAll('\ufffd', UNREADABLE);
}

/** The file says itself what it is. */
function openMarked(encoding: Unicode): Decoder {
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (piece) => {
    try {
      return piece ? decoder.decode(piece, { stream: true }) : decoder.decode();
    } catch {
      throw new WrongLetters(encoding, piece ?? new Uint8Array());
    }
  };
}

/** A shop puts the mark of UTF-8 before lines that it copies as they came to it. */
function openMixed(onEncoding: (encoding: ImportEncoding) => void): Decoder {
  const decode = openUnmarked(onEncoding, true, { utf8: true });
  let isBegun = false;
  return (piece) => {
    const isFirst = !isBegun;
    isBegun = true;
    return decode(isFirst && piece ? piece.subarray(MARK_BYTES) : piece);
  };
}

const MARK_BYTES = 3;

/** A line is decoded as a whole; one that is longer comes in parts. */
const LONG_LINE = PIECE;

/** Each line is UTF-8 if it can be, as chance hardly makes one of other letters. */
function openUnmarked(
  onEncoding: (encoding: ImportEncoding) => void,
  mayMix: boolean,
  { utf8 = false } = {},
): Decoder {
  let held: Uint8Array = new Uint8Array();
  const seen = { utf8, western: false };

  function decodeLine(line: Uint8Array, place: { from: number; of: Uint8Array }): string {
    const text = decodeUtf8(line);
    if (text !== null) {
      seen.utf8 ||= text.length < line.length;
      return text;
    }
    const western = mayMix || !seen.utf8 ? decodeWestern(line) : null;
    if (western !== null) seen.western = true;
    else if (!mayMix || !(seen.utf8 || seen.western))
      throw new WrongLetters('utf-8', place.of.subarray(0, place.from + line.length));
    return western ?? `${UNREADABLE}${new TextDecoder('utf-8').decode(line)}`;
  }

  return (piece) => {
    const bytes = piece ? concat(held, piece) : held;
    const whole = piece ? countWhole(bytes) : bytes.length;
    held = bytes.slice(whole);
    const now = bytes.subarray(0, whole);
    const text = !seen.western || mayMix ? decodeUtf8(now) : null;
    let decoded = text ?? '';
    if (text !== null) seen.utf8 ||= text.length < now.length;
    else
      for (let from = 0, end = 0; from < now.length; from = end) {
        end = now.indexOf(LINE_FEED, from) + 1 || now.length;
        decoded += decodeLine(now.subarray(from, end), { from, of: now });
      }
    if (!mayMix && seen.utf8 && seen.western) throw new WrongLetters('utf-8', now);
    if (seen.western) onEncoding(seen.utf8 ? 'mixed' : 'windows-1252');
    else if (!piece) onEncoding('utf-8');
    return decoded;
  };
}

const LINE_FEED = 10;

/** How many of these bytes are whole lines; of a line that is very long, whole letters. */
function countWhole(bytes: Uint8Array): number {
  const lines = bytes.lastIndexOf(LINE_FEED) + 1;
  if (lines > 0 || bytes.length < LONG_LINE) return lines;
  return bytes.length - countUnfinished(bytes);
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** How many bytes at the end begin a letter of UTF-8 whose rest is in the next piece. */
function countUnfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 0;
    if (length > 0) return length > back ? back : 0;
  }
  return 0;
}

/**
 * Null where it cannot be: bytes that stand for nothing there, and words of such letters alone (Cyrillic, Greek, Hebrew, Thai), are of some other
 * encoding; pairs that are letters of UTF-8 and make no sense here are of a second one.
 */
function decodeWestern(bytes: Uint8Array): string | null {
  const text = new TextDecoder('windows-1252').decode(bytes);
  const isOther = /[\u0081\u008d\u008f\u0090\u009d]|[\u00c0-\u00ff]{4}/.test(text);
  const isSecond = bytes.some(
    (byte, place) => (byte === 0xc2 || byte === 0xc3) && ((bytes[place + 1] ?? 0) & 0xc0) === 0x80,
  );
  return isOther || isSecond ? null : text;
}

/** Not this encoding; `before` is what could be read until then. */
class WrongLetters extends Error {
  readonly encoding: string;
  readonly before: string;
  constructor(encoding: Unicode, bytes: Uint8Array) {
    super('The bytes are no such text.');
    this.encoding = encoding.toUpperCase();
    const readable = new TextDecoder(encoding).decode(bytes);
    this.before = readable.slice(0, Math.max(0, readable.indexOf('\ufffd')));
  }
}

function countLines(text: string): number {
  let lines = 0;
  for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1)) lines += 1;
  return lines;
}
