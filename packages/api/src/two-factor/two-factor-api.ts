import { twoFactorContract } from '@app/contracts/two-factor/two-factor-contract';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { changeOwnAccount, readOwnAccount } from '../platform/account/own-account.ts';
import { describeSecret } from './one-time-codes.ts';
import { makeRecoveryCodes } from './recovery-codes.ts';
import {
  beginSecondFactor,
  describeSecondFactor,
  disableSecondFactor,
  enableSecondFactor,
  hasSecondFactor,
  requireSecondFactor,
} from './two-factor-queries.ts';

const os = implementEndpoints(twoFactorContract);

export const twoFactorApi = os.router({
  get: os.get.handler(({ context }) =>
    readOwnAccount(context, ({ client, userId }) =>
      describeSecondFactor(client, userId, context.session.workspaceId),
    ),
  ),

  begin: os.begin.handler(({ context, errors }) =>
    changeOwnAccount(context, async ({ client, userId, now }) => {
      const secret = await beginSecondFactor(client, context.secrets, userId, now);
      if (secret === null) throw errors.two_factor_on();
      return { secret, ...describeSecret(secret, context.session.user.email) };
    }),
  ),

  enable: os.enable.handler(async ({ input, context, errors }) => {
    // Thrown outside, so that a wrong code is counted.
    const enabled = await changeOwnAccount(context, async ({ client, userId, now, emit }) => {
      const asked = { userId, typed: input.code, now };
      const result = await enableSecondFactor(client, context.secrets, asked);
      if (typeof result === 'object' && 'recoveryCodes' in result)
        await emit({ type: 'account.two_factor_enabled', subject: userId, values: {} });
      return result;
    });
    if (typeof enabled === 'string') throw errors[enabled]();
    if ('recoveryCodes' in enabled) return enabled;
    if (enabled.outcome === 'locked') {
      const { retryAfterSeconds } = enabled;
      throw errors.two_factor_locked({ data: { values: { retryAfterSeconds } } });
    }
    throw errors.code_wrong({ data: { field: 'code' } });
  }),

  disable: os.disable.handler(({ context, errors }) =>
    changeOwnAccount(context, async ({ client, userId, emit }) => {
      if (!(await disableSecondFactor(client, userId))) throw errors.two_factor_off();
      await emit({ type: 'account.two_factor_disabled', subject: userId, values: {} });
      return {};
    }),
  ),

  makeRecoveryCodes: os.makeRecoveryCodes.handler(({ context, errors }) =>
    changeOwnAccount(context, async ({ client, userId, emit }) => {
      if (!(await hasSecondFactor(client, userId))) throw errors.two_factor_off();
      const recoveryCodes = await makeRecoveryCodes(client, context.secrets, userId);
      await emit({ type: 'account.recovery_codes_made', subject: userId, values: {} });
      return { recoveryCodes };
    }),
  ),

  require: os.require.handler(({ input, context, errors }) =>
    changeOwnAccount(context, async ({ client, userId, emit }) => {
      const { isRequired } = input;
      const { workspaceId, method } = context.session;
      // Whoever asks it of others has it: else they would shut themself out of this page.
      if (isRequired && method === 'password' && !(await hasSecondFactor(client, userId)))
        throw errors.two_factor_off();
      if (await requireSecondFactor(client, workspaceId, isRequired))
        await emit({ type: 'workspace.two_factor_required', subject: workspaceId, values: { isRequired } });
      return { isRequired };
    }),
  ),
});
