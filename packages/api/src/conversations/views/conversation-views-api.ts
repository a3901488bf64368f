import { conversationViewsContract } from '@app/contracts/conversations/conversation-views-contract';
import { implementEndpoints } from '../../platform/implement-endpoints.ts';
import { addView, changeView, listViews, removeView } from './conversation-views.ts';

const os = implementEndpoints(conversationViewsContract);

/** The field of the form that a refusal belongs to. */
const places = {
  conversation_view_taken: { data: { field: 'name' } },
  conversation_view_shared: { data: { field: 'isShared' } },
} as const;

export const conversationViewsApi = os.router({
  list: os.list.handler(({ context }) => context.read(async (scope) => ({ items: await listViews(scope) }))),

  create: os.create.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const added = await addView(scope, input);
      if (added === 'conversation_views_full') throw errors[added]();
      if (typeof added === 'string') throw errors[added](places[added]);
      return added;
    }),
  ),

  update: os.update.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const changed = await changeView(scope, input);
      if (changed === 'conversation_view_taken' || changed === 'conversation_view_shared')
        throw errors[changed](places[changed]);
      if (typeof changed === 'string') throw errors[changed]();
      return changed;
    }),
  ),

  remove: os.remove.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const refused = await removeView(scope, input.viewId);
      if (refused) throw errors[refused]();
      return {};
    }),
  ),
});
