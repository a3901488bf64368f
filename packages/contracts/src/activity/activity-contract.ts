import { openKinds } from '@app/domain/activity/activity-subjects';
import { activityTypes } from '@app/domain/activity/activity-rules';
import { roles } from '@app/domain/auth/permissions';
import { auditedFactTypes } from '@app/domain/events/fact-catalogue';
import { z } from 'zod';
import { endpoint, id, instant, page, pageInput } from '../endpoint.ts';

const factValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** What happened, for the reader's language to say. */
export const activityFact = z.object({
  type: z.enum(auditedFactTypes),
  /** Null is what was taken out when a person was erased. */
  values: z.record(z.string(), z.union([factValue, z.array(factValue)])),
});

export const activityEntry = z.object({
  id,
  userId: id.nullable(),
  userName: z.string(),
  userAvatar: z.string().nullable(),
  type: z.enum(activityTypes),
  resource: z.string(),
  /** Null for older entries, which have their sentence. */
  fact: activityFact.nullable(),
  description: z.string().nullable(),
  /** What it is about, while that is there and the caller may open it. */
  subject: z.object({ kind: z.enum(openKinds), id }).nullable(),
  occurredAt: instant,
  /** For people who may read users; null for everybody else. */
  ipAddress: z.string().nullable(),
  userAgent: z.string().nullable(),
});

const filters = z.object({
  /** Part of an older description, of a value, a person's name or a resource; case does not matter. */
  search: z.string().trim().max(200).optional(),
  /** Beside `search`: facts whose words hold the text, as the caller's language says them, and what their values are then. */
  said: z
    .array(
      z.object({
        type: z.enum(auditedFactTypes),
        values: z
          .array(
            z.object({
              name: z.string().min(1).max(60),
              at: z.enum(['start', 'end', 'whole']),
              text: z.string().max(200),
            }),
          )
          .max(20)
          .default([]),
      }),
    )
    .max(400)
    .optional(),
  type: z.enum(activityTypes).optional(),
  userId: id.optional(),
});

const onlinePerson = z.object({
  id,
  name: z.string(),
  avatar: z.string().nullable(),
  role: z.enum(roles),
  state: z.enum(['active', 'idle']),
  lastSeenAt: instant,
});

export const activityContract = {
  list: endpoint({
    method: 'GET',
    path: '/activities',
    access: 'signed-in',
    summary: 'What people did in the workspace, newest first',
    input: pageInput.extend(filters.shape),
    output: page(activityEntry),
  }),
  getSummary: endpoint({
    method: 'GET',
    path: '/activities/summary',
    access: 'signed-in',
    summary:
      'Logins, created, sent and active users of the last 24 hours, and whom the feed can be filtered by',
    input: z.object({}),
    output: z.object({
      logins: z.number(),
      created: z.number(),
      sent: z.number(),
      activeUsers: z.number(),
      users: z.array(z.object({ id, name: z.string() })),
    }),
  }),
  recordView: endpoint({
    method: 'POST',
    path: '/activities/views',
    access: 'signed-in',
    repeat: { harmless: 'A note that somebody looked; it is kept at most once in a while.' },
    summary: 'Notes that the caller viewed a page, or pressed a button of it',
    input: z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('page_view'), page: z.enum(['dashboard']) }),
      z.strictObject({
        type: z.literal('click'),
        page: z.enum(['dashboard']),
        element: z.string().trim().min(1).max(80),
      }),
    ]),
    output: z.object({ recorded: z.boolean() }),
  }),
  listOnline: endpoint({
    method: 'GET',
    path: '/presence',
    access: 'signed-in',
    summary: 'Who has the product open now',
    input: z.object({}),
    output: z.object({ people: z.array(onlinePerson) }),
  }),
  setPresence: endpoint({
    method: 'POST',
    path: '/presence',
    access: 'signed-in',
    repeat: { harmless: 'It sets a whole value.' },
    summary: 'Tells whether the caller is at work or idle',
    input: z.object({ state: z.enum(['active', 'idle']) }),
    output: z.object({ state: z.enum(['active', 'idle']) }),
  }),
};
