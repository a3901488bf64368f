import { keepPreviousData, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useMemo } from 'react';
import { isReachable } from '../live/live-events.ts';

/**
 * While a list is searched anew, the rows before stay in sight. Without a connection nothing comes to replace them, and rows of
 * another search are no answer.
 */
export function whileReachable<Data>(before: Data | undefined): Data | undefined {
  return isReachable() ? keepPreviousData(before) : undefined;
}

interface ListQuery<Row> {
  data: { pages: readonly { items: readonly Row[] }[] } | undefined;
  isPlaceholderData: boolean;
  isPending: boolean;
  isError: boolean;
  fetchStatus: string;
}

export interface ListRows<Row> {
  rows: readonly Row[];
  status: 'loading' | 'ready' | 'error';
  /** How many rows were searched on this device, in place of the server. */
  searched: number | undefined;
}

/**
 * The rows of a list that is searched and filtered by the server; without a connection those that `find` finds among the rows of
 * the unfiltered list on this device, unless only the server could tell.
 */
export function useListRows<Row>(
  list: ListQuery<Row>,
  unfiltered: QueryKey,
  find: (kept: readonly Row[]) => readonly Row[] | undefined,
): ListRows<Row> {
  const kept = useKeptRows<Row>(list, unfiltered);
  const found = kept && find(kept);
  const answered = useMemo(() => list.data?.pages.flatMap(({ items }) => items) ?? [], [list.data]);
  if (kept && found) return { rows: found, status: 'ready', searched: kept.length };
  const status = list.isPending ? 'loading' : list.isError && !list.data ? 'error' : 'ready';
  return { rows: answered, status, searched: undefined };
}

/** Undefined while the server answers, or when nothing is kept. */
function useKeptRows<Row>(list: ListQuery<Row>, unfiltered: QueryKey): readonly Row[] | undefined {
  const queryClient = useQueryClient();
  const hasAnswer = list.data !== undefined && !list.isPlaceholderData;
  const isNeeded = !hasAnswer && list.fetchStatus === 'paused';
  const kept = isNeeded ? queryClient.getQueryData<{ pages: { items: Row[] }[] }>(unfiltered) : undefined;
  return useMemo(() => kept?.pages.flatMap(({ items }) => items), [kept]);
}

/** Whether one of the texts holds what is looked for, as people type it. */
export function holdsText(texts: readonly (string | null)[], search: string): boolean {
  const wanted = search.trim().toLowerCase();
  return texts.some((text) => text?.toLowerCase().includes(wanted));
}
