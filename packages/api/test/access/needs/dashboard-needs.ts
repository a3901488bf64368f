import type { FeatureNeeds } from './feature-needs.ts';

export const dashboardNeeds: FeatureNeeds = {
  endpoints: {
    'signed in': `activity.list activity.getSummary activity.recordView activity.listOnline activity.setPresence dashboard.getOverview
      dashboard.getHealth dashboard.getAttention dashboard.getGettingStarted operations.list operations.get operations.cancel
      operations.dismiss operations.dismissAll notifications.list notifications.summarize notifications.markRead
      notifications.markAllRead notifications.listBrowsers notifications.addBrowser notifications.changeBrowser
      notifications.removeBrowser notifications.testBrowser`,
    'analytics:read': 'notifications.mailView',
  },
  addresses: {
    'signed in': [
      // Of the kind of operation: each user who may begin it.
      'GET /api/operations/:operationId/file',
    ],
  },
};
