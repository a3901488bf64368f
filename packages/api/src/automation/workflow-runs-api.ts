import { workflowRunsContract } from '@app/contracts/automation/workflow-runs-contract';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { findRun, listRuns } from './workflow-runs-queries.ts';

const os = implementEndpoints(workflowRunsContract);

export const workflowRunsApi = os.router({
  list: os.list.handler(async ({ input, context, errors }) => {
    const found = await context.read('searching', (scope) => listRuns(scope, input));
    if (typeof found === 'string') throw errors[found]();
    return found;
  }),

  get: os.get.handler(async ({ input, context, errors }) => {
    const found = await context.read((scope) => findRun(scope, input.runId));
    if (!found) throw errors.workflow_run_not_found();
    return found;
  }),
});
