import { workflowHooksContract } from '@app/contracts/automation/workflow-hooks-contract';
import { implementEndpoints } from '../../platform/implement-endpoints.ts';
import { listAllHooks, listCalls } from './hook-calls.ts';
import { isWorkflow, listHooks, renewHook, setHook } from './hooks-queries.ts';

const os = implementEndpoints(workflowHooksContract);

export const workflowHooksApi = os.router({
  list: os.list.handler(async ({ input, context, errors }) => {
    const items = await context.read((scope) => listHooks(scope, input.workflowId, context.publicUrl));
    if (typeof items === 'string') throw errors[items]();
    return { items };
  }),

  listAll: os.listAll.handler(async ({ context }) => ({
    items: await context.read((scope) => listAllHooks(scope, context.publicUrl)),
  })),

  listCalls: os.listCalls.handler(({ input, context, errors }) =>
    context.read(async (scope) => {
      if (!(await isWorkflow(scope, input.workflowId))) throw errors.workflow_not_found();
      return { items: await listCalls(scope, input) };
    }),
  ),

  set: os.set.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const hook = await setHook(scope, context, input);
      if (typeof hook === 'string') throw errors[hook]();
      return hook;
    }),
  ),

  renew: os.renew.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const hook = await renewHook(scope, context.publicUrl, input);
      if (typeof hook === 'string') throw errors[hook]();
      return hook;
    }),
  ),
});
