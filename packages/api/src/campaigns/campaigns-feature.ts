import type { ServerFeature } from '../platform/features/server-feature.ts';
import { campaignFiles } from './campaign-files.ts';
import { campaignsApi } from './campaigns-api.ts';

export const campaignsFeature = {
  name: 'campaigns',
  router: { campaigns: campaignsApi },
  files: () => campaignFiles,
} satisfies ServerFeature;
