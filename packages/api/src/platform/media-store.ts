import type { PlatformFile } from '@app/domain/channels/open-channel';

/** Where the bytes of files lie: a folder or a bucket. Keys are of our own making: letters, digits, `-` and `/`. */
export type MediaStore = {
  /** For bytes that come piece by piece; `keepAs` puts them under a key once it is known what they are. */
  begin(): Promise<MediaDraft>;
  /** Overwrites; the bytes are safe when it resolves. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Null when there is nothing under the key. `end` is the last byte wanted. */
  read(key: string, range?: { start: number; end: number }): Promise<Uint8Array | null>;
  /** What is not there counts as removed. */
  remove(key: string): Promise<void>;
};

/** A file that arrives. It lies on the disk of this machine, not in memory; what a dead process left of one is taken away in time. */
export type MediaDraft = {
  /** @throws {StorageFull} */
  append(piece: Uint8Array): Promise<void>;
  /** Bytes so far. */
  size(): number;
  /** Of the bytes so far, hexadecimal. */
  sha256(): string;
  /** From `start` to before `end`, as far as they are there. */
  read(start: number, end: number): Promise<Uint8Array>;
  /** The bytes are safe when it resolves, and overwrite what was there. Nothing is appended afterwards. */
  keepAs(key: string): Promise<void>;
  /** Harmless for one that was kept. */
  discard(): Promise<void>;
};

/** No byte more has room. */
export class StorageFull extends Error {
  override name = 'StorageFull';
}

/** There is nothing under a key that a row names. */
export class BytesGone extends Error {
  override name = 'BytesGone';
}

/** A file as platforms take it, read while it leaves; null when its bytes are gone. */
export async function openForPlatform(
  store: Pick<MediaStore, 'read'>,
  { key, ...about }: { key: string; name: string; mimeType: string; size: number },
): Promise<PlatformFile | null> {
  const last = about.size - 1;
  if (!(await store.read(key, { start: last, end: last }))?.length) return null;
  return { ...about, open: (start) => readPieces(store, key, { start, end: last }) };
}

/** So much of a file stands in memory while it is handed on. */
const PIECE = 1024 * 1024;

/** The bytes under a key from `start` to `end`, the last one, in pieces of `size` bytes. @throws {BytesGone} */
export async function* readPieces(
  store: Pick<MediaStore, 'read'>,
  key: string,
  { start, end }: { start: number; end: number },
  size = PIECE,
): AsyncGenerator<Uint8Array> {
  for (let at = start; at <= end;) {
    const piece = await store.read(key, { start: at, end: Math.min(end, at + size - 1) });
    if (!piece || piece.length === 0) throw new BytesGone('The bytes of a file are gone.');
    at += piece.length;
    yield piece;
  }
}
