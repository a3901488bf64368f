import { twoFactorContract } from '@app/contracts/two-factor/two-factor-contract';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { changeOwnAccount, readOwnAccount } from '../platform/account/own-account.ts';
import { describeSecret } from './one-time-codes.ts';
import {
  beginSecondFactor,
  describeSecondFactor,
  disableSecondFactor,
  enableSecondFactor,
  hasSecondFactor,
  renewRecoveryCodes,
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
    const enabled = await changeOwnAccount(context, (account) =>
      enableSecondFactor(account, context.secrets, input.code),
    );
    if (typeof enabled === 'string') throw errors[enabled]();
    if ('recoveryCodes' in enabled) return enabled;
    if (enabled.outcome === 'locked') {
      const { retryAfterSeconds } = enabled;
      throw errors.two_factor_locked({ data: { values: { retryAfterSeconds } } });
    }
    throw errors.code_wrong({ data: { field: 'code' } });
  }),

  disable: os.disable.handler(({ context, errors }) =>
    changeOwnAccount(context, async (account) => {
      if (!(await disableSecondFactor(account))) throw errors.two_factor_off();
      return {};
    }),
  ),

  makeRecoveryCodes: os.makeRecoveryCodes.handler(({ context, errors }) =>
    changeOwnAccount(context, async (account) => {
      const recoveryCodes = await renewRecoveryCodes(account, context.secrets);
      if (!recoveryCodes) throw errors.two_factor_off();
      return { recoveryCodes };
    }),
  ),

  require: os.require.handler(({ input, context, errors }) =>
    changeOwnAccount(context, async (account) => {
      const { isRequired } = input;
      const { workspaceId, method } = context.session;
      // An admin without a second factor who required it would lock themselves out of this page.
      if (isRequired && method === 'password' && !(await hasSecondFactor(account.client, account.userId)))
        throw errors.two_factor_off();
      await requireSecondFactor(account, workspaceId, isRequired);
      return { isRequired };
    }),
  ),
});
