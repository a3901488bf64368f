/** What the browser keeps to paint from at once and to read without a connection; never a token or secret. */
export type OfflineRecord = 'data' | 'activities' | 'session';

/** Everything kept under such a key, drafts of forms too, goes when the session ends. */
export const OFFLINE_PREFIX = 'offline.';

/** Whose it is: nobody else ever sees it, and they themself in no other workspace. */
export type OfflineOwner = { userId: string; workspaceId: string };

export function nameOwner({ userId, workspaceId }: OfflineOwner): string {
  return `${workspaceId}:${userId}`;
}

/** The kept value as it was saved, or undefined; the reader checks its shape. */
export function readOfflineCopy(record: OfflineRecord, owner: string): unknown {
  try {
    const text = localStorage.getItem(placeOf(record, owner));
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

export function saveOfflineCopy(record: OfflineRecord, value: unknown, owner: string): void {
  try {
    localStorage.setItem(placeOf(record, owner), JSON.stringify(value));
  } catch {
    // Storage is off or full: the product works without the copy.
  }
}

/** Forgets what one person saw, in whatever workspace, before another one's session is kept. */
export function clearOfflineData(): void {
  clear(/^offline\.(data|activities|session)/);
}

/** Forgets what lies here of one workspace, drafts too: whoever is a member no more has nothing left of it. */
export function clearWorkspaceCopies(workspaceId: string): void {
  clear({ test: (key) => key.startsWith(OFFLINE_PREFIX) && key.includes(workspaceId) });
}

/** All that is kept in one record, of whichever workspace. */
export function readOfflineCopies(record: OfflineRecord): unknown[] {
  const prefix = `${placeOf(record)}.`;
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix))
      .map((key) => readOfflineCopy(record, key.slice(prefix.length)));
  } catch {
    return [];
  }
}

/** Leaves nothing behind, at sign-out and when the session ends. */
export function clearOfflineCopies(): void {
  clear(/^offline\./);
}

function clear(places: { test(key: string): boolean }): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (places.test(key)) localStorage.removeItem(key);
    }
  } catch {
    // Storage is off, so nothing was kept.
  }
}

function placeOf(record: OfflineRecord, owner?: string): string {
  return OFFLINE_PREFIX + (owner ? `${record}.${owner}` : record);
}

/** Calls back when another tab signs in or out, or learns something new of the session of this owner. */
export function onSessionOfOtherTab(owner: () => string, listener: () => void): () => void {
  const listen = ({ key, newValue }: StorageEvent) => {
    const isGone = newValue === null && key?.startsWith(placeOf('session'));
    if (key === null || isGone || key === placeOf('session', owner())) listener();
  };
  addEventListener('storage', listen);
  return () => removeEventListener('storage', listen);
}
