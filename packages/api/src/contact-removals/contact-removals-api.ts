import { contactRemovalsContract } from '@app/contracts/contact-removals/contact-removals-contract';
import { newId } from '@app/database/new-id';
import { isOver } from '@app/domain/operations/operation-state';
import { countChosen, freezeChoice } from '../contacts/contact-choice.ts';
import { KEPT_FOR_MS } from '../contacts/deleted-contacts.ts';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { endOperation } from '../platform/operations/end-operation.ts';
import { lockOperation, moveOperation, type StoredOperation } from '../platform/operations/operation-rows.ts';
import { presentOperation } from '../platform/operations/present-operation.ts';
import { OperationOfAnother, startSteps } from '../platform/operations/start-steps.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { contactRemoval, contactRestore, findRestore } from './removal-operations.ts';

const os = implementEndpoints(contactRemovalsContract);

export const contactRemovalsApi = os.router({
  start: os.start.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const { removalId: id } = input;
      const choice = await freezeChoice(scope, input.choice);
      if (typeof choice === 'string') throw errors[choice]();
      const total = await countChosen(scope, choice);
      try {
        const operation = { id, kind: contactRemoval.name, total, wish: { choice } };
        return await startSteps(scope, context, contactRemoval, operation);
      } catch (error) {
        throw error instanceof OperationOfAnother ? errors.contact_removal_not_found() : error;
      }
    }),
  ),

  undo: os.undo.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const removal = await lockOperation(scope, input.removalId);
      if (removal?.kind !== contactRemoval.name) throw errors.contact_removal_not_found();
      const { id: subject } = removal;
      const before = await findRestore(scope, subject);
      if (before) return present(scope, before);
      if (scope.clock().getTime() - removal.created_at.getTime() > KEPT_FOR_MS)
        throw errors.contact_removal_not_undoable();
      if (!isOver(removal.state)) {
        await moveOperation(scope, subject, 'cancelling');
        await endOperation(scope, contactRemoval, { id: subject }, { state: 'cancelled' });
      }
      return startSteps(scope, context, contactRestore, {
        ...{ id: newId(), kind: contactRestore.name, subject, total: Number(removal.done), wish: {} },
      });
    }),
  ),
});

const present = (scope: WorkspaceScope, operation: StoredOperation) =>
  presentOperation(operation, { caller: scope.caller, now: scope.clock() });
