/** The one name of each feature, used for its folder, address, permission and messages in every layer. */
export const features = [
  'landing',
  'auth',
  'dashboard',
  'activity',
  'contacts',
  'templates',
  'media',
  'campaigns',
  'bulk-message',
  'channels',
  'webhooks',
  'delivery',
  'inbox',
  'chatbot',
  'rcs',
  'automation',
  'integrations',
  'analytics',
  'settings',
  'users',
  'profile',
] as const;

export type Feature = (typeof features)[number];
