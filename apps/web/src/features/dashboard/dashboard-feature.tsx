import { Home } from 'lucide-react';
import { orpc } from '../../shared/api.ts';
import type { Feature } from '../../shared/feature.ts';
import { paths } from '../../shared/paths.ts';
import { healthOptions, overviewOptions } from './dashboard-queries.ts';
import { loadFeed } from './late-feed.tsx';

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
        keys: () => [orpc.dashboard.key()],
      },
      prefetch: ({ queryClient }) =>
        Promise.all([queryClient.prefetchQuery(overviewOptions()), queryClient.prefetchQuery(healthOptions)]),
      loadLater: loadFeed,
    },
  ],
};
