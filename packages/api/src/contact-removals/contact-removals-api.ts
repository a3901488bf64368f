import { contactRemovalsContract } from '@app/contracts/contact-removals/contact-removals-contract';
import { newId } from '@app/database/new-id';
import { isOver } from '@app/domain/long-acts/long-act-state';
import { countChosen, freezeChoice } from '../contacts/contact-choice.ts';
import { KEPT_FOR_MS } from '../contacts/deleted-contacts.ts';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { endAct } from '../platform/long-acts/end-act.ts';
import { lockAct, moveAct, type StoredAct } from '../platform/long-acts/long-act-rows.ts';
import { presentAct } from '../platform/long-acts/present-act.ts';
import { ActOfAnother, startSteps } from '../platform/long-acts/start-steps.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { contactRemoval, contactRestore, findRestore } from './removal-acts.ts';

const os = implementEndpoints(contactRemovalsContract);

export const contactRemovalsApi = os.router({
  start: os.start.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const { removalId: id } = input;
      const choice = await freezeChoice(scope, input.choice);
      if (typeof choice === 'string') throw errors[choice]();
      const total = await countChosen(scope, choice);
      try {
        const act = { id, kind: contactRemoval.name, total, wish: { choice } };
        return await startSteps(scope, context, contactRemoval, act);
      } catch (error) {
        throw error instanceof ActOfAnother ? errors.contact_removal_not_found() : error;
      }
    }),
  ),

  undo: os.undo.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const removal = await lockAct(scope, input.removalId);
      if (removal?.kind !== contactRemoval.name) throw errors.contact_removal_not_found();
      const { id: subject } = removal;
      const before = await findRestore(scope, subject);
      if (before) return present(scope, before);
      if (scope.clock().getTime() - removal.created_at.getTime() > KEPT_FOR_MS)
        throw errors.contact_removal_not_undoable();
      if (!isOver(removal.state)) {
        await moveAct(scope, subject, 'cancelling');
        await endAct(scope, contactRemoval, { id: subject }, { state: 'cancelled' });
      }
      return startSteps(scope, context, contactRestore, {
        ...{ id: newId(), kind: contactRestore.name, subject, total: Number(removal.done), wish: {} },
      });
    }),
  ),
});

const present = (scope: WorkspaceScope, act: StoredAct) =>
  presentAct(act, { caller: scope.caller, now: scope.clock() });
