import { draftsContract } from '@app/contracts/drafts/drafts-contract';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { readDrafts, saveDraft } from './drafts-queries.ts';

const os = implementEndpoints(draftsContract);

export const draftsApi = os.router({
  get: os.get.handler(async ({ input, context, errors }) => {
    const found = await context.read((scope) => readDrafts(scope, input.conversationId));
    if (typeof found === 'string') throw errors[found]();
    return found;
  }),

  save: os.save.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const saved = await saveDraft(scope, input);
      if (saved === 'conversation_not_found') throw errors.conversation_not_found();
      return saved;
    }),
  ),
});
