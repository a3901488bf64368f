import { apiKeysContract } from '@app/contracts/api-keys/api-keys-contract';
import { checkKeyExpiry } from '@app/domain/api-keys/api-key-rules';
import { findMissingPermission, personOf, type Caller } from '@app/domain/auth/caller';
import { isPermitted } from '@app/domain/auth/is-permitted';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { addKey, findKey, listAllKeys, listKeysOf, nameKey, removeKey } from './api-keys-queries.ts';
import { makeKey } from './key-secret.ts';

const os = implementEndpoints(apiKeysContract);

export const apiKeysApi = os.router({
  listOwn: os.listOwn.handler(({ context }) =>
    context.read(async (scope) => ({ items: await listKeysOf(scope, context.session.user.id) })),
  ),

  listAll: os.listAll.handler(({ input, context }) => context.read((scope) => listAllKeys(scope, input))),

  create: os.create.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const { keyId, scopes, expiresAt } = input;
      const notHeld = findMissingPermission(scope.caller, scopes);
      if (notHeld)
        throw errors.permission_not_held({ data: { field: 'scopes', values: { permission: notHeld } } });
      if (checkKeyExpiry(expiresAt === null ? null : new Date(expiresAt), scope.clock()) === 'wrong')
        throw errors.api_key_expiry_invalid({ data: { field: 'expiresAt' } });
      const made = makeKey(context.secrets);
      const outcome = await addKey(scope, context.session.user.id, made, input);
      if (outcome !== 'added') throw errors[outcome]();
      const key = await findKey(scope, keyId);
      return { key: key!, secret: made.secret }; // added in this transaction
    }),
  ),

  rename: os.rename.handler(({ input: { keyId, name }, context, errors }) =>
    context.change(async (scope) => {
      const key = await findKey(scope, keyId);
      if (!key || !isOwn(key, scope.caller)) throw errors.api_key_not_found();
      if (key.name === name) return key;
      await nameKey(scope, key, name);
      return { ...key, name };
    }),
  ),

  revoke: os.revoke.handler(({ input: { keyId }, context, errors }) =>
    context.change(async (scope) => {
      const key = await findKey(scope, keyId);
      const mayAll = isPermitted(scope.caller.permissions, 'settings:update');
      // Whoever may not see it does not hear that it is there.
      if (!key || !(mayAll || isOwn(key, scope.caller))) throw errors.api_key_not_found();
      await removeKey(scope, key);
      return {};
    }),
  ),
});

function isOwn({ owner }: { owner: { id: string } }, caller: Caller): boolean {
  return owner.id === personOf(caller);
}
