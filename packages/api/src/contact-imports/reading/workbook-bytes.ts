import { DecompressionStream, ReadableStream } from 'node:stream/web';
import type { WorkbookSource } from '@app/domain/contact-imports/workbook/read-workbook';
import { ZipUnreadable } from '@app/domain/contact-imports/workbook/zip-directory';

/** The text of a file in an archive. One that is longer than it says of itself is refused before it fills the memory. */
export const decodeEntry: WorkbookSource['decode'] = async function* (bytes, { isDeflated, most }) {
  const decoder = new TextDecoder('utf-8');
  let size = 0;
  for await (const piece of isDeflated ? inflate(bytes) : bytes) {
    size += piece.length;
    if (size > most) throw new ZipUnreadable();
    yield decoder.decode(piece, { stream: true });
  }
  yield decoder.decode();
};

async function* inflate(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let thrown: { error: unknown } | undefined;
  // What breaks off the reading of the bytes is no fault of the archive.
  async function* source() {
    try {
      for await (const piece of bytes) yield new Uint8Array(piece);
    } catch (error) {
      thrown = { error };
      throw error;
    }
  }
  try {
    yield* ReadableStream.from(source()).pipeThrough(new DecompressionStream('deflate-raw'));
  } catch (error) {
    if (thrown) throw thrown.error;
    throw error instanceof TypeError ? new ZipUnreadable() : error;
  }
}
