import type { ServerFeature } from '../platform/features/server-feature.ts';
import { deleteOldNotifications, enqueueNotificationMails } from './enqueue-mails.ts';
import { makeNotifications } from './make-notifications.ts';
import { notificationMail } from './notification-mail.ts';
import { notificationsApi } from './notifications-api.ts';
import { deleteLeftBrowsers } from './push/push-browsers.ts';
import { pushNews, pushTest } from './push/push-news.ts';
import { enqueueSummaries } from './summaries/enqueue-summaries.ts';
import { summaryMail } from './summaries/summary-mail.ts';
import { viewMail } from './summaries/view-mail.ts';
import { tellReplies } from './tell-replies.ts';
import { tellStops } from './tell-stops.ts';

export const notificationsFeature = {
  name: 'notifications',
  router: { notifications: notificationsApi },
  consumers: [makeNotifications, tellReplies],
  jobs: [notificationMail, summaryMail, viewMail, pushNews, pushTest],
  upkeep: {
    often: [tellStops, enqueueNotificationMails, enqueueSummaries, deleteLeftBrowsers],
    seldom: [deleteOldNotifications],
  },
} satisfies ServerFeature;
