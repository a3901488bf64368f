import { keyScopes, LONGEST_KEY_NAME, MOST_ALLOWED_ADDRESSES } from '@app/domain/api-keys/api-key-rules';
import type { Permission } from '@app/domain/auth/permissions';
import { z } from 'zod';
import { endpoint, id, instant, page, pageInput } from '../endpoint.ts';

// The domain's table has at least one.
const scope = z.enum(keyScopes as [Permission, ...Permission[]]);
const name = z.string().trim().min(1).max(LONGEST_KEY_NAME);
/** One address or a network as CIDR, of either version. */
const address = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

export const apiKey = z.object({
  id,
  name: z.string(),
  /** The part of the key that is no secret. */
  prefix: z.string(),
  owner: z.object({ id, name: z.string() }),
  /** What it was made for; it may do no more of it than its owner may at the moment. */
  scopes: z.array(scope),
  allowedAddresses: z.array(z.string()),
  expiresAt: instant.nullable(),
  isExpired: z.boolean(),
  createdAt: instant,
  /** To a minute. */
  lastUsedAt: instant.nullable(),
  lastUsedAddress: z.string().nullable(),
});

export const apiKeysContract = {
  listOwn: endpoint({
    method: 'GET',
    path: '/api-keys',
    access: 'signed-in',
    summary: 'The API keys of the caller, the newest first; never their secrets',
    input: z.object({}),
    output: z.object({ items: z.array(apiKey) }),
  }),
  listAll: endpoint({
    method: 'GET',
    path: '/api-keys/all',
    access: 'settings:read',
    summary: 'The API keys of everybody in the workspace, the newest first',
    input: pageInput,
    output: page(apiKey),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api-keys',
    access: 'signed-in',
    needsReauthentication: true,
    // No answer may be kept that holds a secret.
    repeat: { harmless: 'It names its id: the second request is refused.' },
    summary: 'Makes an API key; its secret is in this answer and nowhere else',
    input: z.strictObject({
      keyId: id.describe('An id of your own, so that a second request makes no second key.'),
      name,
      scopes: z.array(scope).min(1).max(keyScopes.length),
      allowedAddresses: z.array(address).max(MOST_ALLOWED_ADDRESSES).default([]),
      expiresAt: instant.nullable(),
    }),
    output: z.object({ key: apiKey, secret: z.string() }),
    errors: ['api_key_known', 'too_many_api_keys', 'permission_not_held', 'api_key_expiry_invalid'],
  }),
  rename: endpoint({
    method: 'PATCH',
    path: '/api-keys/{keyId}',
    access: 'signed-in',
    repeat: { harmless: 'The same name again changes nothing.' },
    summary: 'Gives an API key of the caller another name',
    input: z.strictObject({ keyId: id, name }),
    output: apiKey,
    errors: ['api_key_not_found'],
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api-keys/{keyId}',
    access: 'signed-in',
    repeat: { harmless: 'What is gone stays gone: the second request is refused.' },
    summary:
      'Ends an API key at once: one of the caller, or of anybody for those who may change the settings',
    input: z.strictObject({ keyId: id }),
    output: z.object({}),
    errors: ['api_key_not_found'],
  }),
};
