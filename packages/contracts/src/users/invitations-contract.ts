import { roles } from '@app/domain/auth/permissions';
import { z } from 'zod';
import { endpoint, id, instant, page, pageInput } from '../endpoint.ts';

export const invitation = z.object({
  id,
  email: z.string(),
  role: z.enum(roles),
  team: z.object({ id, name: z.string() }).nullable(),
  invitedByName: z.string(),
  /** Whoever invited is gone, or may not give this role any more: it has to be sent again by somebody who may. */
  isVoid: z.boolean(),
  sentAt: instant,
  expiresAt: instant,
  isExpired: z.boolean(),
  createdAt: instant,
});

const one = z.strictObject({ invitationId: id });

export const invitationsContract = {
  list: endpoint({
    method: 'GET',
    path: '/invitations',
    access: 'users:read',
    summary: 'Invitations that nobody has taken yet, newest first',
    input: pageInput,
    output: page(invitation),
  }),
  create: endpoint({
    method: 'POST',
    path: '/invitations',
    access: 'users:create',
    repeat: 'keyed',
    summary: 'Invites somebody by mail; the link works once, for seven days',
    input: z.strictObject({
      email: z.string().max(300),
      role: z.enum(roles),
      teamId: id.nullable().default(null),
    }),
    output: invitation,
    errors: [
      'email_invalid',
      'user_exists',
      'user_invited',
      'role_too_high',
      'team_not_found',
      'password_needed',
    ],
  }),
  sendAgain: endpoint({
    method: 'POST',
    path: '/invitations/{invitationId}/send',
    access: 'users:create',
    repeat: 'keyed',
    summary: 'Mails the link again, which then works for another seven days and in the caller’s name',
    input: one,
    output: invitation,
    errors: ['invitation_not_found', 'role_too_high', 'too_many_mails'],
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/invitations/{invitationId}',
    access: 'users:create',
    repeat: 'keyed',
    summary: 'Takes an invitation back: its link opens nothing any more',
    input: one,
    output: z.object({}),
    errors: ['invitation_not_found'],
  }),
};
