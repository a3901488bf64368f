import type { FeatureRoute } from '../shared/feature.ts';
import { loadMessages } from '../shared/messages.ts';
import { queryClient } from '../shared/query-client.ts';
import { can, isSignedIn } from '../shared/session.ts';
import { savesData } from '../shared/offline/saves-data.ts';
import { loadPopupLayers } from '../ui/overlays/late-trigger.tsx';
import { loadPalette } from './palette/load-palette.ts';
import { takeNewcomer } from '../shared/sign-in/newcomer.ts';
import { loadUnexpectedError } from './plain-pages/router-error-page.tsx';

/**
 * Loads code, words and first data of pages once the page that was asked for is done, so that they open offline. For whoever saves
 * data only what was opened does.
 */
export function loadAheadWhenIdle(routes: readonly FeatureRoute[]): void {
  // Safari has no idle callback.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(() => void loadAhead(routes));
  else void loadAhead(routes);
}

async function loadAhead(routes: readonly FeatureRoute[]): Promise<void> {
  if (!isSignedIn()) return;
  // Whoever pressed to begin and is signed in has begun.
  takeNewcomer();
  if (!navigator.onLine) return;
  for (const route of savesData() ? [] : routes) {
    if (!(route.access ?? []).every((permission) => can(permission))) continue;
    try {
      await Promise.all([route.page(), loadMessages(...route.messages)]);
      await route.prefetch?.({ queryClient, params: {}, search: {} });
      await route.loadLater?.();
    } catch {
      // The page loads it, and reports what is wrong, when somebody opens it.
    }
  }
  try {
    await loadUnexpectedError();
    if (!savesData()) await Promise.all([loadPalette(), loadPopupLayers()]);
    const { keepAppFiles } = await import('./keep-app-files.ts');
    await keepAppFiles();
  } catch {
    // The next visit keeps them.
  }
}
