/** What a live event may be about. Its payload names ids, never content that a role may not see. */
export const liveTopics = [
  'contacts',
  'templates',
  'campaigns',
  'campaign-progress',
  'messages',
  'activities',
  'presence',
  'viewers',
  'channels',
  'progress',
  'users',
  'notifications',
  'inbox-settings',
  'teams',
  'settings',
  'api-keys',
  'quick-replies',
] as const;

export type LiveTopic = (typeof liveTopics)[number];
