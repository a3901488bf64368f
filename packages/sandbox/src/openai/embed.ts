import { createHash } from 'node:crypto';

/** A vector of length one: texts that share words are close to each other. The same text gives the same vector on every machine. */
export function embed(text: string, size: number): number[] {
  const vector = new Array<number>(size).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const bytes = createHash('sha256').update(word).digest();
    for (let i = 0; i < 8; i += 1) {
      const place = bytes.readUInt16BE(i * 2) % size;
      vector[place] = vector[place]! + (bytes[16 + i]! % 2 === 0 ? 1 : -1); // a hash has 32 bytes
    }
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => Math.round((value / length) * 1e6) / 1e6);
}
