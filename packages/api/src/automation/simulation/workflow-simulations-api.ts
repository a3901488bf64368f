import { workflowSimulationsContract } from '@app/contracts/automation/workflow-simulations-contract';
import { newId } from '@app/database/new-id';
import { implementEndpoints } from '../../platform/implement-endpoints.ts';
import { enqueueOperation } from '../../platform/operations/operation-job.ts';
import { beginOperation, findOperation } from '../../platform/operations/operation-rows.ts';
import { presentOperation, type Operation } from '../../platform/operations/present-operation.ts';
import type { SignedInContext } from '../../platform/request-context.ts';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import { checkFlow } from '../check-references.ts';
import { describeProblem } from '../describe-problem.ts';
import { findFlowRow, type FlowRow } from '../workflows-queries.ts';
import { findOpenSimulation, workflowSimulation, type SimulationWish } from './simulation-operation.ts';
import { findSimulation, listSimulatedContacts } from './simulations-queries.ts';

const os = implementEndpoints(workflowSimulationsContract);

export const workflowSimulationsApi = os.router({
  get: os.get.handler(({ input, context, errors }) =>
    context.read(async (scope) => {
      if (!(await findFlowRow(scope, input.workflowId))) throw errors.workflow_not_found();
      return { simulation: await findSimulation(scope, input.workflowId) };
    }),
  ),

  listContacts: os.listContacts.handler(({ input, context, errors }) =>
    context.read(async (scope) => {
      if (!(await findFlowRow(scope, input.workflowId))) throw errors.workflow_not_found();
      return listSimulatedContacts(scope, input);
    }),
  ),

  start: os.start.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      // Two who ask at the same time wait here: the second one gets the operation of the first.
      const flow = await findFlowRow(scope, input.workflowId, 'FOR UPDATE OF f');
      if (!flow) throw errors.workflow_not_found();
      const open = await findOpenSimulation(scope, flow.id);
      if (open === null) {
        const problems = await checkFlow(scope, flow.draft, flow.content);
        if (problems.length > 0)
          throw errors.workflow_invalid({ data: { issues: problems.map(describeProblem) } });
      }
      return begin(scope, context, flow, open);
    }),
  ),
});

async function begin(
  scope: WorkspaceScope,
  context: SignedInContext,
  flow: FlowRow,
  open: string | null,
): Promise<Operation> {
  const operationId = open ?? newId();
  if (open === null) {
    const { ipAddress, userAgent } = context;
    const wish: SimulationWish = {
      ...{ workflowId: flow.id, draft: flow.draft, draftVersion: flow.version, published: flow.published },
    };
    await beginOperation(
      scope,
      { ...context, origin: { ipAddress, userAgent } },
      { id: operationId, kind: workflowSimulation.name, subject: flow.id, name: flow.name, wish },
    );
    await enqueueOperation(context, scope, workflowSimulation.name, operationId);
  }
  const begun = await findOperation(scope, operationId);
  return presentOperation(begun!, { caller: scope.caller, now: scope.clock() }); // in this transaction
}
