import { workflowsContract } from '@app/contracts/automation/workflows-contract';
import type { FlowFile } from '@app/domain/flows/flow-file';
import { newId } from '@app/database/new-id';
import { startSteps } from '../platform/operations/start-steps.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { countRunsToMove, workflowMove } from './move-runs-operation.ts';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { checkFlow } from './check-references.ts';
import { describeProblem } from './describe-problem.ts';
import {
  addWorkflow,
  duplicateWorkflow,
  publishDraft,
  removeWorkflow,
  saveDraft,
  setWorkflowStatus,
} from './workflow-changes.ts';
import {
  findVersion,
  findWorkflow,
  listVersions,
  listWorkflows,
  presentDetails,
  presentWorkflow,
  type FlowRow,
} from './workflows-queries.ts';

const os = implementEndpoints(workflowsContract);

export const workflowsApi = os.router({
  list: os.list.handler(({ input, context }) => context.read((scope) => listWorkflows(scope, input))),

  get: os.get.handler(async ({ input, context, errors }) => {
    const found = await context.read((scope) => findWorkflow(scope, input.workflowId));
    if (!found) throw errors.workflow_not_found();
    return found;
  }),

  create: os.create.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const added = await addWorkflow(scope, context.secrets, input);
      if (typeof added === 'string') throw errors[added]();
      return presentDetails(scope, added);
    }),
  ),

  save: os.save.handler(({ input: { workflowId, version, ...flow }, context, errors }) =>
    context.change(async (scope) => {
      const saved = await saveDraft(scope, context.secrets, {
        workflowId,
        version,
        flow: flow satisfies FlowFile,
      });
      if (typeof saved === 'string') throw errors[saved]();
      return presentDetails(scope, saved);
    }),
  ),

  check: os.check.handler(({ input, context }) =>
    context.read(async (scope) => ({ problems: await checkFlow(scope, input.flow) })),
  ),

  publish: os.publish.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const published = await publishDraft(scope, input);
      if (typeof published === 'string') throw errors[published]();
      if (Array.isArray(published))
        throw errors.workflow_invalid({ data: { issues: published.map(describeProblem) } });
      if (input.runs === 'move') await moveRunsTo(scope, context, published);
      return presentDetails(scope, published);
    }),
  ),

  pause: os.pause.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const paused = await setWorkflowStatus(scope, input.workflowId, 'paused');
      if (typeof paused === 'string') throw errors[paused]();
      return presentWorkflow(scope, paused);
    }),
  ),

  activate: os.activate.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const activated = await setWorkflowStatus(scope, input.workflowId, 'active', input.heldRuns);
      if (typeof activated === 'string') throw errors[activated]();
      return presentWorkflow(scope, activated);
    }),
  ),

  duplicate: os.duplicate.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const copied = await duplicateWorkflow(scope, context.secrets, input);
      if (typeof copied === 'string') throw errors[copied]();
      return presentDetails(scope, copied);
    }),
  ),

  remove: os.remove.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const removed = await removeWorkflow(scope, input.workflowId);
      if (typeof removed === 'string') throw errors[removed]();
      return {};
    }),
  ),

  listVersions: os.listVersions.handler(({ input, context, errors }) =>
    context.read(async (scope) => {
      if (!(await findWorkflow(scope, input.workflowId))) throw errors.workflow_not_found();
      return { items: await listVersions(scope, input.workflowId), nextCursor: null };
    }),
  ),

  getVersion: os.getVersion.handler(async ({ input, context, errors }) => {
    const found = await context.read((scope) => findVersion(scope, input.workflowId, input.number));
    if (!found) throw errors.workflow_not_found();
    return found;
  }),
});

/** Begins to move runs in progress; none is begun where there is nothing to move. */
async function moveRunsTo(scope: WorkspaceScope, context: SignedInContext, flow: FlowRow): Promise<void> {
  const wish = { workflowId: flow.id, number: flow.published! }; // it was just published
  const total = await countRunsToMove(scope, wish);
  if (total === 0) return;
  await startSteps(scope, context, workflowMove, {
    ...{ id: newId(), kind: workflowMove.name, subject: flow.id, name: flow.name, total, wish },
  });
}
