import type { ServerFeature } from '../platform/features/server-feature.ts';
import { longActJob } from '../platform/long-acts/long-act-job.ts';
import { dataClear } from './clear-act.ts';
import { dataManagementApi } from './data-management-api.ts';
import { dataExport } from './export-act.ts';

export const dataManagementFeature = {
  name: 'data-management',
  router: { dataManagement: dataManagementApi },
  jobs: [longActJob(dataExport), longActJob(dataClear)],
} satisfies ServerFeature;
