import type { ServerFeature } from '../platform/features/server-feature.ts';
import { campaignFiles } from './campaign-files.ts';
import { campaignsApi } from './campaigns-api.ts';
import { longActJob } from '../platform/long-acts/long-act-job.ts';
import { resultsExport } from './results-export-act.ts';

export const campaignsFeature = {
  name: 'campaigns',
  tables: {
    campaigns: 'what is sent; chosen contacts stand there by ids that lead nowhere once they are gone',
  },
  router: { campaigns: campaignsApi },
  files: () => campaignFiles,
  jobs: [longActJob(resultsExport)],
} satisfies ServerFeature;
