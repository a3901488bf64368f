import { contactRemovalsContract } from '@app/contracts/contact-removals/contact-removals-contract';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { freezeChoice } from '../contacts/contact-choice.ts';
import {
  beginRemoval,
  findRemoval,
  listOpenRemovals,
  undoRemoval,
  type ContactRemoval,
  type RunningRemoval,
} from './contact-removals.ts';
import { runRemoval, runStep, showProgress } from './run-removals.ts';

const os = implementEndpoints(contactRemovalsContract);

export const contactRemovalsApi = os.router({
  start: os.start.handler(async ({ input, context, errors }) => {
    const { removalId } = input;
    const removal = await beginWork(context, { removalId, state: 'removing' }, async (scope) => {
      const choice = await freezeChoice(scope, input.choice);
      if (!choice) throw errors.segment_not_found();
      await beginRemoval(scope, { removalId, choice });
    });
    if (!removal) throw errors.contact_removal_not_found();
    return removal;
  }),

  listOpen: os.listOpen.handler(({ context }) =>
    context.read(async (scope) => ({ items: await listOpenRemovals(scope), nextCursor: null })),
  ),

  get: os.get.handler(async ({ input, context, errors }) => {
    const removal = await context.read((scope) => findRemoval(scope, input.removalId));
    if (!removal) throw errors.contact_removal_not_found();
    return removal;
  }),

  undo: os.undo.handler(async ({ input, context, errors }) => {
    const { removalId } = input;
    const removal = await beginWork(context, { removalId, state: 'restoring' }, async (scope) => {
      const turned = await undoRemoval(scope, removalId);
      if (typeof turned === 'string') throw errors[turned]();
    });
    if (!removal) throw errors.contact_removal_not_found();
    return removal;
  }),
});

/**
 * The wish and the first bit of its work are one transaction with the key of the act: a small choice is done when the answer
 * comes, the rest of a large one goes on behind it, and a process that dies leaves either nothing or a wish that is taken up.
 */
function beginWork(
  context: SignedInContext,
  running: RunningRemoval,
  wish: (scope: WorkspaceScope) => Promise<void>,
): Promise<ContactRemoval | null> {
  return context.change(async (scope) => {
    await wish(scope);
    const step = await runStep(scope, context.secrets, running);
    if (!step) return findRemoval(scope, running.removalId);
    if (!step.isOver) scope.afterCommit(() => goOn(context, running));
    return step.removal;
  });
}

/** Nobody waits for it. */
async function goOn(context: SignedInContext, running: RunningRemoval): Promise<void> {
  const { caller, logger } = context;
  await showProgress(context, caller.workspaceId, running);
  runRemoval(context, caller, running).catch((error: unknown) =>
    logger.error(
      { err: error, removalId: running.removalId },
      'a deletion of contacts stopped and is taken up later',
    ),
  );
}
