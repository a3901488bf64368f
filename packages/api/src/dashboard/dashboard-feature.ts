import type { ServerFeature } from '../platform/features/server-feature.ts';
import { dashboardApi } from './dashboard-api.ts';

export const dashboardFeature = {
  name: 'dashboard',
  router: { dashboard: dashboardApi },
} satisfies ServerFeature;
