import { orpc } from '../../shared/api.ts';
import type { FeatureRoute } from '../../shared/feature-route.ts';

export const bulkMessageRoutes: readonly FeatureRoute[] = [
  {
    path: '/dashboard/bulk-message',
    access: ['messages:create', 'campaigns:create'],
    messages: ['bulk-message', 'sending'],
    page: async () => (await import('./bulk-message-page.tsx')).BulkMessagePage,
    prefetch: ({ queryClient }) =>
      queryClient.prefetchQuery(orpc.contacts.listTags.queryOptions({ input: {} })),
  },
];
