import type { QueryClient } from '@tanstack/react-query';
import { orpc, type api } from '../../shared/api.ts';
import { errorMessageOf } from '../../shared/error-message.ts';
import { refusalOf } from '../../shared/languages/refusal-text.ts';
import { refreshConnections } from './connection-queries.ts';

export type AccountNumber = Awaited<ReturnType<typeof api.numbers.list>>['items'][number];

export const numbersOptions = (channelId: string) => orpc.numbers.list.queryOptions({ input: { channelId } });

/** What the platform says by its code, in the reader's language where there are words for it. */
export const numberErrorMessage = errorMessageOf({
  platform_refused: refusalOf,
  channel_exists: 'connection.exists',
});

/** What the platform says of them, and what ours are. */
export async function refreshNumbers(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: orpc.numbers.key() }),
    refreshConnections(queryClient),
  ]);
}
