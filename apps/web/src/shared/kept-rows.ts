import { keepPreviousData, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { isReachable } from './live-events.ts';

/**
 * While a list is searched anew, the rows before stay in sight. Without a connection nothing comes to replace them, and rows of
 * another search are no answer.
 */
export function whileReachable<Data>(before: Data | undefined): Data | undefined {
  return isReachable() ? keepPreviousData(before) : undefined;
}

type ListQuery = { data: unknown; isPlaceholderData: boolean; fetchStatus: string };

/**
 * Without a connection: the rows of the unfiltered list on this device, for the page to search itself. Undefined while the
 * server answers, or when nothing is kept.
 */
export function useKeptRows<Row>(query: ListQuery, unfiltered: QueryKey): readonly Row[] | undefined {
  const queryClient = useQueryClient();
  const hasAnswer = query.data !== undefined && !query.isPlaceholderData;
  if (hasAnswer || query.fetchStatus !== 'paused') return undefined;
  const kept = queryClient.getQueryData<{ pages: { items: Row[] }[] }>(unfiltered);
  return kept?.pages.flatMap(({ items }) => items);
}

/** Whether one of the texts holds what is looked for, as people type it. */
export function holdsText(texts: readonly (string | null)[], search: string): boolean {
  const wanted = search.trim().toLowerCase();
  return texts.some((text) => text?.toLowerCase().includes(wanted));
}
