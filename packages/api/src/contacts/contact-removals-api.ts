import { contactRemovalsContract } from '@app/contracts/contacts/contact-removals-contract';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import { freezeChoice } from './contact-choice.ts';
import { beginRemoval, findRemoval, listOpenRemovals, undoRemoval } from './contact-removals.ts';
import { runRemoval } from './run-removals.ts';

const os = implementEndpoints(contactRemovalsContract);

/** What is done within this time is done when the answer comes; the rest goes on behind it. */
const ANSWER_AFTER_MS = 500;

export const contactRemovalsApi = os.router({
  start: os.start.handler(async ({ input, context, errors }) => {
    const { removalId } = input;
    const { workspaceId, user } = context.session;
    await context.inWorkspaceFor('long', async (_, client) => {
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
    const removal = await work(context, removalId);
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
    const turned = await context.inWorkspaceFor('long', (_, client) =>
      undoRemoval(client, context.session.workspaceId, removalId, context.clock()),
    );
    if (typeof turned === 'string') throw errors[turned]();
    return (await work(context, removalId)) ?? turned;
  }),
});

/** Small choices are done at once; of large ones the caller hears how far they are. */
async function work(context: SignedInContext, removalId: string) {
  const { workspaceId } = context.session;
  await runRemoval(context, { workspaceId, removalId }, ANSWER_AFTER_MS);
  const removal = await context.inWorkspace((_, client) => findRemoval(client, workspaceId, removalId));
  if (removal?.state === 'removing' || removal?.state === 'restoring')
    runRemoval(context, { workspaceId, removalId }).catch((error: unknown) =>
      context.logger.error({ err: error, removalId }, 'a deletion of contacts stopped and is taken up later'),
    );
  return removal;
}
