/** Thrown while the buffer is full; the platform keeps the webhook and tries again, for days. */
export class EventBufferFull extends Error {
  override name = 'EventBufferFull';
}

export type EventWriter<Item> = {
  /** Resolves once the items are committed. Rejects when they are not; the caller must then not say 200. */
  write(items: readonly Item[]): Promise<void>;
};

type Request<Item> = { items: readonly Item[]; settle: (error?: unknown) => void };

export type EventWriterOptions<Item> = {
  /** Stores all items in one transaction. */
  store: (items: readonly Item[]) => Promise<void>;
  /** Names the error if it lies in what was to be stored. */
  faultOfItem: (error: unknown) => string | undefined;
  /** Keeps an item that cannot be stored where it belongs, as it came. */
  setAside: (item: Item, error: unknown) => Promise<void>;
  /** Items in one transaction at most, unless a single request brings more. */
  maxBatch?: number;
  /** Items waiting at most, over all requests. */
  maxBuffered?: number;
  /** How long the first request of an idle writer waits for company, in milliseconds. */
  gatherMs?: number;
};

/**
 * Commits many webhooks at once: while one transaction runs the next group gathers, and all requests of a group
 * are answered together. When a group fails its requests are stored one by one, so that none can spoil another; a request that
 * fails for what it holds is divided until the one bad item is found. That one is tried once more by itself and, if it fails
 * the same way, set aside, while its neighbours are stored.
 */
export function createEventWriter<Item>({
  store,
  faultOfItem,
  setAside,
  maxBatch = 1_000,
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

  function takeGroup(): Request<Item>[] {
    let size = 0;
    let count = 0;
    for (const { items } of waiting) {
      if (count > 0 && size + items.length > maxBatch) break;
      size += items.length;
      count += 1;
    }
    return waiting.splice(0, count);
  }

  async function storeGroup(group: Request<Item>[]): Promise<void> {
    try {
      await store(group.flatMap(({ items }) => items));
      group.forEach(({ settle }) => settle());
    } catch (error) {
      if (group.length > 1) for (const request of group) await storeGroup([request]);
      else for (const { items, settle } of group) await storeParts(items, error).then(() => settle(), settle);
    }
  }

  /** Stores items that failed together with this error, in halves. */
  async function storeParts(items: readonly Item[], error: unknown): Promise<void> {
    const fault = faultOfItem(error);
    if (fault === undefined) throw error;
    const [first] = items;
    if (first === undefined) return;
    if (items.length === 1)
      return store(items).catch((again) => {
        if (faultOfItem(again) !== fault) throw again;
        return setAside(first, again);
      });
    const half = items.length >> 1;
    for (const part of [items.slice(0, half), items.slice(half)])
      await store(part).catch((partError) => storeParts(part, partError));
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
        waiting.push({ items, settle });
        running ??= run();
      });
    },
  };
}
