import type { QueryClient } from '@tanstack/react-query';
import {
  conversationPriorities,
  conversationStatuses,
  type ConversationPriority,
  type ConversationStatus,
} from '@app/domain/conversations/conversation-status';
import { orpc, type api } from '../api.ts';
import type { FeatureVisit } from '../feature.ts';
import { readOneOf, readText } from '../url-state.ts';
import { listKeys } from './conversation-keys.ts';

export type Conversation = Awaited<ReturnType<typeof api.conversations.get>>;

const PAGE_SIZE = 50;

/** One conversation with what stands in its head. */
export function conversationOptions(conversationId: string) {
  return orpc.conversations.get.queryOptions({ input: { conversationId } });
}

/** What leaves conversations out of the list, as the address holds it. */
export interface ConversationFilters {
  tab: InboxTab;
  /** `me`, `nobody`, or somebody's id. */
  assignee: string;
  status: ConversationStatus | '';
  priority: ConversationPriority | '';
  label: string;
  team: string;
  channel: string;
  /** Only what has a target, what is due next first. */
  due: '' | 'next';
}

export const inboxTabs = ['all', 'unread', 'pinned', 'archived'] as const;
export type InboxTab = (typeof inboxTabs)[number];

export function readConversationFilters(search: Record<string, unknown>): ConversationFilters {
  return {
    tab: readOneOf(search, 'tab', inboxTabs),
    assignee: readText(search, 'assignee'),
    status: readOneOf(search, 'status', ['', ...conversationStatuses]),
    priority: readOneOf(search, 'priority', ['', ...conversationPriorities]),
    label: readText(search, 'label'),
    team: readText(search, 'team'),
    channel: readText(search, 'channel'),
    due: readOneOf(search, 'due', ['', 'next']),
  };
}

/** How the server is asked for it: those first that one has pinned. */
export function queryOf({ tab, assignee, status, priority, label, team, channel, due }: ConversationFilters) {
  return {
    ...(tab === 'unread' && { unread: 'yes' as const }),
    ...(tab === 'pinned' && { pinned: 'yes' as const }),
    archived: tab === 'archived' ? ('yes' as const) : ('no' as const),
    ...(assignee && { assignee }),
    ...(status && { status }),
    ...(priority && { priority }),
    ...(label && { label }),
    ...(team && { teamId: team }),
    ...(channel && { channelId: channel }),
    order: due === 'next' ? ('due' as const) : ('pinned' as const),
  };
}

/** The list in pages. */
export function conversationsOptions(filters: ConversationFilters) {
  return orpc.conversations.list.infiniteOptions({
    input: (cursor: string | undefined) => ({
      ...(cursor && { cursor }),
      ...queryOf(filters),
      limit: PAGE_SIZE,
    }),
    initialPageParam: undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });
}

/** What the inbox shows first. */
export async function prefetchInbox({ queryClient, params, search }: FeatureVisit): Promise<void> {
  await Promise.all([
    queryClient.prefetchInfiniteQuery(conversationsOptions(readConversationFilters(search))),
    params.conversationId && queryClient.prefetchQuery(conversationOptions(params.conversationId)),
  ]);
}

/** What an act answered is shown at once; lists follow. */
export async function noteConversation(queryClient: QueryClient, changed: Conversation): Promise<void> {
  queryClient.setQueryData(conversationOptions(changed.id).queryKey, changed);
  await Promise.all(listKeys().map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
