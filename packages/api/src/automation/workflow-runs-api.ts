import { workflowRunsContract } from '@app/contracts/automation/workflow-runs-contract';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { cancelRun, enrolContacts, skipWait } from './workflow-run-changes.ts';
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

  enrol: os.enrol.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const enrolled = await enrolContacts(scope, input);
      if (typeof enrolled === 'string') throw errors[enrolled]();
      return enrolled;
    }),
  ),

  cancel: os.cancel.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      if (await cancelRun(scope, input.runId)) throw errors.workflow_run_not_found();
      return {};
    }),
  ),

  skipWait: os.skipWait.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      if (await skipWait(scope, input)) throw errors.workflow_run_not_found();
      return {};
    }),
  ),
});
