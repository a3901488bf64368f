import { contactRemovalsContract } from '@app/contracts/contact-removals/contact-removals-contract';
import { newId } from '@app/database/new-id';
import { isOver } from '@app/domain/long-acts/long-act-state';
import { freezeChoice } from '../contacts/contact-choice.ts';
import { KEPT_FOR_MS } from '../contacts/deleted-contacts.ts';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { endAct } from '../platform/long-acts/end-act.ts';
import { findAct, lockAct, moveAct, type StoredAct } from '../platform/long-acts/long-act-rows.ts';
import { presentAct } from '../platform/long-acts/present-act.ts';
import { startSteps } from '../platform/long-acts/start-steps.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { contactRemoval, contactRestore, countChosen, findRestore } from './removal-acts.ts';

const os = implementEndpoints(contactRemovalsContract);

export const contactRemovalsApi = os.router({
  start: os.start.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const { removalId: id } = input;
      const choice = await freezeChoice(scope, input.choice);
      if (!choice) throw errors.segment_not_found();
      const total = await countChosen(scope, choice);
      await startSteps(scope, context, contactRemoval, {
        id,
        kind: contactRemoval.name,
        total,
        wish: { choice },
      });
      const removal = await findAct(scope, id);
      if (removal?.kind !== contactRemoval.name) throw errors.contact_removal_not_found();
      return present(scope, removal);
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
      const id = newId();
      await startSteps(scope, context, contactRestore, {
        ...{ id, kind: contactRestore.name, subject, total: Number(removal.done), wish: {} },
      });
      const restore = await findAct(scope, id);
      return present(scope, restore!); // it was begun just now
    }),
  ),
});

const present = (scope: WorkspaceScope, act: StoredAct) =>
  presentAct(act, { caller: scope.caller, now: scope.clock() });
