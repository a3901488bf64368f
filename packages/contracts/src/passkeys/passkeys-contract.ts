import { z } from 'zod';
import { endpoint, id, instant } from '../endpoint.ts';

export const passkey = z.object({
  id,
  name: z.string(),
  /** A password manager keeps it on several devices. */
  isSynced: z.boolean(),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
});

export const passkeysContract = {
  list: endpoint({
    method: 'GET',
    path: '/passkeys',
    access: 'signed-in',
    summary: 'With what the caller can sign in instead of a password',
    input: z.object({}),
    output: z.object({ items: z.array(passkey) }),
  }),
  beginAdding: endpoint({
    method: 'POST',
    path: '/passkeys/begin',
    access: 'signed-in',
    needsReauthentication: true,
    repeat: { harmless: 'It draws another challenge, which ends by itself.' },
    summary: 'What the browser needs to make a passkey (WebAuthn creation options)',
    input: z.object({}),
    output: z.looseObject({ challenge: z.string() }),
    errors: ['too_many_passkeys'],
  }),
  add: endpoint({
    method: 'POST',
    path: '/passkeys',
    access: 'signed-in',
    needsReauthentication: true,
    repeat: { harmless: 'A challenge is taken once: the second request is refused.' },
    summary: 'Adds the passkey that the browser made for the challenge',
    input: z.strictObject({
      name: z.string().trim().min(1).max(100),
      /** As the browser writes a credential (`toJSON`). */
      response: z.looseObject({ id: z.string().max(2000), rawId: z.string().max(2000) }),
    }),
    output: passkey,
    errors: ['passkey_refused', 'passkey_known', 'too_many_passkeys'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/passkeys/{passkeyId}',
    access: 'signed-in',
    needsReauthentication: true,
    repeat: { harmless: 'What is gone stays gone: the second request is refused.' },
    summary: 'Forgets a passkey: nobody signs in with it any more',
    input: z.strictObject({ passkeyId: id }),
    output: z.object({}),
    errors: ['passkey_not_found'],
  }),
};
