import type { Credentials } from '@app/domain/channels/channel-credentials';
import type { Connector, ConnectorCall, ConnectorKind } from '@app/domain/integrations/connector-kind';
import { recordOf, textOf } from '../calls/json-values.ts';
import { createShopifyAsk } from './shopify-ask.ts';
import { createShopifyCustomers } from './shopify-customers.ts';
import { createShopifyItems, readDelivery } from './shopify-items.ts';
import { OPT_IN_AT_FIELD, OPT_IN_SOURCE_FIELD, OPT_OUT_FIELD } from './shopify-fields.ts';
import { subscribeTopics, unsubscribeTopics } from './shopify-subscriptions.ts';
import { readShopifyBody, shopifyWebhooks } from './shopify-webhooks.ts';

/** Credentials with which the stand-in of the sandbox opens. */
const SANDBOX = {
  ...{ shop: 'sandbox-shop', clientId: 'sandbox-shopify-client', clientSecret: 'sandbox-shopify-secret' },
};

/** `sandboxUrl` is the address of the sandbox of this installation, if it has one. */
export function shopifyConnector({ sandboxUrl }: { sandboxUrl: string | undefined }): ConnectorKind {
  return {
    name: 'shopify',
    title: 'Shopify',
    category: 'ecommerce',
    type: 'ecommerce',
    features: ['customerSync', 'orders', 'checkouts', 'twoWay', 'optOuts', 'fieldMapping', 'webhooks'],
    // A standard shop restores 100 points a second; a page of customers costs some 15, a change 10.
    limit: { perSecond: 8, atOnce: 4 },
    credentials: {
      version: 1,
      fields: [
        { name: 'shop', label: 'shop', isSecret: false, format: 'text' },
        { name: 'clientId', label: 'clientId', isSecret: false, format: 'text', isOptional: true },
        { name: 'clientSecret', label: 'clientSecret', isSecret: true, format: 'text' },
        {
          ...{ name: 'accessToken', label: 'shopToken', isSecret: true, format: 'text' as const },
          ...{ isOptional: true as const, isAdvanced: true as const },
        },
      ],
    },
    setupUrl: () => 'https://dev.shopify.com/dashboard/',
    ...(sandboxUrl !== undefined && { sandbox: SANDBOX }),
    contacts: {
      mapping: [
        { ours: 'name', theirs: 'name', direction: 'both', wins: 'newest' },
        { ours: 'phone', theirs: 'phone', direction: 'both', wins: 'newest' },
        { ours: 'email', theirs: 'email', direction: 'both', wins: 'newest' },
        { ours: 'language', theirs: 'locale', direction: 'in', wins: 'ours' },
        { ours: 'opt_out', theirs: OPT_OUT_FIELD, direction: 'both', wins: 'newest' },
      ],
      optOutField: OPT_OUT_FIELD,
      optIn: { at: OPT_IN_AT_FIELD, source: OPT_IN_SOURCE_FIELD },
    },
    webhooks: {
      ...shopifyWebhooks,
      subscribesItself: true,
      readItems(body) {
        const item = readDelivery(readShopifyBody(body) ?? {});
        return item ? [item] : [];
      },
    },
    open: (credentials, { call }) => openShop(credentials, call, sandboxUrl),
  };
}

function openShop(
  { shop = '', clientId = '', clientSecret = '', accessToken = '' }: Credentials,
  call: ConnectorCall,
  sandboxUrl: string | undefined,
): Connector {
  const name = readShopName(shop);
  const isSandbox = sandboxUrl !== undefined && clientId === SANDBOX.clientId;
  const origin = isSandbox ? `${sandboxUrl}/shopify` : `https://${name ?? 'unknown'}.myshopify.com`;
  const ask = createShopifyAsk(call, { origin, clientId, clientSecret, accessToken });
  return {
    async check() {
      if (name === null)
        return { state: 'unhealthy', problem: 'account_unknown', detail: shop.slice(0, 100) };
      // Customers are asked for, too: an app may open the shop and see none of them.
      const reply = await ask('query Shop { shop { id name } customers(first: 1) { nodes { id } } }');
      if (!reply.ok) {
        const { problem, detail } = reply;
        const isOfToken = accessToken !== '' && /^(credentials|permission)/.test(problem);
        return { state: 'unhealthy', problem, detail, ...(isOfToken && { field: 'accessToken' }) };
      }
      const { name: title } = recordOf(reply.value.data['shop']);
      if (textOf(title) === null) return { state: 'unhealthy', problem: 'response_unreadable', detail: null };
      return { state: 'healthy', account: `${textOf(title)} · ${name}` };
    },
    async subscribe(url) {
      if (isSandbox || url.startsWith('https:')) await subscribeTopics(ask, url);
    },
    async revoke(url) {
      await unsubscribeTopics(ask, url);
    },
    contacts: createShopifyCustomers(ask),
    items: createShopifyItems(ask),
  };
}

/** `acme` of what people paste: the name, the address of the shop, or that of its admin. Null for what is none. */
export function readShopName(written: string): string | null {
  const text = written
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '');
  const name = /^admin\.shopify\.com\/store\/([^/?#]+)/.exec(text)?.[1] ?? text.replace(/[/?#].*$/, '');
  const shop = name.replace(/\.myshopify\.com$/, '');
  return /^[a-z0-9][a-z0-9-]{0,59}$/.test(shop) ? shop : null;
}
