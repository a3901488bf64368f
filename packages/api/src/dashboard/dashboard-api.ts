import { implement } from '@orpc/server';
import { dashboardContract } from '@app/contracts/dashboard/dashboard-contract';
import { guardAccess } from '../platform/guard-access.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { readHealth } from './read-health.ts';
import { readOverview } from './read-overview.ts';

const os = implement(dashboardContract).$context<RequestContext>().use(guardAccess);

export const dashboardApi = os.router({
  getOverview: os.getOverview.handler(({ input, context }) =>
    context.inWorkspace((tx) => readOverview(tx, context.session, context.clock(), input.timeZone)),
  ),
  getHealth: os.getHealth.handler(({ context }) => readHealth(context)),
});
