import { z } from 'zod';
import { endpoint, instant } from '../endpoint.ts';

/** Longer than any code that somebody could mean. */
const code = z.string().max(50);

export const twoFactorContract = {
  get: endpoint({
    method: 'GET',
    path: '/two-factor',
    access: 'signed-in',
    isForSetUp: true,
    summary: 'Whether the caller signs in with a second factor',
    input: z.object({}),
    output: z.object({
      isEnabled: z.boolean(),
      enabledAt: instant.nullable(),
      recoveryCodesLeft: z.number(),
      /** The workspace asks everybody for it. */
      isRequired: z.boolean(),
    }),
  }),
  begin: endpoint({
    method: 'POST',
    path: '/two-factor/begin',
    access: 'signed-in',
    isForSetUp: true,
    needsReauthentication: true,
    repeat: { harmless: 'It draws another secret, which counts for nothing until a code of it was shown.' },
    summary: 'A new secret, as text and as a picture for an app',
    input: z.object({}),
    output: z.object({ secret: z.string(), address: z.string(), picture: z.string() }),
    errors: ['two_factor_on'],
  }),
  enable: endpoint({
    method: 'POST',
    path: '/two-factor/enable',
    access: 'signed-in',
    isForSetUp: true,
    repeat: { harmless: 'A code is taken once: the second request is refused.' },
    summary: 'Switches it on with a first code; the recovery codes are shown this once',
    input: z.strictObject({ code }),
    output: z.object({ recoveryCodes: z.array(z.string()) }),
    errors: ['code_wrong', 'two_factor_locked', 'two_factor_on', 'two_factor_not_begun'],
  }),
  disable: endpoint({
    method: 'POST',
    path: '/two-factor/disable',
    access: 'signed-in',
    needsReauthentication: true,
    repeat: { harmless: 'What is off stays off.' },
    summary: 'Switches it off, and forgets the secret, the recovery codes and the trusted browsers',
    input: z.object({}),
    output: z.object({}),
    errors: ['two_factor_off'],
  }),
  makeRecoveryCodes: endpoint({
    method: 'POST',
    path: '/two-factor/recovery-codes',
    access: 'signed-in',
    needsReauthentication: true,
    repeat: { harmless: 'The codes of the last request are the ones that count.' },
    summary: 'New recovery codes in place of those that are left; shown this once',
    input: z.object({}),
    output: z.object({ recoveryCodes: z.array(z.string()) }),
    errors: ['two_factor_off'],
  }),
  require: endpoint({
    method: 'PUT',
    path: '/two-factor/requirement',
    access: 'users:manage',
    needsReauthentication: true,
    repeat: { harmless: 'It sets a whole value, and tells of it only when that changed.' },
    summary:
      'Whether everybody of the workspace needs a second factor; whoever has none then may do nothing else',
    input: z.strictObject({ isRequired: z.boolean() }),
    output: z.object({ isRequired: z.boolean() }),
    errors: ['two_factor_off'],
  }),
};
