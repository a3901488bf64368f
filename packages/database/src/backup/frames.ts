import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { BackupError } from './backup-error.ts';
import type { ByteReader } from './byte-reader.ts';
import { TAG_BYTES, type FrameSeal } from './frame-seal.ts';

/** What a frame is: the beginning of a part, some of its bytes, its end, or the end of all. */
export const frameKind = { begin: 1, data: 2, end: 3, finish: 4 } as const;
export type FrameKind = (typeof frameKind)[keyof typeof frameKind];

export type Frame = { kind: FrameKind; body: Uint8Array };

/** How many bytes of a part one frame holds: memory stays flat, and a damaged one is found at once. */
export const FRAME_BYTES = 1024 * 1024;
const COMPRESSED = 0x80;
/** Length and kind; behind the body comes the tag. */
const HEAD_BYTES = 5;
const LARGEST = 4 * FRAME_BYTES;

/** One frame as it stands in a file: compressed where that helps, then sealed. */
export function encodeFrame(seal: FrameSeal, place: number, { kind, body }: Frame): Buffer {
  const compressed = zstdCompressSync(body);
  const isSmaller = compressed.length < body.length;
  const marked = isSmaller ? kind | COMPRESSED : kind;
  const closed = seal.close(place, marked, isSmaller ? compressed : body);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(closed.body.length);
  head.writeUInt8(marked, 4);
  return Buffer.concat([head, closed.body, closed.tag]);
}

/** The next frame. @throws {BackupError} */
export async function readFrame(reader: ByteReader, seal: FrameSeal, place: number): Promise<Frame> {
  const head = await reader.need(HEAD_BYTES);
  const length = head.readUInt32BE();
  const marked = head.readUInt8(4);
  if (length > LARGEST) throw new BackupError('damaged');
  const body = await reader.need(length);
  const opened = seal.open(place, marked, body, await reader.need(TAG_BYTES));
  return {
    kind: readKind(marked & ~COMPRESSED),
    body: marked & COMPRESSED ? expand(opened) : opened,
  };
}

function expand(body: Uint8Array): Uint8Array {
  try {
    return zstdDecompressSync(body, { maxOutputLength: LARGEST });
  } catch {
    throw new BackupError('damaged');
  }
}

function readKind(value: number): FrameKind {
  const kind = Object.values(frameKind).find((known) => known === value);
  if (kind === undefined) throw new BackupError('damaged');
  return kind;
}
