/** Thrown while the buffer is full; the platform keeps the webhook and tries again, for days. */
export class EventBufferFull extends Error {
  override name = 'EventBufferFull';
}

export type EventWriter<Item> = {
  /** Resolves once the items are committed. Rejects when they are not; the caller must then not say 200. */
  write(items: readonly Item[]): Promise<void>;
};

/** Items of a request up to `stored` are committed. */
type Request<Item> = { items: readonly Item[]; stored: number; settle: (error?: unknown) => void };
type Slice<Item> = { request: Request<Item>; items: readonly Item[] };

export type EventWriterOptions<Item> = {
  /**
   * Stores items in one transaction; items that are there already change nothing. Answers with those that have to wait for somebody
   * and are not stored.
   */
  store: (items: readonly Item[]) => Promise<readonly Item[]>;
  /** Stores those, however long it takes; the next group does not wait for it. */
  storeApart: (items: readonly Item[]) => Promise<void>;
  /** Names the error if it lies in what was to be stored. */
  faultOfItem: (error: unknown) => string | undefined;
  /** Whether others of the group may be stored without the one that failed. */
  isOfSome: (error: unknown) => boolean;
  /** Keeps an item that cannot be stored where it belongs, as it came. */
  deadLetter: (item: Item, error: unknown) => Promise<void>;
  /** Items in one transaction at most. */
  maxBatch?: number;
  /** Items of one request among them, so that a large one leaves room for others. */
  maxSlice?: number;
  /** Items waiting at most, over all requests. */
  maxBuffered?: number;
  /** How long the first request of an idle writer waits for company, in milliseconds. */
  gatherMs?: number;
};

/**
 * Commits many webhooks at once: while one transaction runs the next group gathers, and all requests of a group
 * are answered together. A large request takes part in several groups, slice by slice in its order, and is answered after its last; one that fails
 * between two of them comes again as a whole. When a group fails for something that may be of one slice alone its slices are stored one by
 * one, so that none can spoil another; for a database that is busy or away all are refused at once. A slice that
 * fails for what it holds is divided until the one bad item is found. That one is tried once more by itself and, if it fails
 * the same way, set aside, while its neighbours are stored.
 */
export function createEventWriter<Item>({
  store,
  storeApart,
  faultOfItem,
  isOfSome,
  deadLetter,
  maxBatch = 1_000,
  maxSlice = maxBatch >> 1,
  maxBuffered = 50_000,
  gatherMs = 2,
}: EventWriterOptions<Item>): EventWriter<Item> {
  const waiting: Request<Item>[] = [];
  let buffered = 0;
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, gatherMs));
    while (waiting.length > 0) await storeGroup(takeGroup());
    running = null;
  }

  function takeGroup(): Slice<Item>[] {
    const group: Slice<Item>[] = [];
    let size = 0;
    for (const request of waiting) {
      const items = request.items.slice(request.stored, request.stored + maxSlice);
      if (group.length > 0 && size + items.length > maxBatch) break;
      size += items.length;
      group.push({ request, items });
    }
    waiting.splice(0, group.length);
    return group;
  }

  /** Answers with whether the next one has a chance. */
  async function storeGroup(group: readonly Slice<Item>[]): Promise<boolean> {
    try {
      const left = new Set(await store(group.flatMap(({ items }) => items)));
      for (const slice of group) waitApart(slice, left);
    } catch (error) {
      if (!isOfSome(error)) {
        for (const { request } of group) request.settle(error);
        return false;
      }
      if (group.length > 1) return storeOneByOne(group, error);
      for (const slice of group)
        await storeParts(slice.items, error).then(
          (left) => waitApart(slice, new Set(left)),
          slice.request.settle,
        );
    }
    return true;
  }

  async function storeOneByOne(group: readonly Slice<Item>[], error: unknown): Promise<boolean> {
    let hasChance = true;
    for (const slice of group) {
      if (hasChance) hasChance = await storeGroup([slice]);
      else slice.request.settle(error);
    }
    return hasChance;
  }

  function waitApart(slice: Slice<Item>, left: ReadonlySet<Item>): void {
    const own = left.size === 0 ? [] : slice.items.filter((item) => left.has(item));
    if (own.length === 0) goOn(slice);
    else storeApart(own).then(() => goOn(slice), slice.request.settle);
  }

  /** Answers a request of which all is stored; any other waits behind those that came meanwhile. */
  function goOn({ request, items }: Slice<Item>): void {
    request.stored += items.length;
    if (request.stored < request.items.length) enqueue(request);
    else request.settle();
  }

  /** Stores items that failed together with this error, in halves; answers as `store` does. */
  async function storeParts(items: readonly Item[], error: unknown): Promise<readonly Item[]> {
    const fault = faultOfItem(error);
    if (fault === undefined) throw error;
    const [first] = items;
    if (first === undefined) return [];
    if (items.length === 1)
      return store(items).catch(async (again) => {
        if (faultOfItem(again) !== fault) throw again;
        await deadLetter(first, again);
        return [];
      });
    const half = items.length >> 1;
    const left: Item[] = [];
    for (const part of [items.slice(0, half), items.slice(half)])
      left.push(...(await store(part).catch((partError) => storeParts(part, partError))));
    return left;
  }

  function enqueue(request: Request<Item>): void {
    waiting.push(request);
    running ??= run();
  }

  return {
    write(items) {
      if (buffered > 0 && buffered + items.length > maxBuffered) return Promise.reject(new EventBufferFull());
      buffered += items.length;
      return new Promise((resolve, reject) => {
        const settle = (error?: unknown) => {
          buffered -= items.length;
          if (error === undefined) resolve();
          else reject(error);
        };
        enqueue({ items, stored: 0, settle });
      });
    },
  };
}
