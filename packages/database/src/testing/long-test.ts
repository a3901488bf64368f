import { describe, test } from 'vitest';
import { playsLong } from './thorough.ts';

/** Stands for `test` or `describe` where it is left out: it registers nothing. */
const leaveOut = Object.assign(() => {}, { each: () => () => {}, for: () => () => {} });

/**
 * `test` for what takes long and guards what a shorter test of the same feature does not: races, processes that die, thousands of rows,
 * rare input. `npm run faults -- long-tests` plays it, `npm test` does not.
 */
export const longTest = playsLong ? test : (leaveOut as unknown as typeof test);

/** `describe` of which each test is long. */
export const longDescribe = playsLong ? describe : (leaveOut as unknown as typeof describe);
