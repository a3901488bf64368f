import type { Query, QueryClient } from '@tanstack/react-query';

/** So long the first drawing waits: what is drawn without its data and then with it takes half as long again. */
const FIRST_READ_MS = 300;

/**
 * Waits a moment until what the opened page shows first is there, or could not be had. It does not wait when an earlier visit has left
 * something to show.
 * @param reading What the page has started to load.
 */
export async function whenFirstRead(queryClient: QueryClient, reading: Promise<unknown>): Promise<void> {
  if (!queryClient.getQueryCache().getAll().some(isAwaited)) return;
  const { promise: isLate, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, FIRST_READ_MS);
  await Promise.race([reading, isLate]);
  clearTimeout(timer);
}

function isAwaited({ state }: Query): boolean {
  return state.fetchStatus === 'fetching' && state.data === undefined;
}
