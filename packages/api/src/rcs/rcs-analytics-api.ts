import { rcsAnalyticsContract } from '@app/contracts/rcs/rcs-analytics-contract';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { readRcsAnalytics } from './rcs-analytics.ts';

const os = implementEndpoints(rcsAnalyticsContract);

export const rcsAnalyticsApi = os.router({
  getAnalytics: os.getAnalytics.handler(({ input, context }) =>
    context.read('counting', (scope) => readRcsAnalytics(scope, input)),
  ),
});
