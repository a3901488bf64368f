import { useInfiniteQuery } from '@tanstack/react-query';
import type { InfiniteData, QueryKey, UseInfiniteQueryOptions } from '@tanstack/react-query';
import { errorMessage } from '../error-message.ts';
import { useListRows, whileReachable } from '../offline/kept-rows.ts';
import { useUrlState } from '../url-state.ts';
import { useDebounced } from '../use-debounced.ts';
import { useListSelection } from './use-list-selection.ts';

/** Keys that follow each other at once make one question to the server. */
const SETTLE_MS = 20;

/** A page of what the server lists, and where the next one begins. */
interface Keyset {
  items: readonly { id: string }[];
  nextCursor: string | null;
}

type RowOf<Page extends Keyset> = Page['items'][number];

type ListOptions<Page, Failure> = UseInfiniteQueryOptions<
  Page,
  Failure,
  InfiniteData<Page, string | undefined>,
  QueryKey,
  string | undefined
>;

/** What one list differs in from the next. */
export interface ListForm<Url extends { search: string }, Page extends Keyset, Failure> {
  /** Search, filters, order and open dialogs as the address holds them; of an empty one the defaults. */
  read: (search: Record<string, unknown>) => Url;
  /** The parts of the address that leave rows out, besides the search. */
  filters: readonly (keyof Url & string)[];
  /** How the server is asked for it. */
  options: (wanted: Url) => ListOptions<Page, Failure>;
  /** What the server would find among these rows, for a search without a connection; undefined where only it can tell. */
  find: (kept: readonly RowOf<Page>[], wanted: Url) => readonly RowOf<Page>[] | undefined;
  /** A failure that means that nothing is found: what the filter names is gone. */
  isGone?: (error: unknown) => boolean;
  errorMessage?: (error: unknown) => string;
}

/**
 * A list page in one call: search, filters and order live in the address, the server answers in pages, without a connection the rows
 * on this device are searched, and a selection belongs to what is searched for. `form.read` stands outside of the component.
 */
export function useListPage<Url extends { search: string }, Page extends Keyset, Failure>(
  form: ListForm<Url, Page, Failure>,
) {
  const [url, setUrl] = useUrlState(form.read);
  const wanted: Url = { ...url, search: useDebounced(url.search.trim(), SETTLE_MS) };
  const plain = form.read({});
  const query = useInfiniteQuery({ ...form.options(wanted), placeholderData: whileReachable });
  const found = useListRows<RowOf<Page>>(query, form.options(plain).queryKey, (kept) =>
    form.find(kept, wanted),
  );
  const isGone = query.isError && form.isGone?.(query.error) === true;
  const rows = isGone ? nothing : found.rows;
  const activeFilters = form.filters.filter((name) => url[name] !== plain[name]).length;
  const searchedFor = JSON.stringify([wanted.search, ...form.filters.map((name) => url[name])]);
  const patch = (part: object) => setUrl(part as Partial<Url>); // its names come from the address itself
  const explain = form.errorMessage ?? errorMessage;

  return {
    url,
    setUrl,
    /** As the server is asked: the search has settled. */
    wanted,
    /** Names search and filters; what belongs to them ends with them. */
    searchedFor,
    isFiltered: wanted.search !== '' || activeFilters > 0,
    activeFilters,
    isGone,
    /** The first page as the server gave it, with what else it says of the list. */
    firstPage: query.data?.pages[0],
    /** How many rows were searched on this device, in place of the server. */
    searched: found.searched,
    selection: useListSelection(searchedFor, rows),
    clear: () => patch(Object.fromEntries(['search', ...form.filters].map((name) => [name, undefined]))),
    /** Of the search field. */
    searchField: { value: url.search, onChange: (search: string) => patch({ search: search || undefined }) },
    /** Of a filter, or the order: the default leaves the address. */
    choice: <Name extends keyof Url & string>(name: Name) => ({
      value: url[name],
      onChange: (value: Url[Name]) => patch({ [name]: value === plain[name] ? undefined : value }),
    }),
    /** Of the table or the cards. */
    shown: {
      rows,
      status: isGone ? ('ready' as const) : found.status,
      errorText: query.error ? explain(query.error) : undefined,
      onRetry: () => void query.refetch(),
      onEndReached: query.hasNextPage ? () => readOn(query) : undefined,
      loadingMore: query.isFetchingNextPage,
    },
  };
}

type Read = { data: { pages: readonly unknown[] } | undefined; isError: boolean };
type Pages = Pick<Read, 'data'> & {
  isFetching: boolean;
  isFetchingNextPage: boolean;
  refetch: (how: { cancelRefetch: boolean }) => Promise<unknown>;
  fetchNextPage: (how: { cancelRefetch: boolean }) => Promise<Read>;
};

/** The next page, after what is on its way: neither is given up for the other, and who asks again joins. */
export function readOn(query: Pages): void {
  if (!query.isFetchingNextPage) void readNext(query);
}

async function readNext({ data, isFetching, refetch, fetchNextPage }: Pages): Promise<void> {
  const joins = { cancelRefetch: false };
  if (isFetching) await refetch(joins);
  const read = await fetchNextPage(joins);
  // It joined a reading anew that began since this was drawn.
  const isLonger = (read.data?.pages.length ?? 0) > (data?.pages.length ?? 0);
  if (!isLonger && !read.isError) await fetchNextPage(joins);
}

const nothing: readonly never[] = [];
