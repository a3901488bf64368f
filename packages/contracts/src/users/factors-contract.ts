import { z } from 'zod';
import { endpoint, id, instant } from '../endpoint.ts';

export const factorsContract = {
  get: endpoint({
    method: 'GET',
    path: '/users/{userId}/factors',
    access: 'users:manage',
    summary: 'With what somebody proves who they are, beside the password',
    input: z.object({ userId: id }),
    output: z.object({
      hasSecondFactor: z.boolean(),
      passkeys: z.array(
        z.object({ id, name: z.string(), createdAt: instant, lastUsedAt: instant.nullable() }),
      ),
    }),
    errors: ['user_not_found'],
  }),
  reset: endpoint({
    method: 'POST',
    path: '/users/{userId}/reset-factors',
    access: 'users:manage',
    needsReauthentication: true,
    repeat: 'keyed',
    summary:
      'For a lost telephone: takes the second factor of somebody away, and their passkeys if wanted; every session of theirs ends',
    input: z.strictObject({ userId: id, removesPasskeys: z.boolean().default(false) }),
    output: z.object({ passkeys: z.number() }),
    errors: ['user_not_found', 'user_is_self', 'user_above', 'user_elsewhere', 'factors_missing'],
  }),
};
