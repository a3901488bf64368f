/** A file of which no more than is asked for stands in memory. */
export type FileBytes = {
  /** Bytes in all. */
  size: number;
  /** From `start` to before `end`, as far as there are any. */
  read(start: number, end: number): Promise<Uint8Array>;
};

const PIECE = 1024 * 1024;
/** What tells what a file is: its beginning, and for an archive the names at its end. */
const HEAD = 4_096;
const TAIL = 65_536;

/** A file that is short, or has been read anyway. */
export function fileOf(bytes: Uint8Array): FileBytes {
  return { size: bytes.length, read: async (start, end) => bytes.subarray(start, end) };
}

/** All of it, piece by piece. */
export async function* readInPieces({ size, read }: FileBytes): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size;) {
    const piece = await read(at, Math.min(size, at + PIECE));
    if (piece.length === 0) return;
    at += piece.length;
    yield piece;
  }
}

/** Beginning and end, one behind the other: all that `identifyFile` looks at. */
export async function readEnds({ size, read }: FileBytes): Promise<Uint8Array> {
  if (size <= HEAD + TAIL) return read(0, size);
  const ends = new Uint8Array(HEAD + TAIL);
  ends.set(await read(0, HEAD));
  ends.set(await read(size - TAIL, size), HEAD);
  return ends;
}

/** Boxes of ISO 14496-12 that are larger hold no description of a video, or a made up one. */
const LARGEST_BOX = 16 * 1024 * 1024;
const MOST_BOXES = 20_000;

/** The box that describes a video or sound, which may stand behind hours of it; empty where there is none. */
export async function readMovieBox({ size, read }: FileBytes): Promise<Uint8Array> {
  for (let at = 0, boxes = 0; at + 8 <= size && boxes < MOST_BOXES; boxes += 1) {
    const head = await read(at, Math.min(size, at + 16));
    const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
    const short = view.getUint32(0);
    const length =
      short === 0 ? size - at : short === 1 && head.length === 16 ? Number(view.getBigUint64(8)) : short;
    if (length < 8 || at + length > size) break;
    if (String.fromCharCode(...head.subarray(4, 8)) === 'moov')
      return length > LARGEST_BOX ? new Uint8Array(0) : read(at, at + length);
    at += length;
  }
  return new Uint8Array(0);
}
