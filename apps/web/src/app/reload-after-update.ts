const RELOADED_AT = 'reloaded-after-update';
const PAUSE_MS = 60_000;

/**
 * A tab that was open while the product was updated asks for files that are gone: one reload brings it up to date.
 * Never twice within a minute, so that a file that is missing for good cannot make it loop.
 */
export function reloadAfterUpdate(): void {
  addEventListener('vite:preloadError', (event) => {
    // Without a network a file is not gone, only out of reach.
    if (!navigator.onLine) return;
    if (Date.now() - Number(sessionStorage.getItem(RELOADED_AT) ?? 0) < PAUSE_MS) return;
    event.preventDefault();
    sessionStorage.setItem(RELOADED_AT, String(Date.now()));
    location.reload();
  });
}
