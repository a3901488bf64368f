import { Zap } from 'lucide-react';
import type { Feature } from '../../shared/feature.ts';
import { orpc } from '../../shared/api.ts';
import { paths } from '../../shared/paths.ts';

export const quickRepliesFeature: Feature = {
  name: 'quick-replies',
  actions: [
    {
      label: 'palette.quickReplies',
      icon: <Zap />,
      path: paths.quickReplies,
      access: ['messages:read'],
    },
    {
      label: 'palette.newQuickReply',
      icon: <Zap />,
      path: paths.quickReplies,
      search: { dialog: 'new' },
      access: ['messages:create'],
    },
  ],
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
