import { totalmem } from 'node:os';

const MEBIBYTE = 2 ** 20;

/** In bytes: what the machine has, or less where the process may use less of it, as in a container. */
export function memoryOfMachine(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Infinity);
}

/**
 * In MB, what the database server keeps of its pages: an eighth of the memory, 128 at least, as PostgreSQL itself, and 512 at most. Reports that read messages
 * take pages that fit here in less than half of the time that those of the cache of the system take.
 */
export function sharedBuffersOf(memory: number): number {
  return Math.min(512, Math.max(128, Math.floor(memory / 8 / MEBIBYTE)));
}
