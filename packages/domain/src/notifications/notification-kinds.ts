import type { Permission } from '../auth/permissions.ts';

type KindRules = {
  /** Who may hear of it; null for everybody whom it is about. */
  access: Permission | null;
  /** Another mail tells of it already, at once. */
  hasOwnMail?: true;
};

/** Everything that people are told of. The names are for ever, because rows keep them. */
export const notificationKinds = {
  approval_asked: { access: 'users:update' },
  campaign_completed: { access: 'campaigns:read' },
  campaign_paused: { access: 'campaigns:read' },
  campaign_failed: { access: 'campaigns:read' },
  conversation_assigned: { access: 'messages:read' },
  scheduled_failed: { access: 'messages:read' },
  conversation_due_missed: { access: 'messages:update' },
  conversation_due_soon: { access: 'messages:update' },
  conversation_mentioned: { access: 'messages:read' },
  conversation_unassigned: { access: 'messages:manage' },
  long_act_done: { access: null },
  long_act_failed: { access: null },
  new_browser: { access: null, hasOwnMail: true },
  team_joined: { access: null },
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
