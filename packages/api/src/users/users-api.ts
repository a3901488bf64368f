import { usersContract } from '@app/contracts/users/users-contract';
import { checkEmail, normaliseEmail } from '@app/domain/auth/sign-up-rules';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { approvalMail } from './approval-mail.ts';
import { beforeGiving, beginMemberChange } from './member-change.ts';
import { activateUser, changeAddress, changeUser, deactivateUser, removeUser } from './users-actions.ts';
import { countUsers, findUser, listUsers } from './users-queries.ts';

const os = implementEndpoints(usersContract);

export const usersApi = os.router({
  list: os.list.handler(({ input, context }) => context.read((scope) => listUsers(scope, input))),

  summarize: os.summarize.handler(({ context }) => context.read(countUsers)),

  get: os.get.handler(async ({ input, context, errors }) => {
    const found = await context.read((scope) => findUser(scope, input.userId));
    if (!found) throw errors.user_not_found();
    return found;
  }),

  // Refusals are thrown inside the transaction: what was written before them goes.
  update: os.update.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const act = await beginMemberChange(scope, 'users:update');
      const refusal = await changeUser(scope, act, input, beforeGiving(context));
      if (typeof refusal === 'string') throw errors[refusal]();
      if (refusal) {
        const { field, problem } = refusal;
        throw errors.user_fields_invalid({ data: { field, values: { problem } } });
      }
      const changed = await findUser(scope, input.userId);
      if (!changed) throw errors.user_not_found();
      return changed;
    }),
  ),

  activate: os.activate.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const act = await beginMemberChange(scope, 'users:update');
      const done = await activateUser(scope, act, input, beforeGiving(context));
      if (done === 'last_admin') throw new Error('To let somebody in takes nobody away.');
      if (typeof done === 'string') throw errors[done]();
      const { userId } = input;
      if (done?.wasWaiting) await context.jobs.enqueue(scope, approvalMail, userId, { userId });
      const changed = await findUser(scope, input.userId);
      if (!changed) throw errors.user_not_found();
      return changed;
    }),
  ),

  deactivate: os.deactivate.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const act = await beginMemberChange(scope, 'users:update');
      const refusal = await deactivateUser(scope, act, input);
      if (refusal) throw errors[refusal]();
      const changed = await findUser(scope, input.userId);
      if (!changed) throw errors.user_not_found();
      return changed;
    }),
  ),

  changeEmail: os.changeEmail.handler(({ input: { userId, email }, context, errors }) => {
    if (checkEmail(email)) throw errors.email_invalid({ data: { field: 'email' } });
    return context.change(async (scope) => {
      const act = await beginMemberChange(scope, 'users:manage');
      const refusal = await changeAddress(scope, act, { userId, email: normaliseEmail(email) });
      // Whoever knows of nobody hears of nothing else.
      if (context.sendsMail && refusal !== 'user_not_found') throw errors.email_by_owner();
      if (refusal === 'last_admin') throw new Error('An address takes nobody away.');
      if (refusal) throw errors[refusal]();
      const changed = await findUser(scope, userId);
      if (!changed) throw errors.user_not_found();
      return changed;
    });
  }),

  remove: os.remove.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const act = await beginMemberChange(scope, 'users:delete');
      const refusal = await removeUser(scope, act, input);
      if (refusal) throw errors[refusal]();
      return {};
    }),
  ),
});
