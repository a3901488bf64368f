import { BarChart3 } from 'lucide-react';
import { orpc } from '../../shared/api.ts';
import type { Feature } from '../../shared/feature.ts';
import { paths } from '../../shared/paths.ts';

export const analyticsFeature: Feature = {
  name: 'analytics',
  navigation: {
    path: paths.analytics,
    label: 'common.nav.analytics',
    icon: <BarChart3 />,
    access: ['analytics:read'],
  },
  routes: [
    {
      path: paths.analytics,
      access: ['analytics:read'],
      messages: ['analytics'],
      page: async () => (await import('./analytics-page.tsx')).AnalyticsPage,
      live: { topics: ['campaign-progress'], keys: () => [orpc.analytics.key()] },
      prefetch: async ({ queryClient, search }) => {
        const { daysOf, filtersOptions, readAnalyticsSearch, reportOptions } =
          await import('./analytics-queries.ts');
        const read = readAnalyticsSearch(search);
        // Without a period the server would answer for its usual one.
        if (daysOf(read) === null) return;
        // The page counts for a segment once it knows that it is there.
        const filters = filtersOptions(read);
        if (filters.enabled) await queryClient.prefetchQuery(filters);
        if (read.segment !== '') return;
        const { summary, volume, statuses } = reportOptions(read);
        await Promise.all([
          queryClient.prefetchQuery(summary),
          queryClient.prefetchQuery(volume),
          queryClient.prefetchQuery(statuses),
        ]);
      },
    },
  ],
};
