import { createHash } from 'node:crypto';
import type { MediaStore } from '../src/platform/media-store.ts';

export function createMemoryMediaStore(): MediaStore & { files: Map<string, Uint8Array> } {
  const files = new Map<string, Uint8Array>();
  return {
    files,
    async begin() {
      let bytes = Buffer.alloc(0);
      return {
        append: async (piece) => void (bytes = Buffer.concat([bytes, piece])),
        size: () => bytes.length,
        sha256: () => createHash('sha256').update(bytes).digest('hex'),
        read: async (start, end) => bytes.subarray(start, end),
        keepAs: async (key) => void files.set(key, bytes),
        discard: async () => undefined,
      };
    },
    async put(key, bytes) {
      files.set(key, bytes);
    },
    async read(key, range) {
      const bytes = files.get(key);
      return bytes ? (range ? bytes.subarray(range.start, range.end + 1) : bytes) : null;
    },
    async remove(key) {
      files.delete(key);
    },
  };
}
