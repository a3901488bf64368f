/** The sender went away, or was too slow, before its body was complete. */
export class BodyInterrupted extends Error {
  override name = 'BodyInterrupted';
}

export type BodyReader = {
  /** What the sender says it sends; null when it does not. */
  declared: number | null;
  /**
   * Reads on until the body ends, which it answers with true, or has more than `most` bytes. A reading whose pace is
   * watched goes piece by piece.
   */
  readUpTo(most: number, reading?: { isWatched: boolean }): Promise<boolean>;
  /** Bytes that have come so far, of a reading that is watched. */
  received(): number;
  /** Ends a reading that takes too long; it rejects. */
  giveUp(): void;
  /** What was read. */
  bytes(): Uint8Array<ArrayBuffer>;
};

/** The one place where the API reads a body: every byte is counted, whatever the sender said about their number. */
export function openBody(request: Request): BodyReader {
  const declared = readDeclared(request.headers);
  const pieces: Uint8Array[] = [];
  const givenUp = Promise.withResolvers<never>();
  givenUp.promise.catch(() => undefined); // nobody may be reading
  let size = 0;
  let isComplete = false;
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  async function readPieces(most: number): Promise<void> {
    reader ??= request.body?.getReader();
    while (reader && size <= most) {
      const { done, value } = await Promise.race([reader.read(), givenUp.promise]);
      if (done) break;
      pieces.push(value);
      size += value.byteLength;
    }
    isComplete = size <= most;
  }

  return {
    declared,
    received: () => size,
    async readUpTo(most, { isWatched } = { isWatched: false }) {
      if (isComplete) return size <= most;
      try {
        if (declared !== null && declared > most) return false;
        if (declared === null || isWatched) await readPieces(most);
        else {
          // HTTP/1.1 ends a body where it was said to end, so that it may be read at once.
          const whole = new Uint8Array(await Promise.race([request.arrayBuffer(), givenUp.promise]));
          pieces.push(whole);
          size = whole.byteLength;
          isComplete = true;
        }
      } catch (error) {
        throw new BodyInterrupted('The request ended before it was complete.', { cause: error });
      }
      return isComplete && size <= most;
    },
    giveUp: () => givenUp.reject(new Error('too slow')),
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

/** Null as well when a body comes in chunks beside its length: then the chunks count. */
function readDeclared(headers: Headers): number | null {
  const text = headers.get('content-length');
  if (text === null || headers.has('transfer-encoding')) return null;
  return /^\d+$/.test(text) ? Number(text) : null;
}
