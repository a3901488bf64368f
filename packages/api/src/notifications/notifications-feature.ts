import type { ServerFeature } from '../platform/features/server-feature.ts';
import { forgetOldNotifications, leaveNotificationMails } from './leave-mails.ts';
import { makeNotifications } from './make-notifications.ts';
import { notificationMail } from './notification-mail.ts';
import { notificationsApi } from './notifications-api.ts';

export const notificationsFeature = {
  name: 'notifications',
  tables: {
    notifications: 'what people who work here are told, with names of campaigns, teams and colleagues',
  },
  router: { notifications: notificationsApi },
  consumers: [makeNotifications],
  jobs: [notificationMail],
  upkeep: { often: [leaveNotificationMails], seldom: [forgetOldNotifications] },
} satisfies ServerFeature;
