import { contactMergesContract } from '@app/contracts/contact-merges/contact-merges-contract';
import { actorOf } from '@app/domain/auth/caller';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { listDuplicates } from './contact-duplicates.ts';
import { setDistinct } from './distinct-contacts.ts';
import { mergeIntoOne } from './merge-contacts.ts';
import { undoMerge } from './undo-merge.ts';

const os = implementEndpoints(contactMergesContract);

export const contactMergesApi = os.router({
  listDuplicates: os.listDuplicates.handler(({ input, context }) =>
    context.read('counting', (scope) => listDuplicates(scope, { limit: input.limit, cursor: input.cursor })),
  ),

  setDistinct: os.setDistinct.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      if (await setDistinct(scope, input)) throw errors.contact_not_found();
      return { isDistinct: input.isDistinct };
    }),
  ),

  merge: os.merge.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const merged = await mergeIntoOne(scope, context.people, {
        ...input,
        userName: actorOf(scope.caller).name,
      });
      if (typeof merged === 'string') throw errors[merged]();
      return { mergeId: input.mergeId, contact: merged };
    }),
  ),

  undo: os.undo.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const undone = await undoMerge(scope, context, input.mergeId);
      if ('code' in undone)
        throw errors[undone.code]({
          ...('name' in undone && { data: { values: { name: undone.name } } }),
        });
      return undone;
    }),
  ),
});
