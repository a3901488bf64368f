import type { FeatureRoute } from '../../shared/feature-route.ts';
import { paths } from '../../shared/paths.ts';
import { listOptions, readTemplatesSearch, summaryOptions } from './templates-queries.ts';

export const templatesRoutes: readonly FeatureRoute[] = [
  {
    path: paths.templates,
    isReadableOffline: true,
    access: ['templates:read'],
    messages: ['templates', 'media'],
    page: async () => (await import('./templates-page.tsx')).TemplatesPage,
    prefetch: ({ queryClient, search }) =>
      Promise.all([
        queryClient.prefetchQuery(summaryOptions),
        queryClient.prefetchInfiniteQuery(listOptions(readTemplatesSearch(search))),
      ]),
  },
];
