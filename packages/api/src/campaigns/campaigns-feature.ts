import type { ServerFeature } from '../platform/features/server-feature.ts';
import { campaignFiles } from './campaign-files.ts';
import { campaignsApi } from './campaigns-api.ts';

export const campaignsFeature = {
  name: 'campaigns',
  tables: {
    campaigns: 'what is sent; chosen contacts stand there by ids that lead nowhere once they are gone',
  },
  router: { campaigns: campaignsApi },
  files: () => campaignFiles,
} satisfies ServerFeature;
