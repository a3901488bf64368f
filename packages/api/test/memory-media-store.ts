import type { MediaStore } from '../src/platform/media-store.ts';

export function createMemoryMediaStore(): MediaStore & { files: Map<string, Uint8Array> } {
  const files = new Map<string, Uint8Array>();
  return {
    files,
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
