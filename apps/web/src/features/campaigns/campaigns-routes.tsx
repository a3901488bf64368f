import { orpc } from '../../shared/api.ts';
import type { FeatureRoute } from '../../shared/feature-route.ts';

const formAccess: FeatureRoute['formAccess'] = {
  new: ['campaigns:create'],
  copy: ['campaigns:create'],
  edit: ['campaigns:update'],
};

export const campaignsRoutes: readonly FeatureRoute[] = [
  {
    path: '/dashboard/campaigns',
    isReadableOffline: true,
    access: ['campaigns:read'],
    formAccess,
    messages: ['campaigns', 'sending'],
    page: async () => (await import('./campaigns-page.tsx')).CampaignsPage,
    prefetch: async ({ queryClient }) => {
      const { campaignsOptions } = await import('./campaigns-queries.ts');
      await Promise.all([
        queryClient.prefetchQuery(orpc.campaigns.summarize.queryOptions({ input: {} })),
        queryClient.prefetchInfiniteQuery(campaignsOptions({ search: '', status: '' })),
      ]);
    },
  },
  {
    path: '/dashboard/campaigns/$campaignId',
    access: ['campaigns:read'],
    formAccess,
    messages: ['campaigns', 'sending'],
    page: async () => (await import('./campaign-page.tsx')).CampaignPage,
    prefetch: ({ queryClient, params }) =>
      queryClient.prefetchQuery(
        orpc.campaigns.get.queryOptions({ input: { campaignId: params['campaignId'] ?? '' } }),
      ),
  },
];
