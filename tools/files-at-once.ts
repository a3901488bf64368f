import { availableParallelism } from 'node:os';

/**
 * How many test files of the database run side by side: each waits for more than half of its time, so that four keep two
 * processors busy. More than eight would only take memory.
 */
export const filesAtOnce = Math.min(8, Math.max(4, availableParallelism()));

/** How many files of DOM tests run side by side: each waits for half of its time, for a frame or a timer. */
export const pagesAtOnce = Math.max(2, availableParallelism() - 1);
