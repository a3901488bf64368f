import type { FeatureRoute } from '../../shared/feature-route.ts';
import { loadMessages } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { healthOptions, overviewOptions } from './dashboard-queries.ts';

export const dashboardRoutes: readonly FeatureRoute[] = [
  {
    path: paths.dashboard,
    isReadableOffline: true,
    messages: ['dashboard', 'activity'],
    page: async () => (await import('./dashboard-page.tsx')).DashboardPage,
    prefetch: ({ queryClient }) =>
      Promise.all([
        queryClient.prefetchQuery(overviewOptions()),
        queryClient.prefetchQuery(healthOptions),
        // One line for each thing that can happen: they come with the entries, not before the page.
        loadMessages('activity-facts'),
      ]),
  },
];
