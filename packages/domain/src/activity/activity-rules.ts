export const activityTypes = [
  'login',
  'logout',
  'create',
  'update',
  'delete',
  'view',
  'send',
  'upload',
  'download',
] as const;
export type ActivityType = (typeof activityTypes)[number];

/** Most entries that a feed shows, and that a browser keeps. */
export const FEED_LENGTH = 50;
export const KEPT_ACTIVITIES = 100;

/** While a feed refreshes itself, the page that shows it counts as viewed this often. */
export const VIEW_EVERY_MS = 30_000;

/** Without mouse, key, scroll or touch for this long, a person is idle. */
export const IDLE_AFTER_MS = 5 * 60_000;

/** Somebody is online while one of their tabs was heard within this time. */
export const ONLINE_WINDOW_MS = 45_000;
