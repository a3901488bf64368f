import { useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { useMemo } from 'react';
import { keptFor } from './offline-data.ts';

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

/** What was kept of queries of this kind, also where no page asked for it yet. */
function keptOnDevice(queryClient: QueryClient, [kind]: QueryKey): unknown[] {
  const kept = [...(keptFor.get(queryClient)?.values() ?? [])];
  return kept.filter(({ key }) => String(key[0]) === String(kind)).map(({ data }) => data);
}
