import type { Feature } from '../../shared/feature.ts';
import { orpc } from '../../shared/api.ts';
import { paths } from '../../shared/paths.ts';

export const quickRepliesFeature: Feature = {
  name: 'quick-replies',
  routes: [
    {
      path: paths.quickReplies,
      access: ['messages:read'],
      formAccess: { new: ['messages:create'] },
      messages: ['quick-replies', 'media'],
      page: async () => (await import('./quick-replies-page.tsx')).QuickRepliesPage,
      live: { topics: ['quick-replies'], keys: () => [orpc.quickReplies.key()] },
      prefetch: async ({ queryClient, search }) => {
        const { listOptions, readRepliesSearch } = await import('./quick-replies-queries.ts');
        await queryClient.prefetchInfiniteQuery(listOptions(readRepliesSearch(search)));
      },
    },
  ],
};
