import type { FeatureRoute } from '../../shared/feature-route.ts';
import { paths } from '../../shared/paths.ts';

const formAccess: FeatureRoute['formAccess'] = {
  new: ['templates:create'],
  duplicate: ['templates:create'],
  translate: ['templates:create'],
  edit: ['templates:update'],
};

export const templatesRoutes: readonly FeatureRoute[] = [
  {
    path: paths.templates,
    isReadableOffline: true,
    access: ['templates:read'],
    formAccess,
    messages: ['templates', 'media'],
    page: async () => (await import('./templates-page.tsx')).TemplatesPage,
    prefetch: async ({ queryClient, search }) => {
      const { listOptions, readTemplatesSearch, summaryOptions } = await import('./templates-queries.ts');
      await Promise.all([
        queryClient.prefetchQuery(summaryOptions),
        queryClient.prefetchInfiniteQuery(listOptions(readTemplatesSearch(search))),
      ]);
    },
  },
];
