import { connectorCategories, type ConnectorCategory } from '@app/domain/integrations/connector-kind';
import type { ConnectorProblem } from '@app/domain/integrations/connector-problems';
import { orpc, type api } from '../../shared/api.ts';
import { errorMessageOf } from '../../shared/error-message.ts';
import { t, type MessageKey } from '../../shared/messages.ts';
import { readOneOf, readText } from '../../shared/url-state.ts';

export type Integrations = Awaited<ReturnType<typeof api.integrations.list>>;
export type Integration = Integrations['items'][number];
export type IntegrationRun = Awaited<ReturnType<typeof api.integrations.listRuns>>['items'][number];
export type FailedRecord = Awaited<ReturnType<typeof api.integrations.listErrors>>['items'][number];

export const integrationKeys = () => [orpc.integrations.key()];
export const integrationsOptions = () => orpc.integrations.list.queryOptions({ input: {} });

export const integrationDialogs = ['', 'add', 'connect', 'configure'] as const;
export type IntegrationDialog = (typeof integrationDialogs)[number];

/** The parts of the address that belong to the cards, on both pages that show them. */
export function readIntegrationsSearch(search: Record<string, unknown>) {
  return {
    search: readText(search, 'search'),
    category: readOneOf(search, 'category', ['', ...connectorCategories] as const),
    dialog: readOneOf(search, 'dialog', integrationDialogs),
    kind: readText(search, 'kind'),
  };
}
export type IntegrationsSearch = ReturnType<typeof readIntegrationsSearch>;

/** The cards that the search and the category leave, in their order. */
export function findIntegrations(
  items: readonly Integration[],
  { search, category }: { search: string; category: '' | ConnectorCategory },
): Integration[] {
  const wanted = search.trim().toLowerCase();
  return items.filter(
    (one) =>
      (category === '' || one.category === category) &&
      (wanted === '' || `${one.title} ${descriptionOf(one)}`.toLowerCase().includes(wanted)),
  );
}

/** Words of a connector by its name; a kind of an extension has the common ones. */
const descriptions: Readonly<Record<string, MessageKey>> = {
  hubspot: 'integrations.description.hubspot',
  salesforce: 'integrations.description.salesforce',
  mailchimp: 'integrations.description.mailchimp',
  shopify: 'integrations.description.shopify',
  google_analytics: 'integrations.description.google_analytics',
  calendly: 'integrations.description.calendly',
  slack: 'integrations.description.slack',
  zapier: 'integrations.description.zapier',
};
const hints: Readonly<Record<string, MessageKey>> = { hubspot: 'integrations.hint.hubspot' };
const features: Readonly<Record<string, MessageKey>> = {
  contactSync: 'integrations.feature.contactSync',
  twoWay: 'integrations.feature.twoWay',
  fieldMapping: 'integrations.feature.fieldMapping',
  optOuts: 'integrations.feature.optOuts',
  webhooks: 'integrations.feature.webhooks',
  audienceSync: 'integrations.feature.audienceSync',
  unsubscribes: 'integrations.feature.unsubscribes',
  customerSync: 'integrations.feature.customerSync',
  orders: 'integrations.feature.orders',
  checkouts: 'integrations.feature.checkouts',
  campaignEvents: 'integrations.feature.campaignEvents',
  taggedLinks: 'integrations.feature.taggedLinks',
  inviteeSync: 'integrations.feature.inviteeSync',
  bookings: 'integrations.feature.bookings',
  reminders: 'integrations.feature.reminders',
  newChats: 'integrations.feature.newChats',
  handoffs: 'integrations.feature.handoffs',
  campaignReports: 'integrations.feature.campaignReports',
  catchHooks: 'integrations.feature.catchHooks',
  events: 'integrations.feature.events',
  actions: 'integrations.feature.actions',
};
const fields: Readonly<Record<string, MessageKey>> = {
  accessToken: 'integrations.field.accessToken',
  appSecret: 'integrations.field.appSecret',
  webhookUrl: 'integrations.field.webhookUrl',
  apiKey: 'integrations.field.apiKey',
};

export const descriptionOf = ({ kind }: Pick<Integration, 'kind'>): string =>
  t(descriptions[kind] ?? 'integrations.description.other');
export const hintOf = ({ kind }: Pick<Integration, 'kind'>): string | undefined => {
  const key = hints[kind];
  return key === undefined ? undefined : t(key);
};
export function featureText(feature: string): string {
  const key = features[feature];
  return key === undefined ? feature : t(key);
}
export function fieldText({ label, name, isOptional }: Integration['fields'][number]): string {
  const key = fields[label];
  const text = key === undefined ? name : t(key);
  return isOptional ? `${text} (${t('integrations.optional')})` : text;
}

/** What is wrong, in words with the next step; the service's own words behind them. */
export function problemText(problem: ConnectorProblem, detail: string | null): string {
  const text = t(`integrations.problem.${problem}`);
  return detail ? `${text} (${detail})` : text;
}

export const integrationErrorMessage = errorMessageOf({
  integration_refused: ({ word, reason }) => {
    const detail = typeof reason === 'string' && reason !== '' ? reason : null;
    return typeof word === 'string' && word !== ''
      ? problemText(word as ConnectorProblem, detail) // the server sends one of them
      : t('integrations.problem.service_rejected');
  },
  integration_changed: 'integrations.error.changed',
  integration_syncing: 'integrations.error.syncing',
  integration_not_connected: 'integrations.error.notConnected',
  integration_preview_missing: 'integrations.error.previewMissing',
  integration_mapping_invalid: 'integrations.error.mapping',
});
