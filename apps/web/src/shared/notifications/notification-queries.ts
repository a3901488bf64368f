import { orpc, type api } from '../api.ts';

export type Notification = Awaited<ReturnType<typeof api.notifications.list>>['items'][number];

const PAGE_SIZE = 20;

export const unreadOptions = orpc.notifications.summarize.queryOptions({ input: {}, staleTime: 60_000 });

/** Everything, or only what is not read yet; the newest first. */
export function listOptions(isUnreadOnly: boolean) {
  return orpc.notifications.list.infiniteOptions({
    input: (cursor: string | undefined) => ({
      ...(cursor && { cursor }),
      ...(isUnreadOnly && { unread: 'yes' as const }),
      limit: PAGE_SIZE,
    }),
    initialPageParam: undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });
}

export const notificationKeys = () => [orpc.notifications.key()];
