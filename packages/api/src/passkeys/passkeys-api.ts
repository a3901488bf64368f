import { passkeysContract } from '@app/contracts/passkeys/passkeys-contract';
import { changeOwnAccount, readOwnAccount } from '../platform/account/own-account.ts';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { addPasskey, beginPasskey } from './make-passkey.ts';
import { listPasskeys, removePasskey, type Passkey } from './passkeys-queries.ts';

const os = implementEndpoints(passkeysContract);

export const passkeysApi = os.router({
  list: os.list.handler(({ context }) =>
    readOwnAccount(context, async ({ client, userId }) => ({
      items: (await listPasskeys(client, userId)).map(present),
    })),
  ),

  beginAdding: os.beginAdding.handler(({ context, errors }) =>
    changeOwnAccount(context, async (account) => {
      const options = await beginPasskey(account, context.session.user, context.publicUrl);
      if (!options) throw errors.too_many_passkeys();
      return { ...options };
    }),
  ),

  add: os.add.handler(async ({ input: { name, response }, context, errors }) => {
    // Thrown outside, so that a challenge that was answered wrongly is used up.
    const { publicUrl } = context;
    const added = await changeOwnAccount(context, (account) =>
      addPasskey(account, { name, response, publicUrl }),
    );
    if (typeof added === 'string') throw errors[added]();
    return present(added);
  }),

  remove: os.remove.handler(({ input, context, errors }) =>
    changeOwnAccount(context, async (account) => {
      if (!(await removePasskey(account, input.passkeyId))) throw errors.passkey_not_found();
      return {};
    }),
  ),
});

function present({ id, name, isSynced, createdAt, lastUsedAt }: Passkey) {
  return {
    ...{ id, name, isSynced, createdAt: createdAt.toISOString() },
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
