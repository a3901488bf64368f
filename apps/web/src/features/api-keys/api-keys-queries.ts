import type { QueryClient } from '@tanstack/react-query';
import { orpc, type api } from '../../shared/api.ts';

export type ApiKey = Awaited<ReturnType<typeof api.apiKeys.listOwn>>['items'][number];

export const keyKeys = () => [orpc.apiKeys.key()];
export const ownKeysOptions = () => orpc.apiKeys.listOwn.queryOptions({ input: {} });
export const allKeysOptions = () =>
  orpc.apiKeys.listAll.infiniteOptions({
    input: (cursor: string | undefined) => ({ limit: 50, cursor }),
    initialPageParam: undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });

export function refreshKeys(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: orpc.apiKeys.key() });
}
