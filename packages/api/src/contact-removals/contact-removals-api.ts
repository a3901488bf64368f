import { contactRemovalsContract } from '@app/contracts/contact-removals/contact-removals-contract';
import type { Work } from '@app/database/database';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import { freezeChoice } from '../contacts/contact-choice.ts';
import {
  beginRemoval,
  findRemoval,
  listOpenRemovals,
  undoRemoval,
  type ContactRemoval,
} from './contact-removals.ts';
import { runRemoval, runStep, tellOfRemoval } from './run-removals.ts';

const os = implementEndpoints(contactRemovalsContract);

export const contactRemovalsApi = os.router({
  start: os.start.handler(async ({ input, context, errors }) => {
    const { removalId } = input;
    const { workspaceId, user } = context.session;
    const removal = await beginWork(context, removalId, async (_, client) => {
      const choice = await freezeChoice(client, workspaceId, input.choice);
      if (!choice) throw errors.segment_not_found();
      const name = `${user.firstName} ${user.lastName}`.trim() || user.email;
      await beginRemoval(client, workspaceId, {
        removalId,
        choice,
        user: { id: user.id, name },
        at: context.clock(),
      });
    });
    if (!removal) throw errors.contact_removal_not_found();
    return removal;
  }),

  listOpen: os.listOpen.handler(({ context }) =>
    context.inWorkspace(async (_, client) => ({
      items: await listOpenRemovals(client, context.session.workspaceId),
      nextCursor: null,
    })),
  ),

  get: os.get.handler(async ({ input, context, errors }) => {
    const removal = await context.inWorkspace((_, client) =>
      findRemoval(client, context.session.workspaceId, input.removalId),
    );
    if (!removal) throw errors.contact_removal_not_found();
    return removal;
  }),

  undo: os.undo.handler(async ({ input, context, errors }) => {
    const { removalId } = input;
    const removal = await beginWork(context, removalId, async (_, client) => {
      const turned = await undoRemoval(client, context.session.workspaceId, removalId, context.clock());
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
async function beginWork(
  context: SignedInContext,
  removalId: string,
  wish: Work<void>,
): Promise<ContactRemoval | null> {
  const { workspaceId } = context.session;
  const ref = { workspaceId, removalId };
  const { step, removal } = await context.inWorkspaceFor('long', async (tx, client) => {
    await wish(tx, client);
    const done = await runStep(tx, client, context, ref);
    return { step: done, removal: done?.removal ?? (await findRemoval(client, workspaceId, removalId)) };
  });
  if (step)
    await context.afterCommit(async () => {
      await tellOfRemoval(context, workspaceId, step);
      if (step.isOver) return;
      runRemoval(context, ref).catch((error: unknown) =>
        context.logger.error(
          { err: error, removalId },
          'a deletion of contacts stopped and is taken up later',
        ),
      );
    });
  return removal;
}
