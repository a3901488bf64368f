import type { FileProblemCode, ProblemValues } from '@app/domain/contact-imports/import-problems';
import { ActFailed } from '../platform/long-acts/long-act-kind.ts';

/** A file that cannot be imported at all. */
export class ImportRefused extends ActFailed {
  constructor(code: FileProblemCode, values: ProblemValues = {}) {
    super(code, values);
  }
}

const PIECE = 64 * 1024;

/** In which letters a file was read; what is no Unicode was written by a program of Windows in western Europe or America. */
export type ImportEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/**
 * The bytes of a file as text in small pieces: UTF-8, UTF-16 when it says so, and Windows-1252 (with it Latin-1) where the first letter beyond ASCII is no
 * UTF-8. Archives, NUL bytes and text in another encoding are refused with the line where they stand.
 */
export async function* decodeImport(
  bytes: AsyncIterable<Uint8Array>,
  onEncoding: (encoding: ImportEncoding) => void = () => undefined,
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
    decode ??= openDecoder(piece, onEncoding);
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
    head = chunk.length < 4 ? chunk : undefined;
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
  [0x50, 0x4b, 0x03, 0x04], // zip, and with it xlsx and ods
  [0x50, 0x4b, 0x05, 0x06],
  [0x1f, 0x8b],
  [0x25, 0x50, 0x44, 0x46], // PDF
  [0xd0, 0xcf, 0x11, 0xe0], // old Excel
];

/** Told by its first bytes. */
function refuseForeign(start: Uint8Array): void {
  if (FOREIGN_FILES.some((magic) => magic.every((byte, index) => start[index] === byte)))
    throw new ImportRefused('wrong_file');
}

/** Each call gives the text of the next piece; null ends it. */
type Decoder = (piece: Uint8Array | null) => string;

function openDecoder(start: Uint8Array, onEncoding: (encoding: ImportEncoding) => void): Decoder {
  refuseForeign(start);
  const isUtf16 = (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff);
  const hasMark = start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf;
  if (!isUtf16 && !hasMark) return openUnmarked(onEncoding);
  const encoding = hasMark ? 'utf-8' : start[0] === 0xff ? 'utf-16le' : 'utf-16be';
  onEncoding(encoding);
  return openMarked(encoding);
}

/** The file says itself what it is. */
function openMarked(encoding: ImportEncoding): Decoder {
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (piece) => {
    try {
      return piece ? decoder.decode(piece, { stream: true }) : decoder.decode();
    } catch {
      throw new WrongLetters(encoding, piece ?? new Uint8Array());
    }
  };
}

/** As long as all is ASCII it is both; the first letter beyond decides, and a file of two encodings is refused. */
function openUnmarked(onEncoding: (encoding: ImportEncoding) => void): Decoder {
  let known: 'utf-8' | 'windows-1252' | null = null;
  let held: Uint8Array = new Uint8Array();
  return (piece) => {
    const bytes = piece ? concat(held, piece) : held;
    const whole = piece && known !== 'windows-1252' ? bytes.length - countUnfinished(bytes) : bytes.length;
    held = bytes.slice(whole);
    const now = bytes.subarray(0, whole);
    if (known === 'windows-1252') return decodeWestern(now);
    const text = decodeUtf8(now);
    if (text === null) {
      if (known === 'utf-8') throw new WrongLetters('utf-8', now);
      known = 'windows-1252';
      onEncoding(known);
      // The beginning of a letter that was held back belongs to what is no UTF-8.
      held = new Uint8Array();
      return decodeWestern(bytes);
    }
    // What is no longer than its bytes is ASCII, and says nothing yet.
    if (text.length < now.length) known = 'utf-8';
    if (!piece) onEncoding('utf-8');
    return text;
  };
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
 * Bytes that stand for nothing there, and words of such letters alone (Cyrillic, Greek, Hebrew, Thai), are of some other encoding; pairs that are
 * letters of UTF-8 and make no sense here are of a second one.
 */
function decodeWestern(bytes: Uint8Array): string {
  const text = new TextDecoder('windows-1252').decode(bytes);
  const isOther = /[\u0081\u008d\u008f\u0090\u009d]|[\u00c0-\u00ff]{4}/.test(text);
  const isSecond = bytes.some(
    (byte, place) => (byte === 0xc2 || byte === 0xc3) && ((bytes[place + 1] ?? 0) & 0xc0) === 0x80,
  );
  if (isOther || isSecond) throw new WrongLetters('utf-8', bytes);
  return text;
}

/** Not this encoding; `before` is what could be read until then. */
class WrongLetters extends Error {
  readonly encoding: string;
  readonly before: string;
  constructor(encoding: ImportEncoding, bytes: Uint8Array) {
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
