import { orpc, type api } from '../../shared/api.ts';
import { readOneOf, readText } from '../../shared/url-state.ts';

export type OpenSession = Awaited<ReturnType<typeof api.sessions.list>>['items'][number];

export function readSessionsSearch(search: Record<string, unknown>) {
  return {
    search: readText(search, 'search'),
    state: readOneOf(search, 'state', ['active', 'all']),
  };
}

export function listOptions({ search, state }: ReturnType<typeof readSessionsSearch>) {
  return orpc.sessions.list.infiniteOptions({
    input: (cursor: string | undefined) => ({
      ...(cursor && { cursor }),
      ...(search && { search }),
      ...{ state, limit: 50 },
    }),
    initialPageParam: undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });
}
