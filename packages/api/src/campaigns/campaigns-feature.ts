import type { ServerFeature } from '../platform/features/server-feature.ts';
import { campaignFiles } from './campaign-files.ts';
import { campaignsApi } from './campaigns-api.ts';
import { operationJob } from '../platform/operations/operation-job.ts';
import { resultsExport } from './results-export-operation.ts';

export const campaignsFeature = {
  name: 'campaigns',
  router: { campaigns: campaignsApi },
  files: () => campaignFiles,
  jobs: [operationJob(resultsExport)],
} satisfies ServerFeature;
