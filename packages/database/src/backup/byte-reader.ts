import { createHash } from 'node:crypto';
import { BackupError } from './backup-error.ts';

/** Takes bytes in the amounts in which they are needed, whatever the pieces are in which they come. */
export class ByteReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #held: Buffer[] = [];
  #size = 0;
  /** Of all that was taken so far. */
  readonly hash = createHash('sha256');

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#pieces = source[Symbol.asyncIterator]();
  }

  /** Fewer only at the end, and null when there is nothing more. */
  async take(length: number): Promise<Buffer | null> {
    while (this.#size < length) {
      const { value, done } = await this.#pieces.next();
      if (done) break;
      this.#held.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
      this.#size += value.byteLength;
    }
    if (this.#size === 0 && length > 0) return null;
    const all = this.#held.length === 1 ? this.#held[0]! : Buffer.concat(this.#held);
    const part = all.subarray(0, length);
    const rest = all.subarray(part.length);
    this.#held = rest.length > 0 ? [rest] : [];
    this.#size = rest.length;
    this.hash.update(part);
    return part;
  }

  /** @throws {BackupError} when there are fewer */
  async need(length: number): Promise<Buffer> {
    const part = length === 0 ? Buffer.alloc(0) : await this.take(length);
    if (!part || part.length < length) throw new BackupError('truncated');
    return part;
  }
}
