import { factorsContract } from '@app/contracts/users/factors-contract';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { factorsResetMail } from './factors-reset-mail.ts';
import { beginMemberChange } from './member-change.ts';
import { readFactors, resetFactors } from './reset-factors.ts';

const os = implementEndpoints(factorsContract);

export const factorsApi = os.router({
  get: os.get.handler(async ({ input, context, errors }) => {
    const factors = await context.read((scope) => readFactors(scope, input.userId));
    if (!factors) throw errors.user_not_found();
    return factors;
  }),

  reset: os.reset.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const act = await beginMemberChange(scope, 'users:manage');
      const done = await resetFactors(scope, act, input);
      if (typeof done === 'string') throw errors[done]();
      const { caller, jobs, session } = context;
      const admin = caller.kind === 'system' ? '' : caller.name;
      const { userId } = input;
      // Each time is a mail of its own.
      const payload = { userId, admin, passkeys: done.passkeys };
      await jobs.enqueue(
        scope,
        factorsResetMail,
        `${userId}/${scope.clock().getTime()}/${session.id}`,
        payload,
      );
      return done;
    }),
  ),
});
