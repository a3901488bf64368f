/**
 * Has the browser keep the files of the app, so that the dashboard opens without a connection. Only code and pictures of
 * the product: what a person sees is in the offline copy, which goes with the session.
 */
export async function keepAppFiles(): Promise<void> {
  // Browsers offer it on https and on this machine only.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  try {
    await navigator.serviceWorker.register('/service-worker.js');
    const { active } = await navigator.serviceWorker.ready;
    const loaded = performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name))
      .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith('/assets/'));
    active?.postMessage({ keep: [...new Set(loaded.map(({ pathname }) => pathname))] });
  } catch {
    // Private windows and strict settings refuse it: the dashboard then needs a connection to open.
  }
}
