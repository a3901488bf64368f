import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import type { AudienceFilter } from '@app/domain/delivery/audience';
import { orpc } from '../../../shared/api.ts';
import { findsPerson } from '../../../shared/offline/find-person.ts';
import { useFoundRows } from '../../../shared/offline/found-rows.ts';
import { whileReachable } from '../../../shared/offline/kept-rows.ts';
import { useDebounced } from '../../../shared/use-debounced.ts';
import {
  emptySelection,
  isEvaluatedHere,
  isSelectionEmpty,
  leavesOut,
  toAudience,
  type AudienceSelection,
  type NamedByServer,
  type PickableContact,
} from './audience-selection.ts';

const PAGE = 100;
const kind = orpc.contacts.list.key();

/** The contacts that match, a page at a time as the list scrolls; without a connection those of them that are on this device. */
export function usePickableContacts(search: string) {
  const query = useInfiniteQuery(
    orpc.contacts.list.infiniteOptions({
      input: (cursor: string | undefined) => ({
        limit: PAGE,
        ...(search === '' ? {} : { search }),
        ...(cursor === undefined ? {} : { cursor }),
      }),
      initialPageParam: undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      placeholderData: whileReachable,
    }),
  );
  const { rows, searched } = useFoundRows<PickableContact>(query, kind, (kept) =>
    kept.filter((person) => findsPerson(person, search)),
  );
  return { ...query, contacts: rows, searched };
}

/** Whom of the listed contacts the segments of the choice name, asked page by page. */
export function useNamedByServer(
  selection: AudienceSelection,
  contacts: readonly PickableContact[],
): NamedByServer {
  const filters = selection.filters.filter((filter) => !isEvaluatedHere(filter));
  const pages = filters.length === 0 ? 0 : Math.ceil(contacts.length / PAGE);
  return useQueries({
    queries: Array.from({ length: pages }, (_, page) =>
      orpc.campaigns.findInAudience.queryOptions({
        input: {
          audience: toAudience({ ...emptySelection, filters }),
          contactIds: contacts.slice(page * PAGE, (page + 1) * PAGE).map(({ id }) => id),
        },
      }),
    ),
    combine: collectIds,
  });
}

function collectIds(answers: readonly { data: { contactIds: string[] } | undefined }[]): NamedByServer {
  return new Set(answers.flatMap(({ data }) => data?.contactIds ?? []));
}

/** How many contacts a filter names; undefined until it is known. */
export function useMatchingCount(filter: AudienceFilter): number | undefined {
  const { data } = useQuery(
    orpc.campaigns.countAudience.queryOptions({
      input: { audience: { filter } },
      placeholderData: whileReachable,
    }),
  );
  return data?.chosen;
}

/** How many contacts are chosen, each once. Asks the server only when filters are part of the choice. */
export function useChosenCount(selection: AudienceSelection): {
  count: number | undefined;
  isCounting: boolean;
} {
  const needsServer = needsServerFor(selection);
  const settled = useDebounced(selection, 150);
  const { data, isFetching } = useQuery(
    orpc.campaigns.countAudience.queryOptions({
      input: { audience: toAudience(settled) },
      enabled: needsServer && needsServerFor(settled),
      placeholderData: whileReachable,
    }),
  );
  if (isSelectionEmpty(selection)) return { count: 0, isCounting: false };
  if (!needsServer) return { count: selection.picked.size, isCounting: false };
  return { count: data?.chosen, isCounting: isFetching || settled !== selection };
}

function needsServerFor(selection: AudienceSelection): boolean {
  return selection.filters.length > 0 || (selection.picked.size > 0 && leavesOut(selection));
}
