import { contactMergesContract } from '@app/contracts/contact-merges/contact-merges-contract';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { listDuplicates } from './contact-duplicates.ts';
import { mergeIntoOne } from './merge-contacts.ts';
import { undoMerge } from './undo-merge.ts';

const os = implementEndpoints(contactMergesContract);

export const contactMergesApi = os.router({
  listDuplicates: os.listDuplicates.handler(({ input, context }) =>
    context.inWorkspaceFor('counting', (_, client) =>
      listDuplicates(client, context.session.workspaceId, { limit: input.limit, cursor: input.cursor }),
    ),
  ),

  merge: os.merge.handler(async ({ input, context, errors }) => {
    const { workspaceId, user } = context.session;
    const userName = `${user.firstName} ${user.lastName}`.trim() || user.email;
    const merged = await context.inWorkspace(async (tx, client) => {
      const outcome = await mergeIntoOne(client, workspaceId, { ...input, userName, at: context.clock() });
      if (typeof outcome === 'string') throw errors[outcome]();
      if (!outcome.isRepeat) {
        await context.recordActivity(tx, {
          type: 'update',
          resource: 'contacts',
          description: `Merged contact ${outcome.names.join(', ')} into ${outcome.contact.name}`,
          metadata: {
            contactId: outcome.contact.id,
            mergedIds: input.contacts.map(({ contactId }) => contactId),
          },
        });
      }
      return outcome;
    });
    if (!merged.isRepeat)
      for (const { contactId } of input.contacts) await context.publish('contacts', { contactId });
    return { mergeId: input.mergeId, contact: merged.contact };
  }),

  undo: os.undo.handler(async ({ input, context, errors }) => {
    const { workspaceId } = context.session;
    const { contact, restored, kept, isRepeat } = await context.inWorkspace(async (tx, client) => {
      const outcome = await undoMerge(client, workspaceId, {
        mergeId: input.mergeId,
        secrets: context.secrets,
        at: context.clock(),
      });
      if ('code' in outcome)
        throw errors[outcome.code]({
          ...('name' in outcome && { data: { values: { name: outcome.name } } }),
        });
      if (!outcome.isRepeat) {
        await context.recordActivity(tx, {
          type: 'update',
          resource: 'contacts',
          description: `Unmerged contact ${outcome.contact.name}`,
          metadata: { contactId: outcome.contact.id },
        });
      }
      return outcome;
    });
    if (!isRepeat) await context.publish('contacts');
    return { contact, restored, kept };
  }),
});
