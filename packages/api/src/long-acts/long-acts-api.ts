import { longActsContract } from '@app/contracts/long-acts/long-acts-contract';
import { personOf } from '@app/domain/auth/caller';
import { rulesOf } from '@app/domain/long-acts/long-act-kinds';
import { isOver } from '@app/domain/long-acts/long-act-state';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { leaveCancelled } from '../platform/long-acts/cancel-acts.ts';
import { dismissAct, dismissActsOf, findAct, moveAct } from '../platform/long-acts/long-act-rows.ts';
import { maySee, presentAct } from '../platform/long-acts/present-act.ts';
import { publishProgress } from '../platform/long-acts/tell-progress.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { listActs } from './long-acts-queries.ts';

const os = implementEndpoints(longActsContract);

export const longActsApi = os.router({
  list: os.list.handler(({ context }) =>
    context.read(async (scope) => ({ items: await listActs(scope), nextCursor: null })),
  ),

  get: os.get.handler(async ({ input, context, errors }) => {
    const act = await context.read((scope) => findSeen(scope, input.actId));
    if (!act) throw errors.long_act_not_found();
    return act;
  }),

  cancel: os.cancel.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const act = await findSeen(scope, input.actId);
      if (!act) throw errors.long_act_not_found();
      if (!rulesOf(act.kind).mayCancel) throw errors.long_act_not_cancellable();
      if (isOver(act.state)) return act;
      if (await moveAct(scope, act.id, 'cancelling')) {
        await publishProgress(scope, context, act.id);
        await leaveCancelled(context, scope, act);
      }
      return (await findSeen(scope, act.id)) ?? act;
    }),
  ),

  dismiss: os.dismiss.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const act = await findSeen(scope, input.actId);
      if (!act) throw errors.long_act_not_found();
      if (act.isOwn) await dismissAct(scope, act.id);
      return act;
    }),
  ),

  dismissAll: os.dismissAll.handler(({ context }) =>
    context.change(async (scope) => {
      await dismissActsOf(scope, personOf(scope.caller));
      return {};
    }),
  ),
});

async function findSeen(scope: ReadScope, actId: string) {
  const row = await findAct(scope, actId);
  if (!row || !maySee(scope.caller, row.kind)) return null;
  return presentAct(row, { caller: scope.caller, now: scope.clock() });
}
