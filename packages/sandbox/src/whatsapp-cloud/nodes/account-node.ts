import type { JsonObject } from '../../core/json.ts';
import { deliveredAnalytics, messageAnalytics, readAnalytics } from '../analytics.ts';
import type { Platform } from '../platform.ts';
import type { Account, App } from '../store.ts';
import { edgeField, type Asked, type NodeType } from './node-type.ts';
import { healthOf, numberNode, timeText } from './number-node.ts';
import { templateNode } from './template-node.ts';

const emptyEdge = () => ({ data: [] });

export const accountNode: NodeType<Account> = {
  name: 'WhatsAppBusinessAccount',
  usual: ['name', 'timezone_id', 'message_template_namespace'],
  fields: {
    id: (account) => account.id,
    account_review_status: () => 'APPROVED',
    activities: emptyEdge,
    analytics: (account, { platform, values }) =>
      messageAnalytics(platform, account, readAnalytics(values, ['HALF_HOUR', 'DAY', 'MONTH'])),
    assigned_users: emptyEdge,
    audiences: emptyEdge,
    auth_international_rate_eligibility: () => undefined,
    business_verification_status: () => 'verified',
    conversation_analytics: (account, asked) => delivered(account, asked, 'conversation'),
    country: (account) => account.country,
    creation_time: (account) => account.createdAt && Math.floor(account.createdAt / 1000),
    currency: (account) => account.currency,
    flows: emptyEdge,
    health_status: (account, { platform }) =>
      healthOf([
        ['WABA', account.id, true],
        ['BUSINESS', businessIdOf(account), true],
        ...[...account.appIds].map((id) => ['APP', id, platform.store.apps.has(id)] as const),
      ]),
    is_enabled_for_insights: (account) => account.isEnabledForInsights === true,
    is_shared_with_partners: () => false,
    linked_commerce_account: () => undefined,
    marketing_messages_lite_api_status: () => 'ONBOARDED',
    marketing_messages_onboarding_status: () => 'ONBOARDED',
    message_template_namespace: (account) => `ns_${account.id}`,
    message_templates: edgeField(templateNode, (account: Account, platform) =>
      platform.store.templatesOf(account.id),
    ),
    name: (account) => account.name,
    on_behalf_of_business_info: (account) => businessOf(account),
    owner_business: (account) => businessOf(account),
    owner_business_info: (account) => businessOf(account),
    ownership_type: () => 'SELF',
    phone_numbers: edgeField(numberNode, (account: Account, platform) =>
      platform.store.numbersOf(account.id),
    ),
    pricing_analytics: (account, asked) => delivered(account, asked, 'pricing'),
    primary_business_location: (account) => account.country,
    primary_funding_id: () => undefined,
    product_catalogs: emptyEdge,
    purchase_order_number: () => undefined,
    schedules: emptyEdge,
    solutions: emptyEdge,
    status: () => 'ACTIVE',
    subscribed_apps: (account, { platform }) => ({ data: subscribedAppsOf(platform, account) }),
    timezone_id: (account) => account.timezoneId,
    whatsapp_business_manager_messaging_limit: (account, { platform }) =>
      platform.store.numbersOf(account.id)[0]?.tier,
  },
};

export interface Business {
  id: string;
  name: string;
  accounts: Account[];
}

export const businessNode: NodeType<Business> = {
  name: 'Business',
  usual: ['name'],
  fields: {
    id: (business) => business.id,
    name: (business) => business.name,
    client_whatsapp_business_accounts: emptyEdge,
    created_time: (business) => timeText(business.accounts[0]?.createdAt),
    owned_whatsapp_business_accounts: edgeField(accountNode, (business: Business) => business.accounts),
    timezone_id: (business) => Number(business.accounts[0]?.timezoneId ?? 0),
    verification_status: () => 'verified',
  },
};

export const appNode: NodeType<App> = {
  name: 'Application',
  usual: ['name', 'link'],
  fields: {
    id: (app) => app.id,
    category: () => 'Business and pages',
    link: () => 'https://apps.example/',
    name: (app) => app.name,
    namespace: () => undefined,
  },
};

/** The portfolio that owns what an app may use: its id follows from the app's. */
export function businessIdOf(account: Account): string {
  return `8${([...account.appIds][0] ?? account.id).slice(1)}`;
}

function businessOf(account: Account): JsonObject {
  return { name: 'Sample portfolio', id: businessIdOf(account) };
}

export function findBusiness(platform: Platform, app: App, id: string): Business | undefined {
  const accounts = [...platform.store.accounts.values()].filter(
    (account) => account.appIds.has(app.id) && businessIdOf(account) === id,
  );
  return accounts.length > 0 ? { id, name: 'Sample portfolio', accounts } : undefined;
}

export function subscribedAppsOf(platform: Platform, account: Account): JsonObject[] {
  return [...account.subscribedAppIds].map((id) => ({
    whatsapp_business_api_data: {
      id,
      name: platform.store.apps.get(id)?.name ?? id,
      link: 'https://apps.example/',
    },
    ...(account.override ? { override_callback_uri: account.override.url } : {}),
  }));
}

function delivered(account: Account, asked: Asked, kind: 'conversation' | 'pricing'): JsonObject {
  const query = readAnalytics(asked.values, ['HALF_HOUR', 'DAILY', 'MONTHLY']);
  return deliveredAnalytics(asked.platform, account, query, kind);
}
