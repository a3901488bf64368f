import type { Permission } from '../auth/permissions.ts';

/** What people choose from, in the order in which it is shown: the first five as they were asked for. */
export const notificationOptions = [
  'campaign_complete',
  'message_failed',
  'new_replies',
  'daily_summary',
  'weekly_report',
  'campaign_stopped',
  'conversation_assigned',
  'mentioned',
  'target_missed',
  'connection_trouble',
  'template_rejected',
  'import_finished',
  'people',
] as const;
export type NotificationOption = (typeof notificationOptions)[number];

type KindRules = {
  /** Who may hear of it; null for everybody whom it is about. */
  access: Permission | null;
  /** What people choose it by; null for what nobody can switch off alone. */
  option: NotificationOption | null;
  /** Another mail tells of it already, at once. */
  hasOwnMail?: true;
};

/**
 * Everything that people are told of. The names are for ever, because rows keep them. What is of one's own, as a campaign, is offered to those alone who may make
 * such a thing.
 */
export const notificationKinds = {
  approval_asked: { access: 'users:update', option: 'people' },
  // Without backups everything can be lost: who looks after the installation cannot switch that off alone.
  backup_failed: { access: 'settings:manage', option: null },
  campaign_completed: { access: 'campaigns:create', option: 'campaign_complete' },
  campaign_paused: { access: 'campaigns:create', option: 'campaign_stopped' },
  campaign_failed: { access: 'campaigns:create', option: 'campaign_stopped' },
  /** An A/B test is over and its remaining contacts wait until a person chooses a variant. */
  ab_test_choice: { access: 'campaigns:update', option: 'campaign_stopped' },
  /** An A/B test is over and nothing has to be decided. */
  ab_test_ended: { access: 'campaigns:create', option: 'campaign_complete' },
  connection_trouble: { access: 'campaigns:update', option: 'connection_trouble' },
  /** What opens a number is refused, such as a token that has ended. */
  connection_problem: { access: 'settings:manage', option: 'connection_trouble' },
  /** The platform finds a number worse than before. */
  number_rated: { access: 'campaigns:update', option: 'connection_trouble' },
  /** The platform restricts or bans the account, or takes that back. */
  account_judged: { access: 'campaigns:update', option: 'connection_trouble' },
  /** A limit paused it, or runs of it fail: for its owner. */
  workflow_trouble: { access: 'campaigns:update', option: 'campaign_stopped' },
  /** An endpoint that failed for days is sent nothing any more. */
  webhook_paused: { access: 'settings:manage', option: 'connection_trouble' },
  /** A connected service needs a person, or works again. */
  integration_failed: { access: 'settings:manage', option: 'connection_trouble' },
  integration_recovered: { access: 'settings:manage', option: 'connection_trouble' },
  conversation_assigned: { access: 'messages:read', option: 'conversation_assigned' },
  scheduled_failed: { access: 'messages:create', option: 'message_failed' },
  message_failed: { access: 'messages:create', option: 'message_failed' },
  new_replies: { access: 'messages:update', option: 'new_replies' },
  /** By the bot, to the member or the team that has the conversation. */
  conversation_handed_over: { access: 'messages:update', option: 'conversation_assigned' },
  conversation_due_missed: { access: 'messages:update', option: 'target_missed' },
  conversation_due_soon: { access: 'messages:update', option: 'target_missed' },
  conversation_mentioned: { access: 'messages:read', option: 'mentioned' },
  conversation_unassigned: { access: 'messages:manage', option: 'conversation_assigned' },
  long_act_done: { access: null, option: 'import_finished' },
  long_act_failed: { access: null, option: 'import_finished' },
  new_browser: { access: null, option: null, hasOwnMail: true },
  team_joined: { access: null, option: 'people' },
  daily_summary: { access: null, option: 'daily_summary', hasOwnMail: true },
  weekly_report: { access: null, option: 'weekly_report', hasOwnMail: true },
  template_rejected: { access: 'templates:update', option: 'template_rejected' },
  /** One that was approved and may not be sent for a while, or never again. */
  template_halted: { access: 'templates:update', option: 'template_rejected' },
} as const satisfies Record<string, KindRules>;

export type NotificationKind = keyof typeof notificationKinds;
export const notificationKindNames = Object.keys(notificationKinds) as [
  NotificationKind,
  ...NotificationKind[],
]; // its keys

export function rulesOfKind(kind: NotificationKind): KindRules {
  return notificationKinds[kind];
}

/** So long a notification is kept, in days. */
export const NOTIFICATION_DAYS = 90;
/** So long news is gathered before a mail goes out, in minutes: what was read meanwhile is in none. */
export const GATHERING_MINUTES = 2;
/** And so long there is no second mail to the same person, in minutes. */
export const MAIL_PAUSE_MINUTES = 15;
/** What is still unread and goes on, as a chat does, is in a second mail after so many hours at the earliest. */
export const MAIL_AGAIN_HOURS = 6;
/** A reply that arrives later than that is no news, but history. */
export const NEWS_HOURS = 24;
