import { QueryClient } from '@tanstack/react-query';
import type {
  InvalidateOptions,
  InvalidateQueryFilters,
  Query,
  QueryClientConfig,
  QueryKey,
} from '@tanstack/react-query';

/** What the client knows of the stream of live events. */
export type LiveTelling = {
  /** Whether events arrive at all. */
  isConnected(): boolean;
  /** Whether an event is being told just now. */
  isTelling(): boolean;
};

/** A change often has several events. */
const AFTER_ONE_MS = 100;
/** So long the answer of an act and its event wait for each other. */
const LONGEST_MS = 300;
/** While much happens, what is shown follows its events at this pace; a single one is followed at once. */
const FOLLOW_MS = 1_500;
/** Of a list that somebody scrolled far down all pages are read, one after the other: for so many of them it follows as much slower. */
const FOLLOW_PAGES = 10;
/** What somebody waits for with their eyes on it (`meta: { isPrompt: true }`), a chat or the list beside it, is read with the events of one change, and soon again; the longer a row of events lasts, the slower. */
const PROMPT_AFTER_MS = 10;
const PROMPT_FOLLOW_MS = 60;
const PROMPT_SLOWEST_MS = 1_000;
const PROMPT_SLOWS = 1.6;
const PROMPT_PAGES = 2;
/** Both are there. */
const AFTER_BOTH_MS = 20;

type Telling = {
  /** By an event, else by the answer of an act. */
  byEvent: boolean;
  isBoth: boolean;
  read: () => void;
  timer: ReturnType<typeof setTimeout>;
  isRead: Promise<void>;
  drop: () => void;
};

/**
 * Reads once after a change, though its answer and its live event both tell of it, and not at all what was asked for since. The
 * library would read at every telling, and would keep waiting for a first answer that may have been written before the change.
 */
export class ServerDataClient extends QueryClient {
  readonly #live: LiveTelling | undefined;
  /** Counts askings and changes: only their order matters. */
  #moment = 0;
  readonly #askedAt = new WeakMap<Query, number>();
  readonly #changedAt = new WeakMap<Query, number>();
  readonly #told = new Map<Query, Telling>();
  /** When it was last read because of an event. */
  readonly #followedAt = new WeakMap<Query, number>();
  readonly #promptPaces = new WeakMap<Query, number>();

  constructor(config?: QueryClientConfig, live?: LiveTelling) {
    super(config);
    this.#live = live;
    this.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && (event.action.type === 'fetch' || event.action.type === 'continue'))
        this.#askedAt.set(event.query, (this.#moment += 1));
    });
  }

  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    if (filters?.refetchType === 'none') return super.invalidateQueries(filters, options);
    const changed = this.getQueryCache().findAll(filters);
    this.#moment += 1;
    await Promise.all(
      changed.map((query) => {
        this.#changedAt.set(query, this.#moment);
        // Whoever shows it from now on asks at once.
        query.invalidate();
        return this.#gather(query);
      }),
    );
  }

  /** What was told of these and is not read yet stays unread, until it is told again or somebody asks. */
  clearTold(filters: { queryKey: QueryKey }): void {
    for (const query of this.getQueryCache().findAll(filters)) this.#told.get(query)?.drop();
  }

  #gather(query: Query): Promise<void> {
    const byEvent = this.#live?.isTelling() === true;
    const before = this.#told.get(query);
    if (!before) return this.#startGathering(query, byEvent);
    if (!before.isBoth && before.byEvent !== byEvent) {
      before.isBoth = true;
      clearTimeout(before.timer);
      before.timer = setTimeout(before.read, AFTER_BOTH_MS);
    }
    return before.isRead;
  }

  #startGathering(query: Query, byEvent: boolean): Promise<void> {
    let end: (isWanted: boolean) => void = () => {};
    const isRead = new Promise<boolean>((resolve) => (end = resolve)).then((isWanted) =>
      isWanted ? this.#readAgain(query) : undefined,
    );
    const read = () => {
      this.#told.delete(query);
      if (byEvent) this.#noteFollowed(query, pause > wait);
      end(true);
    };
    const isOtherToCome = byEvent ? this.isMutating() > 0 : this.#live?.isConnected() === true;
    const isPrompt = query.meta?.isPrompt === true && isShort(query);
    const wait = isOtherToCome ? LONGEST_MS : isPrompt ? PROMPT_AFTER_MS : AFTER_ONE_MS;
    const pace = isPrompt
      ? this.#promptPace(query)
      : FOLLOW_MS * Math.max(1, Math.ceil(pagesOf(query) / FOLLOW_PAGES));
    const pause = byEvent ? (this.#followedAt.get(query) ?? 0) + pace - Date.now() : 0;
    const telling: Telling = {
      byEvent,
      isBoth: false,
      read,
      timer: setTimeout(read, Math.max(wait, pause)),
      isRead,
      drop: () => {
        clearTimeout(telling.timer);
        this.#told.delete(query);
        end(false);
      },
    };
    this.#told.set(query, telling);
    return isRead;
  }

  #promptPace(query: Query): number {
    return this.#promptPaces.get(query) ?? PROMPT_FOLLOW_MS;
  }

  /** One of a row came so soon behind the one before it that it had to wait. */
  #noteFollowed(query: Query, isOfRow: boolean): void {
    const slower = Math.min(this.#promptPace(query) * PROMPT_SLOWS, PROMPT_SLOWEST_MS);
    this.#promptPaces.set(query, isOfRow ? slower : PROMPT_FOLLOW_MS);
    this.#followedAt.set(query, Date.now());
  }

  async #readAgain(query: Query): Promise<void> {
    const isFirst = query.state.data === undefined && query.state.fetchStatus !== 'idle';
    if (isFirst && this.#isOutdated(query)) await query.promise?.catch(() => undefined);
    if (this.#isOutdated(query)) await super.invalidateQueries({ predicate: (other) => other === query });
  }

  #isOutdated(query: Query): boolean {
    return (this.#askedAt.get(query) ?? 0) < (this.#changedAt.get(query) ?? 0);
  }
}

/** A list that somebody scrolled far down is read as a whole: that takes its time. */
function isShort(query: Query): boolean {
  return pagesOf(query) <= PROMPT_PAGES;
}

/** How many are read to read it again. */
function pagesOf({ state: { data } }: Query): number {
  const isPaged = typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages);
  return isPaged ? (data.pages as unknown[]).length : 1;
}
