import type { ConnectorKind } from './connector-kind.ts';

/** Services that have a card and no connector yet. A kind that is registered takes the place of its entry. */
export const announcedConnectors: readonly Pick<
  ConnectorKind,
  'name' | 'title' | 'category' | 'type' | 'features'
>[] = [
  announced('hubspot', 'HubSpot', 'crm', 'crm', ['contactSync', 'twoWay', 'fieldMapping', 'optOuts']),
  announced('salesforce', 'Salesforce', 'crm', 'crm', ['contactSync', 'twoWay', 'fieldMapping', 'optOuts']),
  announced('mailchimp', 'Mailchimp', 'email', 'email', ['audienceSync', 'twoWay', 'unsubscribes']),
  announced('shopify', 'Shopify', 'ecommerce', 'ecommerce', ['customerSync', 'orders', 'checkouts']),
  announced('google_analytics', 'Google Analytics', 'analytics', 'analytics', [
    'campaignEvents',
    'taggedLinks',
  ]),
  announced('calendly', 'Calendly', 'productivity', null, ['inviteeSync', 'bookings', 'reminders']),
  announced('slack', 'Slack', 'communication', 'webhook', [
    ...(['newChats', 'handoffs', 'campaignReports', 'threadReplies'] as const),
  ]),
  announced('zapier', 'Zapier', 'automation', 'zapier', ['catchHooks', 'events', 'actions', 'samples']),
];

/** What people call a service; of one without a card its name, as a title. */
export function titleOfService(name: string): string {
  const known = announcedConnectors.find((one) => one.name === name);
  return known?.title ?? name.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase());
}

function announced(
  name: string,
  title: string,
  category: ConnectorKind['category'],
  type: ConnectorKind['type'],
  features: readonly string[],
) {
  return { name, title, category, type, features };
}
