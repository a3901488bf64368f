import { rankQuickReplies } from '@app/domain/quick-replies/quick-reply';
import { orpc } from '../../shared/api.ts';
import type { QuickReply } from '../../shared/conversations/quick-replies.ts';
import { errorMessageOf } from '../../shared/error-message.ts';
import { chosenFilters, fitsFilters, readFilters, type ListFilter } from '../../shared/lists/list-filters.ts';
import { t } from '../../shared/messages.ts';
import { readOneOf, readText } from '../../shared/url-state.ts';

const whose = ['everybody', 'own'] as const;

/** What the list can be narrowed to. */
export const replyFilters = {
  whose: {
    label: 'quick-replies.whose',
    all: 'quick-replies.whose.all',
    values: whose,
    say: (value: (typeof whose)[number]) => t(`quick-replies.whose.${value}`),
    of: ({ isShared }: QuickReply) => (isShared ? 'everybody' : 'own'),
  },
} satisfies Record<string, ListFilter<QuickReply>>;

export type RepliesSearch = ReturnType<typeof readRepliesSearch>;

/** Search, filter and the open form live in the address: `?dialog=edit&reply=…`. */
export function readRepliesSearch(search: Record<string, unknown>) {
  return {
    search: readText(search, 'search'),
    ...readFilters(replyFilters, search),
    folder: readText(search, 'folder'),
    dialog: readOneOf(search, 'dialog', ['', 'new', 'edit']),
    reply: readText(search, 'reply'),
  };
}

export function listOptions({
  search,
  whose: chosen,
  folder,
}: Pick<RepliesSearch, 'search' | 'whose' | 'folder'>) {
  return orpc.quickReplies.list.infiniteOptions({
    input: () => ({
      ...(search && { search }),
      ...chosenFilters(replyFilters, { whose: chosen }),
      ...(folder && { folder }),
    }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: () => undefined,
  });
}

/** What the server would find among these. */
export function findKeptReplies(
  replies: readonly QuickReply[],
  { search, whose: chosen, folder }: RepliesSearch,
) {
  return rankQuickReplies(
    replies.filter(
      (one) => fitsFilters(replyFilters, { whose: chosen }, one) && (folder === '' || one.folder === folder),
    ),
    search.replace(/^\//, ''),
  );
}

/** The folders that there are, by name, and the one that is asked for. */
export function foldersOf(replies: readonly QuickReply[], asked: string): string[] {
  const named = replies.map(({ folder }) => folder ?? '');
  return [...new Set([...named, asked])].filter((folder) => folder !== '').toSorted(compareNames);
}

const compareNames = (a: string, b: string) => a.localeCompare(b);

export const replyErrorMessage = errorMessageOf({
  quick_reply_taken: 'quick-replies.error.taken',
  quick_reply_shared: 'quick-replies.error.shared',
  quick_reply_limit: 'quick-replies.error.limit',
  media_not_found: 'quick-replies.error.fileGone',
});
