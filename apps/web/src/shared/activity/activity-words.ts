import { t, type MessageKey } from '../messages.ts';
import type { Activity } from './activity.ts';
import { sayValues } from './say-values.ts';

/**
 * What happened, in the reader's language: the catalogue `activity-facts` must be there (`useMessages`). An older entry, or one
 * kept from then for offline, has its own sentence.
 */
export function describeActivity({ fact, description }: Pick<Activity, 'fact' | 'description'>): string {
  // One key for each fact of the audit log: the compiler misses the one that has no words.
  return fact ? t(`activity.fact.${fact.type}`, sayValues(fact.type, fact.values)) : (description ?? '');
}

const resourceNames: Record<string, MessageKey | undefined> = {
  analytics: 'common.nav.analytics',
  'api-keys': 'activity.resource.apiKeys',
  auth: 'activity.resource.auth',
  automation: 'common.nav.automation',
  'bulk-message': 'common.nav.bulkMessage',
  campaigns: 'common.nav.campaigns',
  channels: 'activity.resource.channels',
  contacts: 'common.nav.contacts',
  dashboard: 'common.nav.dashboard',
  media: 'activity.resource.media',
  messages: 'common.nav.inbox',
  settings: 'common.nav.settings',
  teams: 'activity.resource.teams',
  templates: 'common.nav.templates',
  users: 'common.nav.users',
};

/** What an entry is about, in a word or two. */
export function resourceName(resource: string): string {
  const name = resourceNames[resource];
  return name ? t(name) : resource;
}
