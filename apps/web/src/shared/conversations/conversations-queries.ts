import type { QueryClient } from '@tanstack/react-query';
import { orpc, type api } from '../api.ts';
import type { FeatureVisit } from '../feature.ts';
import { listKeys } from './conversation-keys.ts';

export type Conversation = Awaited<ReturnType<typeof api.conversations.get>>;

const PAGE_SIZE = 50;

/** One conversation with what stands in its head. */
export function conversationOptions(conversationId: string) {
  return orpc.conversations.get.queryOptions({ input: { conversationId } });
}

export function conversationsOptions() {
  return orpc.conversations.list.infiniteOptions({
    input: (cursor: string | undefined) => ({ ...(cursor && { cursor }), limit: PAGE_SIZE }),
    initialPageParam: undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });
}

/** What the inbox shows first. */
export async function prefetchInbox({ queryClient, params }: FeatureVisit): Promise<void> {
  await Promise.all([
    queryClient.prefetchInfiniteQuery(conversationsOptions()),
    params.conversationId && queryClient.prefetchQuery(conversationOptions(params.conversationId)),
  ]);
}

/** What an act answered is shown at once; lists follow. */
export async function noteConversation(queryClient: QueryClient, changed: Conversation): Promise<void> {
  queryClient.setQueryData(conversationOptions(changed.id).queryKey, changed);
  await Promise.all(listKeys().map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
