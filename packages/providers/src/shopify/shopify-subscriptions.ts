import { recordOf, textOf } from '../calls/json-values.ts';
import type { ShopifyAsk } from './shopify-ask.ts';

const topics = [
  ...['CUSTOMERS_CREATE', 'CUSTOMERS_UPDATE', 'CUSTOMERS_DELETE', 'CHECKOUTS_CREATE', 'CHECKOUTS_UPDATE'],
  ...['ORDERS_CREATE', 'ORDERS_PAID', 'ORDERS_FULFILLED', 'ORDERS_CANCELLED'],
] as const;

/** After eight failures the shop deletes a subscription, so what is missing is made anew. */
export async function subscribeTopics(ask: ShopifyAsk, uri: string): Promise<void> {
  const known = await ask(
    'query Subscriptions { webhookSubscriptions(first: 100) { nodes { id topic uri } } }',
  );
  if (!known.ok) return;
  const { nodes } = recordOf(known.value.data['webhookSubscriptions']);
  const has = new Set(
    (Array.isArray(nodes) ? nodes : [])
      .map(recordOf)
      .filter((one) => one['uri'] === uri)
      .map((one) => textOf(one['topic'])),
  );
  for (const topic of topics)
    if (!has.has(topic))
      await ask(
        `mutation Subscribe($topic: WebhookSubscriptionTopic!, $webhookSubscription: WebhookSubscriptionInput!) {
          webhookSubscriptionCreate(topic: $topic, webhookSubscription: $webhookSubscription) { userErrors { field message } } }`,
        { topic, webhookSubscription: { uri } },
      );
}
