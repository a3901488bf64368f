import { notificationKindNames } from '@app/domain/notifications/notification-kinds';
import { z } from 'zod';
import { pushContract } from './push-contract.ts';
import { endpoint, id, instant, page, pageInput } from '../endpoint.ts';

export const notification = z.object({
  id,
  kind: z.enum(notificationKindNames),
  /** What it is about: a campaign, a team, an operation … */
  subject: id.nullable(),
  /** For its sentence. */
  values: z.record(z.string(), z.union([z.string(), z.number()])),
  createdAt: instant,
  isRead: z.boolean(),
});

const read = { harmless: 'What is read stays read.' } as const;

export const notificationsContract = {
  ...pushContract,
  list: endpoint({
    method: 'GET',
    path: '/notifications',
    access: 'signed-in',
    summary: 'What the caller was told of in this workspace in the last 90 days, newest first',
    input: pageInput.extend({
      unread: z
        .enum(['yes', 'no'])
        .default('no')
        .transform((word) => word === 'yes')
        .describe('Only what the caller has not read'),
    }),
    output: page(notification),
  }),
  summarize: endpoint({
    method: 'GET',
    path: '/notifications/summary',
    access: 'signed-in',
    summary: 'How many the caller has not read',
    input: z.object({}),
    output: z.object({ unread: z.number() }),
  }),
  mailView: endpoint({
    method: 'POST',
    path: '/notifications/views/{reportViewId}/mail',
    access: 'analytics:read',
    repeat: 'keyed',
    summary:
      'Mails a saved view of analytics to the caller once, now, with the figures of the days until yesterday',
    input: z.strictObject({ reportViewId: id }),
    output: z.object({ email: z.string() }),
    errors: ['report_view_not_found'],
  }),
  markRead: endpoint({
    method: 'POST',
    path: '/notifications/{notificationId}/read',
    access: 'signed-in',
    repeat: read,
    summary: 'Marks one as read',
    input: z.strictObject({ notificationId: id }),
    output: z.object({ read: z.number() }),
    errors: ['notification_not_found'],
  }),
  markAllRead: endpoint({
    method: 'POST',
    path: '/notifications/read',
    access: 'signed-in',
    repeat: read,
    summary: 'Marks everything as read that came until then',
    input: z.strictObject({ until: instant }),
    output: z.object({ read: z.number() }),
  }),
};
