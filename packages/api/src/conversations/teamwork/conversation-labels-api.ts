import { conversationLabelsContract } from '@app/contracts/conversations/conversation-labels-contract';
import { implementEndpoints } from '../../platform/implement-endpoints.ts';
import { addLabel, changeLabel, countUse, listLabels, removeLabel } from './conversation-labels.ts';

const os = implementEndpoints(conversationLabelsContract);

export const conversationLabelsApi = os.router({
  list: os.list.handler(({ context }) => context.read(async (scope) => ({ items: await listLabels(scope) }))),

  create: os.create.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const added = await addLabel(scope, input);
      if (added === 'conversation_label_taken') throw errors[added]({ data: { field: 'name' } });
      if (typeof added === 'string') throw errors[added]();
      return added;
    }),
  ),

  update: os.update.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const changed = await changeLabel(scope, input);
      if (changed === 'conversation_label_taken') throw errors[changed]({ data: { field: 'name' } });
      if (typeof changed === 'string') throw errors[changed]();
      return changed;
    }),
  ),

  remove: os.remove.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const conversations = await removeLabel(scope, input.labelId);
      if (conversations === null) throw errors.conversation_label_not_found();
      return { conversations };
    }),
  ),

  countUse: os.countUse.handler(({ input, context, errors }) =>
    context.read(async (scope) => {
      const conversations = await countUse(scope, input.labelId);
      if (conversations === null) throw errors.conversation_label_not_found();
      return { conversations };
    }),
  ),
});
