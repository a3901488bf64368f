import { orpc } from '../../shared/api.ts';
import type { FeatureRoute } from '../../shared/feature-route.ts';

/** Forms have an address; who may not use one is told so there too. */
const accessOf: FeatureRoute['accessOf'] = ({ form }) =>
  form === 'edit' ? ['campaigns:update'] : form === 'new' || form === 'copy' ? ['campaigns:create'] : [];

export const campaignsRoutes: readonly FeatureRoute[] = [
  {
    path: '/dashboard/campaigns',
    isReadableOffline: true,
    access: ['campaigns:read'],
    accessOf,
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
    accessOf,
    messages: ['campaigns', 'sending'],
    page: async () => (await import('./campaign-page.tsx')).CampaignPage,
    prefetch: ({ queryClient, params }) =>
      queryClient.prefetchQuery(
        orpc.campaigns.get.queryOptions({ input: { campaignId: params['campaignId'] ?? '' } }),
      ),
  },
];
