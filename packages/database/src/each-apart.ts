import { meetsEveryone } from './query-error.ts';

/**
 * Does the work for each, one after the other. An error of one is given to `onFault`, and the others are done all the same. Trouble that all of them
 * would meet, such as a server that is away, is thrown at once.
 */
export async function eachApart<One>(
  ones: Iterable<One>,
  work: (one: One) => Promise<unknown>,
  onFault: (error: unknown, one: One) => void,
): Promise<void> {
  for (const one of ones)
    try {
      await work(one);
    } catch (error) {
      if (meetsEveryone(error)) throw error;
      onFault(error, one);
    }
}
