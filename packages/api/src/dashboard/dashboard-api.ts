import { dashboardContract } from '@app/contracts/dashboard/dashboard-contract';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { readAttention } from './read-attention.ts';
import { readGettingStarted } from './read-getting-started.ts';
import { readHealth } from './read-health.ts';
import { readOverview } from './read-overview.ts';

const os = implementEndpoints(dashboardContract);

export const dashboardApi = os.router({
  getOverview: os.getOverview.handler(({ input, context }) =>
    context.read((scope) => readOverview(scope, input.timeZone)),
  ),
  getAttention: os.getAttention.handler(({ context }) =>
    context.read(async (scope) => ({ items: await readAttention(scope, context) })),
  ),
  getGettingStarted: os.getGettingStarted.handler(({ context }) =>
    context.read((scope) => readGettingStarted(scope, context)),
  ),
  getHealth: os.getHealth.handler(({ context }) => context.read((scope) => readHealth(scope, context))),
});
