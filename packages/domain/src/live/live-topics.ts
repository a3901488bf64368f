import type { Permission } from '../auth/permissions.ts';

/** What a live event may be about. Its payload names ids, never content that a role may not see. */
export const liveTopics = [
  'contacts',
  'templates',
  'campaigns',
  'campaign-progress',
  'messages',
  'arrived-messages',
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
  'rcs',
  'workflows',
  'webhook-endpoints',
  'integrations',
  'chatbot',
  'report-views',
] as const;

export type LiveTopic = (typeof liveTopics)[number];

/** What names people, and what they wrote, is told to those alone who may ask for it. */
export const topicAccess: Partial<Record<LiveTopic, readonly Permission[]>> = {
  viewers: ['messages:read', 'contacts:read'],
  'arrived-messages': ['messages:read', 'contacts:read'],
};
