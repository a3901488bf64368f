import { workflowHooksContract } from '@app/contracts/automation/workflow-hooks-contract';
import { implementEndpoints } from '../../platform/implement-endpoints.ts';
import { listHooks, renewHook, setHook } from './hooks-queries.ts';

const os = implementEndpoints(workflowHooksContract);

export const workflowHooksApi = os.router({
  list: os.list.handler(async ({ input, context, errors }) => {
    const items = await context.read((scope) => listHooks(scope, input.workflowId, context.publicUrl));
    if (typeof items === 'string') throw errors[items]();
    return { items };
  }),

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
