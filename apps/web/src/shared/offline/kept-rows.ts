import { keepPreviousData, useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { useMemo } from 'react';
import { isReachable } from '../live/live-events.ts';
import { keptOnDevice } from './offline-data.ts';

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

interface FoundQuery<Row> {
  data: Listed<Row> | undefined;
  isPlaceholderData: boolean;
  fetchStatus: string;
}

type Listed<Row> = { items: readonly Row[] } | { pages: readonly { items: readonly Row[] }[] };

/**
 * What a search field offers: the answer of the server, and without a connection what is found among all rows of this kind that are on
 * this device, whatever they were asked for.
 */
export function useFoundRows<Row extends { id: string }>(
  query: FoundQuery<Row>,
  kind: QueryKey,
  find: (kept: readonly Row[]) => readonly Row[],
): { rows: readonly Row[]; searched: number | undefined } {
  const queryClient = useQueryClient();
  const hasAnswer = query.data !== undefined && !query.isPlaceholderData;
  const isNeeded = !hasAnswer && query.fetchStatus === 'paused';
  const kept = useMemo(
    () => (isNeeded ? rowsHere<Row>(queryClient, kind) : undefined),
    [isNeeded, queryClient, kind],
  );
  const answered = useMemo(() => (query.data ? rowsOf(query.data) : []), [query.data]);
  return kept ? { rows: find(kept), searched: kept.length } : { rows: answered, searched: undefined };
}

/** Each row once, as it was read last by a page, else as the last visit left it. */
function rowsHere<Row extends { id: string }>(queryClient: QueryClient, kind: QueryKey): Row[] {
  const shown = queryClient
    .getQueryCache()
    .findAll({ queryKey: kind })
    .toSorted((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt)
    .map(({ state }) => state.data);
  const rows = new Map<string, Row>();
  for (const data of [...shown, ...keptOnDevice(queryClient, kind)])
    for (const row of data ? rowsOf(data as Listed<Row>) : []) if (!rows.has(row.id)) rows.set(row.id, row);
  return [...rows.values()];
}

function rowsOf<Row>(data: Listed<Row>): readonly Row[] {
  return 'pages' in data ? data.pages.flatMap(({ items }) => items) : data.items;
}

/** Whether one of the texts holds what is looked for, as people type it. */
export function holdsText(texts: readonly (string | null)[], search: string): boolean {
  const wanted = search.trim().toLowerCase();
  return texts.some((text) => text?.toLowerCase().includes(wanted));
}
