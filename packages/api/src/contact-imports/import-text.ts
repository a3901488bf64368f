import type { FileProblemCode, ProblemValues } from '@app/domain/contact-imports/import-problems';
import { ActFailed } from '../platform/long-acts/long-act-kind.ts';

/** A file that cannot be imported at all. */
export class ImportRefused extends ActFailed {
  constructor(code: FileProblemCode, values: ProblemValues = {}) {
    super(code, values);
  }
}

const PIECE = 64 * 1024;

/**
 * The bytes of a file as text in small pieces: UTF-8, or UTF-16 when it says so. Archives, NUL bytes and text in another
 * encoding are refused with the line where they stand.
 */
export async function* decodeImport(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let line = 1;
  for await (const piece of cut(bytes)) {
    decoder ??= openDecoder(piece);
    const text = decode(decoder, piece, line);
    const nul = text.indexOf('\0');
    if (nul !== -1) {
      throw new ImportRefused('nul', { line: line + countLines(text.slice(0, nul)) });
    }
    line += countLines(text);
    yield text;
  }
  if (decoder) yield decode(decoder, undefined, line);
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

function openDecoder(start: Uint8Array): TextDecoder {
  refuseForeign(start);
  const isUtf16 = (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff);
  const encoding = !isUtf16 ? 'utf-8' : start[0] === 0xff ? 'utf-16le' : 'utf-16be';
  return new TextDecoder(encoding, { fatal: true });
}

function decode(decoder: TextDecoder, piece: Uint8Array | undefined, line: number): string {
  try {
    return piece ? decoder.decode(piece, { stream: true }) : decoder.decode();
  } catch {
    const readable = new TextDecoder(decoder.encoding).decode(piece ?? new Uint8Array());
    const place = line + countLines(readable.slice(0, Math.max(0, readable.indexOf('\ufffd'))));
    throw new ImportRefused('encoding', { line: place, encoding: decoder.encoding.toUpperCase() });
  }
}

function countLines(text: string): number {
  let lines = 0;
  for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1)) lines += 1;
  return lines;
}
