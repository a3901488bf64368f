import { quickRepliesContract } from '@app/contracts/quick-replies/quick-replies-contract';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import {
  addQuickReply,
  changeQuickReply,
  countQuickReplyUse,
  findQuickReply,
  listQuickReplies,
  removeQuickReply,
} from './quick-replies-queries.ts';

const os = implementEndpoints(quickRepliesContract);

/** The field of the form that a refusal belongs to. */
const places = {
  quick_reply_taken: { data: { field: 'shortcut' } },
  quick_reply_shared: { data: { field: 'isShared' } },
  media_not_found: { data: { field: 'mediaId' } },
} as const;

export const quickRepliesApi = os.router({
  list: os.list.handler(({ input, context }) =>
    context.read(async (scope) => ({ items: await listQuickReplies(scope, input), nextCursor: null })),
  ),

  get: os.get.handler(async ({ input, context, errors }) => {
    const found = await context.read((scope) => findQuickReply(scope, input.quickReplyId));
    if (!found) throw errors.quick_reply_not_found();
    return found;
  }),

  create: os.create.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const added = await addQuickReply(scope, input);
      if (added === 'quick_reply_limit') throw errors.quick_reply_limit();
      if (typeof added === 'string') throw errors[added](places[added]);
      return added;
    }),
  ),

  update: os.update.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const changed = await changeQuickReply(scope, input);
      if (changed === 'quick_reply_not_found' || changed === 'quick_reply_changed') throw errors[changed]();
      if (typeof changed === 'string') throw errors[changed](places[changed]);
      return changed;
    }),
  ),

  remove: os.remove.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const refusal = await removeQuickReply(scope, input.quickReplyId);
      if (refusal) throw errors[refusal]();
      return {};
    }),
  ),

  countUse: os.countUse.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      if (!(await countQuickReplyUse(scope, input.quickReplyId))) throw errors.quick_reply_not_found();
      return {};
    }),
  ),
});
