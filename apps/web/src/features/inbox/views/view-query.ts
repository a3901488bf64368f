import {
  queryOf,
  readConversationFilters,
  type ConversationFilters,
} from '../../../shared/conversations/conversations-queries.ts';
import type { api } from '../../../shared/api.ts';

export type SavedView = Awaited<ReturnType<typeof api.conversationViews.list>>['items'][number];
export type ViewQuery = SavedView['query'];

/** What the address says where the list is asked this. */
export function filtersOf(query: ViewQuery): ConversationFilters {
  const { unread, pinned, archived, assignee, status, priority, label, teamId, channelId, order } = query;
  const tab =
    archived === 'yes' ? 'archived' : unread === 'yes' ? 'unread' : pinned === 'yes' ? 'pinned' : 'all';
  return {
    ...readConversationFilters({}),
    ...{ tab, assignee: assignee ?? '', status: status ?? '', priority: priority ?? '', label: label ?? '' },
    ...{ team: teamId ?? '', channel: channelId ?? '', due: order === 'due' ? 'next' : '' },
  };
}

/** Whether the list shows the view as it was saved; one that no filters of the page can say never does. */
export function showsView(filters: ConversationFilters, { query }: Pick<SavedView, 'query'>): boolean {
  return canonical(queryOf(filters)) === canonical(query);
}

function canonical({ archived = 'no', order = 'newest', ...query }: Partial<ViewQuery>): string {
  const parts = Object.entries({ ...query, archived, order }).filter(([, value]) => value !== undefined);
  return JSON.stringify(parts.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
