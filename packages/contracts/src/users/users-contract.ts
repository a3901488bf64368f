import { roles } from '@app/domain/auth/permissions';
import { interfaceLanguages } from '@app/domain/text/interface-language';
import { userStatuses } from '@app/domain/users/member-rules';
import { z } from 'zod';
import { endpoint, id, instant, page, pageInput, versioned } from '../endpoint.ts';
import { preferences } from '../profile/preferences-schema.ts';

export const user = z.object({
  id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phoneNumber: z.string().nullable(),
  avatar: z.string().nullable(),
  role: z.enum(roles),
  /** What somebody asked for who waits. */
  requestedRole: z.enum(roles).nullable(),
  status: z.enum(userStatuses),
  /** Has the product open now. */
  isOnline: z.boolean(),
  lastLoginAt: instant.nullable(),
  createdAt: instant,
  /** What the role may do in this workspace. */
  permissions: z.array(z.string()),
  version: z.number(),
});

export const userDetails = user.extend({
  timezone: z.string(),
  language: z.enum(interfaceLanguages).nullable(),
  preferences: preferences.pick({ theme: true, notifications: true }),
  /** Open sessions. */
  sessions: z.number(),
});

const one = z.object({ userId: id });
const version = z.number().int().min(1).max(2_000_000_000);
/** Who takes over what somebody has open; null leaves it to nobody. */
const heir = z.object({ handOverTo: id.nullable().default(null) });
const onOthers = ['user_not_found', 'user_is_self', 'user_above'] as const;
const name = z.string().max(1000);

export const usersContract = {
  list: endpoint({
    method: 'GET',
    path: '/users',
    access: 'users:read',
    forKeys: true,
    summary: 'People of the workspace',
    input: pageInput.extend({
      search: z.string().max(200).optional().describe('Part of name, address or phone number.'),
      role: z.enum(roles).optional(),
      status: z.enum(userStatuses).optional(),
      sort: z.enum(['name', 'newest', 'last_login']).default('name'),
    }),
    output: page(user),
  }),
  summarize: endpoint({
    method: 'GET',
    path: '/users/summary',
    access: 'users:read',
    summary: 'Counts for the summary cards',
    input: z.object({}),
    output: z.object({
      total: z.number(),
      active: z.number(),
      waiting: z.number(),
      online: z.number(),
      activeToday: z.number(),
    }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/users/{userId}',
    access: 'users:read',
    summary: 'One person, with preferences',
    input: one,
    output: userDetails,
    errors: ['user_not_found'],
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/users/{userId}',
    access: 'users:update',
    repeat: versioned,
    summary: 'Changes name, phone number or role, unless someone else changed the person since `version`',
    input: z.strictObject({
      userId: id,
      version,
      firstName: name.optional(),
      lastName: name.optional(),
      phoneNumber: z.string().max(100).nullable().optional(),
      role: z.enum(roles).optional(),
    }),
    output: user,
    errors: [
      ...onOthers,
      'user_changed',
      'user_waits',
      'user_fields_invalid',
      'role_too_high',
      'last_admin',
      'user_elsewhere',
      'password_needed',
    ],
  }),
  activate: endpoint({
    method: 'POST',
    path: '/users/{userId}/activate',
    access: 'users:update',
    repeat: { harmless: 'It sets a whole value, and tells of it only when that changed.' },
    summary: 'Lets somebody in; whoever waits gets the role that is named, or the one they asked for',
    input: z.strictObject({ userId: id, role: z.enum(roles).optional() }),
    output: user,
    errors: [...onOthers, 'role_too_high', 'password_needed'],
  }),
  deactivate: endpoint({
    method: 'POST',
    path: '/users/{userId}/deactivate',
    access: 'users:update',
    needsReauthentication: true,
    repeat: { harmless: 'It sets a whole value, and tells of it only when that changed.' },
    summary:
      'Keeps somebody out of this workspace: streams end at once, and sessions where they are in no other one; what they have open goes on to another',
    input: z.strictObject({ userId: id, ...heir.shape }),
    output: user,
    errors: [...onOthers, 'user_waits', 'last_admin', 'heir_not_found'],
  }),
  changeEmail: endpoint({
    method: 'PUT',
    path: '/users/{userId}/email',
    access: 'users:manage',
    needsReauthentication: true,
    repeat: { harmless: 'It sets a whole value.' },
    summary: 'Changes the address of somebody, where the installation sends no mail that could confirm it',
    input: z.strictObject({ userId: id, email: z.string().max(1000) }),
    output: user,
    errors: [...onOthers, 'user_elsewhere', 'email_invalid', 'email_taken', 'email_by_owner'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/users/{userId}',
    access: 'users:delete',
    needsReauthentication: true,
    repeat: 'keyed',
    summary:
      'Takes somebody out, with their account where they belong to no other workspace, or refuses who asked to join',
    input: z.strictObject({ userId: id, ...heir.shape }),
    output: z.object({}),
    errors: [...onOthers, 'last_admin', 'heir_not_found'],
  }),
};
