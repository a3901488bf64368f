import { orpc, type api } from '../api.ts';

export type QuickReply = Awaited<ReturnType<typeof api.quickReplies.list>>['items'][number];

/** Everybody's and one's own: so few that they are filtered while typing. */
export const quickRepliesOptions = orpc.quickReplies.list.queryOptions({ input: {}, staleTime: 60_000 });
