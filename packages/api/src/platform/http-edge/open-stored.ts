import { BytesGone, readPieces, type MediaStore } from '../media-store.ts';
import { readRange } from './read-range.ts';
import { refuse } from './refuse.ts';

type Stored = {
  key: string;
  /** Of all of it, in bytes. */
  size: number;
  /** Whoever asks for more of it than so many bytes by a range gets so many; all of it is handed out whole. */
  longestRange?: number;
};

export type OpenedBytes = {
  /** First and last byte that leave. */
  start: number;
  end: number;
  status: 200 | 206;
  headers: Record<string, string>;
  body: ReadableStream<Uint8Array>;
};

/** A reader that stands still holds so much of a file in memory. */
const PIECE = 256 * 1024;

/**
 * What a request asks for of bytes under a key, whole or by its range. `gone`: there are none under the key any more; the first piece is read
 * before the answer begins, so that this can still be a refusal.
 */
export async function openStored(
  { headers }: Pick<Request, 'headers'>,
  store: Pick<MediaStore, 'read'>,
  { key, size, longestRange = Infinity }: Stored,
): Promise<OpenedBytes | { refusal: Response } | 'gone'> {
  const range = readRange(headers.get('range'), size);
  if (range === 'unsatisfiable')
    return { refusal: refuse('range_unsatisfiable', { headers: { 'content-range': `bytes */${size}` } }) };
  const start = range?.start ?? 0;
  const end = range ? Math.min(range.end, start + longestRange - 1) : size - 1;
  const pieces = readPieces(store, key, { start, end }, PIECE);
  const first = await pieces.next().catch((error: unknown) => {
    if (error instanceof BytesGone) return null;
    throw error;
  });
  if (!first) return 'gone';
  return {
    ...{ start, end, status: range ? 206 : 200 },
    headers: {
      'content-length': String(end - start + 1),
      ...(range && { 'content-range': `bytes ${start}-${end}/${size}` }),
      'accept-ranges': 'bytes',
    },
    body: streamPieces(pieces, first.value ?? undefined),
  };
}

/** Cut short where bytes are gone meanwhile, so that nobody takes it for whole. */
function streamPieces(
  pieces: AsyncGenerator<Uint8Array>,
  first: Uint8Array | undefined,
): ReadableStream<Uint8Array> {
  let next = first;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = next ?? (await pieces.next()).value;
        next = undefined;
        if (piece) controller.enqueue(piece);
        else controller.close();
      },
      cancel: async () => void (await pieces.return(undefined)),
    },
    { highWaterMark: 0 },
  );
}
