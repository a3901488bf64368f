/** The sender went away before its body was complete. */
export class BodyInterrupted extends Error {
  override name = 'BodyInterrupted';
}

/** The sender fell behind its pace. */
export class BodyTooSlow extends Error {
  override name = 'BodyTooSlow';
}

/** How fast a body must come that keeps a place and memory while it comes. */
export type BodyPace = {
  bytesPerSecond: number;
  /** How long it may stand still. Each byte earns time again, never more than this. */
  patienceMs: number;
};

/** A pace that may be another one at each look; it is told how much came. */
export type ReadPace = (size: number) => BodyPace;

export type BodyReader = {
  /** What the sender says it sends; null when it does not. */
  declared: number | null;
  /** Reads on until the body ends, which it answers with true, or has more than `most` bytes. Rejects when it loses its pace. */
  readUpTo(most: number, pace?: BodyPace | ReadPace): Promise<boolean>;
  /** What was read; nothing of a body that is kept elsewhere. */
  bytes(): Uint8Array<ArrayBuffer>;
};

/** Takes each piece as it comes; the sender waits for it. */
export type KeepPiece = (piece: Uint8Array) => Promise<void>;

const LOOKS_EVERY_MS = 250;

/**
 * The one place where the API reads a body: every byte is counted, whatever the sender said about their number. What `keep` takes does not stay in
 * memory.
 */
export function openBody(request: Request, keep?: KeepPiece): BodyReader {
  const declared = readDeclared(request.headers);
  const pieces: Uint8Array[] = [];
  let size = 0;
  let isComplete = false;
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  async function readPieces(most: number, pace?: BodyPace | ReadPace): Promise<void> {
    reader ??= request.body?.getReader();
    const late = pace && watchPace(typeof pace === 'function' ? pace : () => pace, () => size);
    try {
      while (reader && size <= most) {
        const next = await readPiece(reader, late?.promise);
        if (next === null) break;
        size += next.byteLength;
        if (keep) await keep(next);
        else pieces.push(next);
      }
    } finally {
      late?.stop();
    }
    isComplete = size <= most;
  }

  return {
    declared,
    async readUpTo(most, pace) {
      if (isComplete) return size <= most;
      // Of what is kept elsewhere the beginning is wanted as well.
      if (!keep && declared !== null && declared > most) return false;
      if (keep || declared === null || pace) await readPieces(most, pace);
      else {
        // HTTP/1.1 ends a body where it was said to end, so that it may be read at once.
        const whole = new Uint8Array(await request.arrayBuffer().catch(interrupted));
        pieces.push(whole);
        size = whole.byteLength;
        isComplete = true;
      }
      return isComplete && size <= most;
    },
    bytes() {
      const first = pieces[0];
      if (pieces.length === 1 && first?.buffer instanceof ArrayBuffer)
        return new Uint8Array(first.buffer, first.byteOffset, first.byteLength);
      const whole = new Uint8Array(size);
      let at = 0;
      for (const piece of pieces) {
        whole.set(piece, at);
        at += piece.byteLength;
      }
      return whole;
    },
  };
}

/** Null at the end. */
async function readPiece(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  late: Promise<never> | undefined,
): Promise<Uint8Array | null> {
  const next = reader.read().catch(interrupted);
  const { done, value } = await (late ? Promise.race([next, late]) : next);
  return done ? null : value;
}

function interrupted(error: unknown): never {
  throw new BodyInterrupted('The request ended before it was complete.', { cause: error });
}

/** Counts the time that passed between its looks: while this process stands still itself, no sender falls behind. */
function watchPace(readPace: ReadPace, readSize: () => number) {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined); // nobody may be reading
  let seen = readSize();
  let leftMs = readPace(seen).patienceMs;
  const timer = setInterval(() => {
    const size = readSize();
    const { bytesPerSecond, patienceMs } = readPace(size);
    leftMs = Math.min(patienceMs, leftMs - LOOKS_EVERY_MS + ((size - seen) * 1000) / bytesPerSecond);
    seen = size;
    if (leftMs <= 0) reject(new BodyTooSlow());
  }, LOOKS_EVERY_MS);
  return { promise, stop: () => clearInterval(timer) };
}

/** Null as well when a body comes in chunks beside its length: then the chunks count. */
function readDeclared(headers: Headers): number | null {
  const text = headers.get('content-length');
  if (text === null || headers.has('transfer-encoding')) return null;
  return /^\d+$/.test(text) ? Number(text) : null;
}
