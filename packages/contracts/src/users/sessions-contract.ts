import { roles } from '@app/domain/auth/permissions';
import { z } from 'zod';
import { endpoint, id, instant, page, pageInput } from '../endpoint.ts';

export const openSession = z.object({
  id,
  user: z.object({
    id,
    name: z.string(),
    email: z.string(),
    avatar: z.string().nullable(),
    role: z.enum(roles),
  }),
  /** As the browser names itself; null for what it does not say. */
  device: z.object({
    browser: z.string().nullable(),
    os: z.string().nullable(),
    kind: z.enum(['desktop', 'mobile', 'tablet']),
  }),
  ipAddress: z.string().nullable(),
  /** Where the address is, as far as the operator's file of places knows; the country as a code of two letters. */
  place: z.object({ city: z.string().nullable(), country: z.string().nullable() }).nullable(),
  isActive: z.boolean(),
  /** The one that this request came with. */
  isCurrent: z.boolean(),
  createdAt: instant,
  /** To ten minutes. */
  lastActivityAt: instant,
  expiresAt: instant,
});

export const sessionsContract = {
  list: endpoint({
    method: 'GET',
    path: '/sessions',
    access: 'users:read',
    summary:
      'Who is signed in to this workspace, the latest first; of people who belong to another one as well only the caller',
    input: pageInput.extend({
      search: z.string().max(200).optional().describe('Part of name, address or IP address.'),
      userId: id.optional(),
      state: z.enum(['active', 'all']).default('active'),
    }),
    output: page(openSession),
  }),
  end: endpoint({
    method: 'POST',
    path: '/sessions/{sessionId}/end',
    access: 'users:update',
    repeat: { harmless: 'A session that is over stays over.' },
    summary: 'Signs somebody out of one browser at once; not the caller out of this one',
    input: z.strictObject({ sessionId: id }),
    output: z.object({ ended: z.number() }),
    errors: ['session_not_found', 'session_is_current', 'user_above'],
  }),
  endAllOf: endpoint({
    method: 'POST',
    path: '/users/{userId}/end-sessions',
    access: 'users:update',
    repeat: { harmless: 'Sessions that are over stay over.' },
    summary: 'Signs somebody out everywhere, the caller everywhere else',
    input: z.strictObject({ userId: id }),
    output: z.object({ ended: z.number() }),
    errors: ['user_not_found', 'user_above', 'user_elsewhere'],
  }),
};
