/** What the browser keeps to paint from at once and to read without a connection; never a token or secret. */
const keys = { data: 'offline.data', activities: 'offline.activities', session: 'offline.session' } as const;

/** Everything kept under such a key, drafts of forms too, goes when the session ends. */
export const OFFLINE_PREFIX = 'offline.';

export type OfflineRecord = keyof typeof keys;

/** The kept value as it was saved, or undefined; the reader checks its shape. */
export function readOfflineCopy(record: OfflineRecord): unknown {
  try {
    const text = localStorage.getItem(keys[record]);
    return text === null ? undefined : JSON.parse(text);
  } catch (error) {
    ignoreOfflineCopy(record, error);
    return undefined;
  }
}

/** Says in the console that something saved is damaged; the product goes on without it. */
export function ignoreOfflineCopy(record: OfflineRecord, reason: unknown): void {
  // oxlint-disable-next-line no-console -- the one place where a person looks for it
  console.warn(`The saved ${record} cannot be read and is ignored.`, reason);
}

export function saveOfflineCopy(record: OfflineRecord, value: unknown): void {
  try {
    localStorage.setItem(keys[record], JSON.stringify(value));
  } catch {
    // Storage is off or full: the product works without the copy.
  }
}

/** Forgets what one person saw, before another one's session is kept. */
export function clearOfflineData(): void {
  try {
    localStorage.removeItem(keys.data);
    localStorage.removeItem(keys.activities);
  } catch {
    // Storage is off, so nothing was kept.
  }
}

/** Leaves nothing behind, at sign-out and when the session ends. */
export function clearOfflineCopies(): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(OFFLINE_PREFIX)) localStorage.removeItem(key);
    }
  } catch {
    // Storage is off, so nothing was kept.
  }
}

/** Calls back when another tab signs in or out. */
export function onSessionOfOtherTab(listener: () => void): () => void {
  const listen = (event: StorageEvent) => {
    if (event.key === keys.session || event.key === null) listener();
  };
  addEventListener('storage', listen);
  return () => removeEventListener('storage', listen);
}
