import { Home } from 'lucide-react';
import { orpc } from '../../shared/api.ts';
import type { Feature } from '../../shared/feature.ts';
import { paths } from '../../shared/paths.ts';
import { attentionOptions, healthOptions, overviewOptions, startOptions } from './dashboard-queries.ts';
import { loadBody } from './late-body.tsx';
import { loadFeed } from './late-feed.tsx';
import { loadPanels } from './late-panels.tsx';

export const dashboardFeature: Feature = {
  name: 'dashboard',
  navigation: { path: paths.dashboard, label: 'common.nav.dashboard', icon: <Home />, access: [] },
  routes: [
    {
      path: paths.dashboard,
      isReadableOffline: true,
      messages: ['dashboard'],
      page: async () => (await import('./dashboard-page.tsx')).DashboardPage,
      live: {
        topics: ['campaign-progress', 'campaigns', 'contacts', 'channels'],
        keys: () => [orpc.dashboard.getOverview.key(), orpc.dashboard.getHealth.key()],
      },
      prefetch: ({ queryClient }) =>
        Promise.all([
          ...[loadPanels(), loadBody()],
          ...[queryClient.prefetchQuery(attentionOptions), queryClient.prefetchQuery(startOptions)],
          ...[queryClient.prefetchQuery(overviewOptions()), queryClient.prefetchQuery(healthOptions)],
        ]),
      loadLater: loadFeed,
    },
  ],
};
