import { analyticsContract } from '@app/contracts/analytics/analytics-contract';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import {
  readBestTime,
  readCampaigns,
  readStatuses,
  readSummary,
  readTemplates,
  readVolume,
} from './analytics-queries.ts';

const os = implementEndpoints(analyticsContract);

export const analyticsApi = os.router({
  getSummary: os.getSummary.handler(({ input, context }) =>
    context.read((scope) => readSummary(scope, input)),
  ),
  getVolume: os.getVolume.handler(({ input, context }) => context.read((scope) => readVolume(scope, input))),
  getStatuses: os.getStatuses.handler(({ input, context }) =>
    context.read((scope) => readStatuses(scope, input)),
  ),
  getCampaigns: os.getCampaigns.handler(({ input, context }) =>
    context.read((scope) => readCampaigns(scope, input)),
  ),
  getTemplates: os.getTemplates.handler(({ input, context }) =>
    context.read((scope) => readTemplates(scope, input)),
  ),
  getBestTime: os.getBestTime.handler(({ input, context }) =>
    context.read((scope) => readBestTime(scope, input)),
  ),
});
