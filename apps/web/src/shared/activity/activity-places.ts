import { can } from '../session.ts';
import { paths } from '../paths.ts';
import type { Activity } from './activity.ts';

export type Place = { to: string; search?: Record<string, string> };

/** Where an entry leads: to what it is about while that is there, else to the page where such things are done; nowhere for who may not. */
export function placeOf({ subject, fact }: Pick<Activity, 'subject' | 'fact'>): Place | null {
  // What a browser kept from before has none.
  if (subject) return subjectPlaces[subject.kind](subject.id);
  return fact ? pageOf(fact) : null;
}

const subjectPlaces: Record<NonNullable<Activity['subject']>['kind'], (id: string) => Place> = {
  contact: (id) => ({ to: paths.contact(id) }),
  segment: (id) => ({ to: paths.contacts, search: { filter: `segment:${id}` } }),
  'contact-import': (id) => ({ to: paths.contacts, search: { filter: `import:${id}` } }),
  campaign: (id) => ({ to: paths.campaign(id) }),
  template: (id) => ({ to: paths.templates, search: { dialog: 'preview', template: id } }),
  conversation: (id) => ({ to: paths.conversation(id) }),
  'quick-reply': (id) => ({ to: paths.quickReplies, search: { dialog: 'edit', reply: id } }),
  'rcs-message': (id) => ({ to: paths.rcs, search: { dialog: 'edit', message: id } }),
  user: (id) => ({ to: paths.users, search: { dialog: 'view', user: id } }),
  team: (id) => ({ to: paths.users, search: { tab: 'teams', teamDialog: 'view', team: id } }),
};

/** What stands on a page that is always there. */
function pageOf({ type, values }: NonNullable<Activity['fact']>): Place | null {
  const [family] = type.split('.');
  if (type === 'settings.updated') return settings(settingsTabs[String(values.part)]);
  if (type === 'role_permissions.changed') return users('permissions');
  if (type === 'custom_field.created' || type === 'custom_field.updated')
    return can('contacts:update') && can('templates:update')
      ? { to: paths.contacts, search: { dialog: 'fields' } }
      : null;
  if (type === 'user.invited' || type === 'invitation.sent_again') return users();
  if (type === 'templates.imported') return can('templates:read') ? { to: paths.templates } : null;
  if (family === 'channel') return settings('api');
  if (family === 'data') return settings('data');
  return null;
}

const settingsTabs: Record<string, string | undefined> = {
  messaging: 'messaging',
  numbers: 'api',
  retention: 'data',
  notices: 'notifications',
};

function settings(tab: string | undefined): Place | null {
  return can('settings:read') ? { to: paths.settings, ...(tab && { search: { tab } }) } : null;
}

function users(tab?: string): Place | null {
  return can('users:read') ? { to: paths.users, ...(tab && { search: { tab } }) } : null;
}
