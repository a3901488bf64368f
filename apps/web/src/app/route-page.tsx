import { lazy, Suspense } from 'react';
import type { ComponentType, ReactNode } from 'react';
import type { FeatureRoute } from '../shared/feature.ts';
import { useLiveQuery } from '../shared/live/use-live-query.ts';
import { loadMessages } from '../shared/messages.ts';
import { loadFile } from '../ui/load-file.ts';
import { PendingPage } from './plain-pages/pending-page.tsx';

/**
 * A page with its words, and what it hears of while it is shown. The router waits for `load`; when that fails for want of a connection, the page takes its place all the
 * same, says so, and comes with the connection.
 */
export function routePage({ page, messages, live }: Pick<FeatureRoute, 'page' | 'messages' | 'live'>): {
  load: () => Promise<unknown>;
  component: () => ReactNode;
} {
  let Page: ComponentType | undefined;
  const load = async () => {
    [Page] = await Promise.all([page(), loadMessages(...messages)]);
    return Page;
  };
  const LatePage = lazy(async () => ({ default: await loadFile(load) }));
  return {
    load,
    component: function RoutePage() {
      useLiveQuery(live?.topics ?? [], live?.keys() ?? []);
      if (Page) return <Page />;
      return (
        <Suspense fallback={<PendingPage />}>
          <LatePage />
        </Suspense>
      );
    },
  };
}
