import type { ServerFeature } from '../platform/features/server-feature.ts';
import { rcsAnalyticsApi } from './rcs-analytics-api.ts';
import { rcsApi } from './rcs-api.ts';

export const rcsFeature = {
  name: 'rcs',
  router: { rcs: rcsApi, rcsAnalytics: rcsAnalyticsApi },
} satisfies ServerFeature;
