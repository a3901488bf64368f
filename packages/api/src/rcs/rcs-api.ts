import { rcsContract } from '@app/contracts/rcs/rcs-contract';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import {
  addRcsMessage,
  changeRcsMessage,
  findRcsMessage,
  listRcsMessages,
  removeRcsMessage,
  type Invalid,
} from './rcs-messages-queries.ts';

const os = implementEndpoints(rcsContract);
const atName = { data: { field: 'name' } };

export const rcsApi = os.router({
  list: os.list.handler(({ input, context }) => context.read((scope) => listRcsMessages(scope, input))),

  get: os.get.handler(async ({ input, context, errors }) => {
    const found = await context.read((scope) => findRcsMessage(scope, input.rcsMessageId));
    if (!found) throw errors.rcs_message_not_found();
    return found;
  }),

  create: os.create.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const added = await addRcsMessage(scope, input);
      if (!('outcome' in added)) return added;
      if (added.outcome === 'rcs_message_limit') throw errors.rcs_message_limit();
      if (added.outcome === 'rcs_message_invalid') throw errors.rcs_message_invalid(atPlaces(added));
      throw errors.rcs_message_taken(atName);
    }),
  ),

  update: os.update.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const changed = await changeRcsMessage(scope, input);
      if (!('outcome' in changed)) return changed;
      if (changed.outcome === 'rcs_message_invalid') throw errors.rcs_message_invalid(atPlaces(changed));
      if (changed.outcome === 'rcs_message_taken') throw errors.rcs_message_taken(atName);
      throw errors[changed.outcome]();
    }),
  ),

  remove: os.remove.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      if (!(await removeRcsMessage(scope, input.rcsMessageId))) throw errors.rcs_message_not_found();
      return {};
    }),
  ),
});

/** Each fault with its place in the content, such as `cards.1.title`. */
function atPlaces({ faults }: Invalid) {
  return { data: { issues: faults.map(({ path, problem }) => ({ field: path, message: problem })) } };
}
