import { operationsContract } from '@app/contracts/operations/operations-contract';
import { personOf } from '@app/domain/auth/caller';
import { rulesOf } from '@app/domain/operations/operation-kinds';
import { isOver } from '@app/domain/operations/operation-state';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { enqueueCancelled } from '../platform/operations/cancel-operations.ts';
import {
  dismissOperation,
  dismissOperationsOf,
  findOperation,
  moveOperation,
} from '../platform/operations/operation-rows.ts';
import { maySee, presentOperation } from '../platform/operations/present-operation.ts';
import { publishProgress } from '../platform/operations/publish-progress.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { listOperations } from './operations-queries.ts';

const os = implementEndpoints(operationsContract);

export const operationsApi = os.router({
  list: os.list.handler(({ context }) =>
    context.read(async (scope) => ({ items: await listOperations(scope), nextCursor: null })),
  ),

  get: os.get.handler(async ({ input, context, errors }) => {
    const operation = await context.read((scope) => findSeen(scope, input.operationId));
    if (!operation) throw errors.operation_not_found();
    return operation;
  }),

  cancel: os.cancel.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const operation = await findSeen(scope, input.operationId);
      if (!operation) throw errors.operation_not_found();
      if (!rulesOf(operation.kind).mayCancel) throw errors.operation_not_cancellable();
      if (isOver(operation.state)) return operation;
      if (await moveOperation(scope, operation.id, 'cancelling')) {
        await publishProgress(scope, context, operation.id);
        await enqueueCancelled(context, scope, operation);
      }
      return (await findSeen(scope, operation.id)) ?? operation;
    }),
  ),

  dismiss: os.dismiss.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const operation = await findSeen(scope, input.operationId);
      if (!operation) throw errors.operation_not_found();
      if (operation.isOwn) await dismissOperation(scope, operation.id);
      return operation;
    }),
  ),

  dismissAll: os.dismissAll.handler(({ context }) =>
    context.change(async (scope) => {
      await dismissOperationsOf(scope, personOf(scope.caller));
      return {};
    }),
  ),
});

async function findSeen(scope: ReadScope, operationId: string) {
  const row = await findOperation(scope, operationId);
  if (!row || !maySee(scope.caller, row.kind)) return null;
  return presentOperation(row, { caller: scope.caller, now: scope.clock() });
}
