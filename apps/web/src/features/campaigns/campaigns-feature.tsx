import { Megaphone } from 'lucide-react';
import { orpc } from '../../shared/api.ts';
import { paths } from '../../shared/paths.ts';
import type { Feature, FeatureRoute } from '../../shared/feature.ts';

const formAccess: FeatureRoute['formAccess'] = {
  new: ['campaigns:create'],
  copy: ['campaigns:create'],
  edit: ['campaigns:update'],
};

/** Counts of a campaign that runs come in the events themselves: `useLiveCounts`. */
const live: FeatureRoute['live'] = {
  topics: ['campaigns'],
  keys: () => [
    orpc.campaigns.list.key(),
    orpc.campaigns.summarize.key(),
    orpc.campaigns.get.key(),
    orpc.campaigns.preflightRetry.key(),
  ],
};

export const campaignsFeature: Feature = {
  name: 'campaigns',
  navigation: {
    path: paths.campaigns,
    label: 'common.nav.campaigns',
    icon: <Megaphone />,
    access: ['campaigns:read'],
    count: 'campaigns',
  },
  routes: [
    {
      path: paths.campaigns,
      isReadableOffline: true,
      access: ['campaigns:read'],
      formAccess,
      messages: ['campaigns', 'sending', 'deliveries', 'writing'],
      page: async () => (await import('./campaigns-page.tsx')).CampaignsPage,
      live,
      prefetch: async (visit) => (await import('./campaigns-queries.ts')).prefetchCampaigns(visit),
    },
    {
      path: paths.campaign('$campaignId'),
      access: ['campaigns:read'],
      formAccess,
      messages: ['campaigns', 'sending', 'deliveries', 'writing'],
      page: async () => (await import('./campaign-page.tsx')).CampaignPage,
      live,
      prefetch: async (visit) => (await import('./campaigns-queries.ts')).prefetchCampaign(visit),
    },
  ],
};
