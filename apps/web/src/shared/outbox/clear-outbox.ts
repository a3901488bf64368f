export const OUTBOX_DATABASE = 'outbox';
const LONGEST_MS = 1_000;

/** Leaves nothing behind, at sign-out; what another tab holds open is gone as soon as it lets go. */
export function clearOutbox(): Promise<void> {
  if (typeof indexedDB === 'undefined') return Promise.resolve();
  return new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(OUTBOX_DATABASE);
    request.onsuccess = () => resolve();
    request.onerror = () => resolve();
    setTimeout(resolve, LONGEST_MS);
  });
}
