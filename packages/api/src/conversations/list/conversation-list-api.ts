import { conversationListContract } from '@app/contracts/conversations/conversation-list-contract';
import { implementEndpoints } from '../../platform/implement-endpoints.ts';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import { changeConversations } from './change-conversations.ts';
import { countConversations } from './count-conversations.ts';
import { listConversations } from './list-conversations.ts';
import { pinMany } from './mark-many.ts';
import { searchConversations } from './search-conversations.ts';

const os = implementEndpoints(conversationListContract);

export const conversationListApi = {
  list: os.list.handler(({ input: { cursor, ...input }, context }) => {
    const list = (scope: ReadScope) => listConversations(scope, { ...input, cursor });
    return input.search?.trim() ? context.read('searching', list) : context.read(list);
  }),

  search: os.search.handler(({ input: { search, limit, cursor }, context }) =>
    context.read((scope) => searchConversations(scope, { search, limit, cursor })),
  ),

  count: os.count.handler(({ context }) => context.read(countConversations)),

  pinMany: os.pinMany.handler(({ input, context }) =>
    context.change(async (scope) => ({
      conversationIds: await pinMany(scope, input.conversationIds, input.isPinned),
    })),
  ),

  change: os.change.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const done = await changeConversations(scope, input);
      if (done === 'conversation_snooze_invalid')
        throw errors.conversation_snooze_invalid({ data: { field: 'change.snoozedUntil' } });
      if (typeof done === 'string') throw errors[done]();
      return done;
    }),
  ),
};
