import { OUTBOX_DATABASE } from './clear-outbox.ts';
import type { OutboxItem } from './outbox-items.ts';

/** Where messages lie until they are sent. Each act is whole: of two tabs one is first. */
export type OutboxStore = {
  /** Of everybody who wrote in this browser. */
  readAll(): Promise<OutboxItem[]>;
  put(item: OutboxItem): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  /** Takes it for whoever sends it; false when it is there no more. */
  claim(id: string): Promise<boolean>;
  /** Removes it unless somebody sends it just now; false when somebody does. */
  removeFree(id: string): Promise<boolean>;
};

const STORE = 'items';

/** The browser's database; where it gives none, such as in some private windows, messages live as long as the page. */
export function openOutboxStore(): OutboxStore {
  const memory = openMemoryStore();
  if (typeof indexedDB === 'undefined') return memory;
  let opening: Promise<IDBDatabase | null> | undefined;
  const open = () => (opening ??= openDatabase().catch(() => null));
  const act = async <Result>(
    work: (store: IDBObjectStore, answer: (result: Result) => void) => void,
    otherwise: (store: OutboxStore) => Promise<Result>,
  ): Promise<Result> => {
    const database = await open();
    return database ? actOn(database, work) : otherwise(memory);
  };
  return {
    readAll: () =>
      act<OutboxItem[]>(
        (store, answer) => {
          const request = store.getAll();
          request.onsuccess = () => answer(request.result as OutboxItem[]); // what `put` wrote
        },
        (other) => other.readAll(),
      ),
    put: (item) =>
      act<void>(
        (store, answer) => {
          store.put(item);
          answer();
        },
        (other) => other.put(item),
      ),
    remove: (ids) =>
      act<void>(
        (store, answer) => {
          for (const id of ids) store.delete(id);
          answer();
        },
        (other) => other.remove(ids),
      ),
    claim: (id) =>
      act<boolean>(
        (store, answer) =>
          withItem(store, id, (item) => {
            if (item) store.put({ ...item, isClaimed: true });
            answer(item !== undefined);
          }),
        (other) => other.claim(id),
      ),
    removeFree: (id) =>
      act<boolean>(
        (store, answer) =>
          withItem(store, id, (item) => {
            if (!item?.isClaimed) store.delete(id);
            answer(!item?.isClaimed);
          }),
        (other) => other.removeFree(id),
      ),
  };
}

function withItem(store: IDBObjectStore, id: string, work: (item: OutboxItem | undefined) => void): void {
  const request = store.get(id);
  request.onsuccess = () => work(request.result as OutboxItem | undefined); // what `put` wrote
}

/** On the disk before anybody is told that it is kept. */
function actOn<Result>(
  database: IDBDatabase,
  work: (store: IDBObjectStore, answer: (result: Result) => void) => void,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(STORE, 'readwrite', { durability: 'strict' });
    let result: Result;
    work(transaction.objectStore(STORE), (answer) => (result = answer));
    transaction.oncomplete = () => resolve(result);
    transaction.onerror = () => reject(transaction.error ?? new Error('The outbox could not be written.'));
    transaction.onabort = transaction.onerror;
  });
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(OUTBOX_DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id' });
    request.onsuccess = () => {
      // Another tab may want to delete it at sign-out.
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
    request.onerror = () => reject(request.error ?? new Error('The outbox could not be opened.'));
  });
}

/** As long as the page is there. */
export function openMemoryStore(): OutboxStore {
  const items = new Map<string, OutboxItem>();
  return {
    readAll: () => Promise.resolve([...items.values()]),
    put: (item) => Promise.resolve(void items.set(item.id, item)),
    remove: (ids) => Promise.resolve(ids.forEach((id) => items.delete(id))),
    claim(id) {
      const item = items.get(id);
      if (item) items.set(id, { ...item, isClaimed: true });
      return Promise.resolve(item !== undefined);
    },
    removeFree(id) {
      const isFree = !items.get(id)?.isClaimed;
      if (isFree) items.delete(id);
      return Promise.resolve(isFree);
    },
  };
}
