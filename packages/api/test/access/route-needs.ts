import { accountsNeeds } from './needs/accounts-needs.ts';
import { analyticsNeeds } from './needs/analytics-needs.ts';
import { automationNeeds } from './needs/automation-needs.ts';
import { campaignsNeeds } from './needs/campaigns-needs.ts';
import { channelsNeeds } from './needs/channels-needs.ts';
import { chatbotNeeds } from './needs/chatbot-needs.ts';
import { contactsNeeds } from './needs/contacts-needs.ts';
import { conversationsNeeds } from './needs/conversations-needs.ts';
import { dashboardNeeds } from './needs/dashboard-needs.ts';
import { dataManagementNeeds } from './needs/data-management-needs.ts';
import { integrationsNeeds } from './needs/integrations-needs.ts';
import type { FeatureNeeds } from './needs/feature-needs.ts';
import { landingNeeds } from './needs/landing-needs.ts';
import { mediaNeeds } from './needs/media-needs.ts';
import { platformNeeds } from './needs/platform-needs.ts';
import { rcsNeeds } from './needs/rcs-needs.ts';
import { settingsNeeds } from './needs/settings-needs.ts';
import { templatesNeeds } from './needs/templates-needs.ts';
import { usersNeeds } from './needs/users-needs.ts';
import { webhookEndpointsNeeds } from './needs/webhook-endpoints-needs.ts';

/** Who may call what, a list for each feature. */
const features: readonly FeatureNeeds[] = [
  accountsNeeds,
  analyticsNeeds,
  automationNeeds,
  campaignsNeeds,
  channelsNeeds,
  chatbotNeeds,
  contactsNeeds,
  conversationsNeeds,
  dashboardNeeds,
  dataManagementNeeds,
  integrationsNeeds,
  landingNeeds,
  mediaNeeds,
  platformNeeds,
  rcsNeeds,
  settingsNeeds,
  templatesNeeds,
  usersNeeds,
  webhookEndpointsNeeds,
];

export const routesWithOwnAuthentication = features.flatMap(
  ({ ownAuthentication = [] }) => ownAuthentication,
);
export const asksToReauthenticate = features.flatMap(({ reauthentication = [] }) => reauthentication);
export const openForSetUp = features.flatMap(({ setUp = [] }) => setUp);
export const openForKeys = features.flatMap(({ keys: { endpoints, addresses = [] } = {} }) => [
  ...(endpoints ? splitNames(endpoints) : []),
  ...addresses,
]);

export type Needs = 'nobody' | readonly string[];

/** What each endpoint of the contract, and each address beside it, asks for; nothing but a session is an empty list. */
export const endpointNeeds = gather(({ endpoints = {} }) =>
  Object.entries(endpoints).map(([asked, names]) => [asked, splitNames(names)]),
);
export const addressNeeds = gather(({ addresses = {} }) => Object.entries(addresses));

function gather(read: (feature: FeatureNeeds) => [asked: string, routes: string[]][]): Map<string, Needs> {
  const gathered = new Map<string, Needs>();
  for (const [asked, routes] of features.flatMap(read))
    for (const route of routes) {
      if (gathered.has(route)) throw new Error(`Two places say who may call ${route}.`);
      gathered.set(route, readNeeds(asked));
    }
  return gathered;
}

function splitNames(names: string): string[] {
  return names.trim().split(/\s+/);
}

function readNeeds(asked: string): Needs {
  if (asked === 'nobody') return 'nobody';
  return asked === 'signed in' ? [] : asked.split(' ');
}
