/** Where the bytes of files lie: a folder or a bucket. Keys are of our own making: letters, digits, `-` and `/`. */
export type MediaStore = {
  /** Overwrites; the bytes are safe when it resolves. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Null when there is nothing under the key. `end` is the last byte wanted. */
  read(key: string, range?: { start: number; end: number }): Promise<Uint8Array | null>;
  /** What is not there counts as removed. */
  remove(key: string): Promise<void>;
};
