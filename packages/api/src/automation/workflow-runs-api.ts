import { workflowRunsContract } from '@app/contracts/automation/workflow-runs-contract';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { RUNS_PER_MINUTE } from '@app/flows/start-runs';
import { cancelRun, skipWait } from './workflow-run-changes.ts';
import { enrolContacts, previewEnrolment } from './enrolment.ts';
import { retryRun, testDraft } from './begin-runs.ts';
import { describeProblem } from './describe-problem.ts';
import { explainEntry, findOrigin } from './workflow-explanations.ts';
import { findRun, listRuns, listRunsOfContact } from './workflow-runs-queries.ts';
import { countByDay } from './day-figures.ts';
import { countSteps } from './step-figures.ts';
import { findWorkflow } from './workflows-queries.ts';

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

  countSteps: os.countSteps.handler(({ input, context, errors }) =>
    context.read('searching', async (scope) => {
      if (!(await findWorkflow(scope, input.workflowId))) throw errors.workflow_not_found();
      return countSteps(scope, input.workflowId);
    }),
  ),

  countByDay: os.countByDay.handler(({ input, context }) =>
    context.read('counting', (scope) => countByDay(scope, input.days)),
  ),

  enrol: os.enrol.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const enrolled = await enrolContacts(scope, input);
      if (typeof enrolled === 'string') throw errors[enrolled]();
      return enrolled;
    }),
  ),

  listOfContact: os.listOfContact.handler(async ({ input, context, errors }) => {
    const found = await context.read((scope) => listRunsOfContact(scope, input));
    if (typeof found === 'string') throw errors[found]();
    return found;
  }),

  previewEnrolment: os.previewEnrolment.handler(async ({ input, context, errors }) => {
    const counted = await context.read('counting', (scope) =>
      previewEnrolment(scope, input, RUNS_PER_MINUTE),
    );
    if (typeof counted === 'string') throw errors[counted]();
    return counted;
  }),

  retry: os.retry.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const retried = await retryRun(scope, input);
      if (typeof retried === 'string') throw errors[retried]();
      return retried;
    }),
  ),

  test: os.test.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const begun = await testDraft(scope, input);
      if (typeof begun === 'string') throw errors[begun]();
      if (Array.isArray(begun))
        throw errors.workflow_invalid({ data: { issues: begun.map(describeProblem) } });
      return begun;
    }),
  ),

  explain: os.explain.handler(async ({ input, context, errors }) => {
    const explained = await context.read((scope) => explainEntry(scope, input));
    if (typeof explained === 'string') throw errors[explained]();
    return explained;
  }),

  findOrigin: os.findOrigin.handler(async ({ input, context, errors }) => {
    const origin = await context.read((scope) => findOrigin(scope, input.messageId));
    if (typeof origin === 'string') throw errors[origin]();
    return { origin };
  }),

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
