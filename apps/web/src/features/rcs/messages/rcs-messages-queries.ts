import { rcsMessageStatuses, rcsMessageTypes } from '@app/domain/rcs/rcs-message';
import { orpc, type api } from '../../../shared/api.ts';
import { errorMessageOf } from '../../../shared/error-message.ts';
import {
  chosenFilters,
  fitsFilters,
  readFilters,
  type ListFilter,
} from '../../../shared/lists/list-filters.ts';
import { t } from '../../../shared/messages.ts';
import { readText } from '../../../shared/url-state.ts';

export type RcsMessage = Awaited<ReturnType<typeof api.rcs.get>>;

/** What the list can be narrowed to. */
export const messageFilters = {
  status: {
    ...{ label: 'rcs.status', all: 'rcs.status.all', values: rcsMessageStatuses },
    say: (value: RcsMessage['status']) => t(`rcs.status.${value}`),
    of: ({ status }: RcsMessage) => status,
  },
  type: {
    ...{ label: 'rcs.type', all: 'rcs.type.all', values: rcsMessageTypes },
    say: (value: RcsMessage['type']) => t(`rcs.type.${value}`),
    of: ({ type }: RcsMessage) => type,
  },
} as const satisfies Record<string, ListFilter<RcsMessage>>;

export type MessagesSearch = ReturnType<typeof readMessagesSearch>;

export function readMessagesSearch(search: Record<string, unknown>) {
  return { search: readText(search, 'search'), ...readFilters(messageFilters, search) };
}

export function listOptions({ search, status, type }: MessagesSearch) {
  return orpc.rcs.list.infiniteOptions({
    input: (cursor: string | undefined) => ({
      ...(search && { search }),
      ...chosenFilters(messageFilters, { status, type }),
      ...(cursor !== undefined && { cursor }),
      limit: 50,
    }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}

/** What the server would find among these; without a connection the words of a message are not searched. */
export function findKeptMessages(
  messages: readonly RcsMessage[],
  { search, status, type }: MessagesSearch,
): RcsMessage[] {
  const wanted = search.trim().toLowerCase();
  return messages.filter(
    (one) => fitsFilters(messageFilters, { status, type }, one) && one.name.toLowerCase().includes(wanted),
  );
}

/** Read anew by each dialog: what is edited or sent is what the server has now. */
export const messageOptions = (rcsMessageId: string) => ({
  ...orpc.rcs.get.queryOptions({ input: { rcsMessageId } }),
  ...{ staleTime: 0, refetchOnWindowFocus: false, refetchOnReconnect: false },
});

export const rcsErrorMessage = errorMessageOf({
  rcs_message_taken: 'rcs.error.taken',
  rcs_message_limit: 'rcs.error.limit',
  rcs_message_invalid: 'rcs.error.invalid',
  rcs_message_changed: 'rcs.error.changed',
});
