import { cleanText } from '@app/domain/contacts/contact';
import { roles } from '@app/domain/auth/permissions';
import { cleanFeatures, teamLimits, teamRoles } from '@app/domain/teams/team-rules';
import { z } from 'zod';
import { endpoint, id, instant, page, pageInput, versioned } from '../endpoint.ts';

export const teamMember = z.object({
  userId: id,
  name: z.string(),
  email: z.string(),
  avatar: z.string().nullable(),
  workspaceRole: z.enum(roles),
  isActive: z.boolean(),
  role: z.enum(teamRoles),
  isWaiting: z.boolean(),
  joinedAt: instant,
});

export const team = z.object({
  id,
  name: z.string(),
  description: z.string(),
  ownerId: id.nullable(),
  /** Who waits does not count. */
  memberCount: z.number(),
  waitingCount: z.number(),
  /** The first few, for the card. */
  people: z.array(z.object({ id, name: z.string(), avatar: z.string().nullable() })),
  settings: z.object({
    allowInvites: z.boolean(),
    requireApproval: z.boolean(),
    maxMembers: z.number(),
    features: z.array(z.string()),
  }),
  /** What the caller is there, and may do. */
  own: z.object({
    role: z.enum(teamRoles).nullable(),
    isWaiting: z.boolean(),
    mayManage: z.boolean(),
    mayOwn: z.boolean(),
    mayAdd: z.boolean(),
    mayJoin: z.boolean(),
  }),
  createdAt: instant,
  version: z.number(),
});

export const teamDetails = team.extend({ members: z.array(teamMember) });

const clean = (most: number) => z.string().max(2000).transform(cleanText).pipe(z.string().max(most));
const fields = {
  name: z.string().max(2000).transform(cleanText).pipe(z.string().min(1).max(teamLimits.name)),
  description: clean(teamLimits.description),
  allowInvites: z.boolean(),
  requireApproval: z.boolean(),
  maxMembers: z.number().int().min(1).max(teamLimits.members),
  features: z
    .array(z.string().max(1000))
    .max(100)
    .transform(cleanFeatures)
    .pipe(z.array(z.string().max(teamLimits.feature)).max(teamLimits.features)),
};
const one = z.strictObject({ teamId: id });
const member = z.strictObject({ teamId: id, userId: id });

export const teamsContract = {
  list: endpoint({
    method: 'GET',
    path: '/teams',
    access: 'users:read',
    summary: 'Teams of the workspace, by name',
    input: pageInput.extend({ search: z.string().max(200).optional() }),
    output: page(team),
  }),
  get: endpoint({
    method: 'GET',
    path: '/teams/{teamId}',
    access: 'users:read',
    summary: 'One team with its members',
    input: one,
    output: teamDetails,
    errors: ['team_not_found'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/teams',
    access: 'users:update',
    repeat: 'keyed',
    summary: 'Makes a team, which the caller owns',
    input: z.strictObject({
      name: fields.name,
      description: fields.description.default(''),
      allowInvites: fields.allowInvites.default(true),
      requireApproval: fields.requireApproval.default(false),
      maxMembers: fields.maxMembers.default(teamLimits.usualMembers),
      features: fields.features.default([]),
    }),
    output: teamDetails,
    errors: ['team_name_taken'],
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/teams/{teamId}',
    access: 'users:read',
    repeat: versioned,
    summary: 'Changes a team; for who leads it or manages users',
    input: z.strictObject({
      teamId: id,
      version: z.number().int().min(1).max(2_000_000_000),
      name: fields.name.optional(),
      description: fields.description.optional(),
      allowInvites: fields.allowInvites.optional(),
      requireApproval: fields.requireApproval.optional(),
      maxMembers: fields.maxMembers.optional(),
      features: fields.features.optional(),
    }),
    output: teamDetails,
    errors: ['team_not_found', 'team_changed', 'team_name_taken', 'team_not_yours', 'team_too_small'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/teams/{teamId}',
    access: 'users:read',
    repeat: 'keyed',
    summary: 'Deletes a team, not its people; for who owns it or manages users',
    input: one,
    output: z.object({}),
    errors: ['team_not_found', 'team_not_yours'],
  }),
  addMember: endpoint({
    method: 'POST',
    path: '/teams/{teamId}/members/{userId}',
    access: 'users:read',
    repeat: { harmless: 'A member of the team stays in it.' },
    summary: 'Adds somebody, or the caller; they wait where the team wants that',
    input: member,
    output: teamDetails,
    errors: ['team_not_found', 'team_not_yours', 'team_full', 'user_not_found'],
  }),
  setMember: endpoint({
    method: 'PUT',
    path: '/teams/{teamId}/members/{userId}',
    access: 'users:read',
    repeat: { harmless: 'It sets a whole value.' },
    summary: 'Lets in who waits, and sets what a member is; owners are made by owners',
    input: z.strictObject({ teamId: id, userId: id, role: z.enum(teamRoles) }),
    output: teamDetails,
    errors: ['team_not_found', 'team_not_yours', 'team_full', 'team_member_not_found', 'team_needs_owner'],
  }),
  removeMember: endpoint({
    method: 'DELETE',
    path: '/teams/{teamId}/members/{userId}',
    access: 'users:read',
    repeat: { harmless: 'A user outside the team stays outside.' },
    summary: 'Takes somebody out, or the caller leaves; the last owner hands over first',
    input: member,
    output: teamDetails,
    errors: ['team_not_found', 'team_not_yours', 'team_member_not_found', 'team_needs_owner'],
  }),
};
