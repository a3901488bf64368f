/** A batch of runs takes about so long: a person who waits for an answer waits at most for the batch before. */
const BATCH_MS = 80;
/** Also the batch while people write. */
export const SMALLEST_BATCH = 50;
const MOST = 1_000;
export const FIRST_BATCH = 200;

/**
 * How many runs the next batch claims, after one of `size` that held `moved` runs and took `ms`. Each batch has costs of its own, so quick runs go in large
 * batches, and slow ones in small ones. The size changes at most twofold at a time: one slow batch says little.
 */
export function nextBatchSize(size: number, { moved, ms }: { moved: number; ms: number }): number {
  const fitting = Math.floor((BATCH_MS * moved) / Math.max(ms, 1));
  if (ms > BATCH_MS) return Math.max(SMALLEST_BATCH, Math.min(size, Math.max(fitting, Math.floor(size / 2))));
  // A batch that was not full says nothing of larger ones.
  return moved < size ? size : Math.min(MOST, Math.max(size, Math.min(fitting, size * 2)));
}
