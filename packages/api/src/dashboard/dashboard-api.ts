import { dashboardContract } from '@app/contracts/dashboard/dashboard-contract';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { readHealth } from './read-health.ts';
import { readOverview } from './read-overview.ts';

const os = implementEndpoints(dashboardContract);

export const dashboardApi = os.router({
  getOverview: os.getOverview.handler(({ input, context }) =>
    context.read((scope) => readOverview(scope, input.timeZone)),
  ),
  getHealth: os.getHealth.handler(({ context }) => context.read(readHealth)),
});
