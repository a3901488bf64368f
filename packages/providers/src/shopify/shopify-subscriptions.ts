import { recordOf, textOf } from '../calls/json-values.ts';
import type { ShopifyAsk } from './shopify-ask.ts';

const topics = [
  ...['CUSTOMERS_CREATE', 'CUSTOMERS_UPDATE', 'CUSTOMERS_DELETE', 'CHECKOUTS_CREATE', 'CHECKOUTS_UPDATE'],
  ...['ORDERS_CREATE', 'ORDERS_PAID', 'ORDERS_FULFILLED', 'ORDERS_CANCELLED'],
] as const;

/** After eight failures the shop deletes a subscription, so what is missing is made anew. */
export async function subscribeTopics(ask: ShopifyAsk, uri: string): Promise<void> {
  const known = await listSubscriptions(ask, uri);
  if (!known) return;
  const has = new Set(known.map(({ topic }) => topic));
  for (const topic of topics)
    if (!has.has(topic))
      await ask(
        `mutation Subscribe($topic: WebhookSubscriptionTopic!, $webhookSubscription: WebhookSubscriptionInput!) {
          webhookSubscriptionCreate(topic: $topic, webhookSubscription: $webhookSubscription) { userErrors { field message } } }`,
        { topic, webhookSubscription: { uri } },
      );
}

/** Takes this address out of every topic. */
export async function unsubscribeTopics(ask: ShopifyAsk, uri: string): Promise<void> {
  const known = (await listSubscriptions(ask, uri)) ?? [];
  await Promise.all(
    known.map(({ id }) =>
      ask(
        `mutation Unsubscribe($id: ID!) {
          webhookSubscriptionDelete(id: $id) { deletedWebhookSubscriptionId userErrors { field message } } }`,
        { id },
      ),
    ),
  );
}

/** Those of this address; null for an answer that cannot be read. */
async function listSubscriptions(ask: ShopifyAsk, uri: string) {
  const known = await ask(
    'query Subscriptions { webhookSubscriptions(first: 100) { nodes { id topic uri } } }',
  );
  if (!known.ok) return null;
  const { nodes } = recordOf(known.value.data['webhookSubscriptions']);
  return (Array.isArray(nodes) ? nodes : [])
    .map(recordOf)
    .filter((one) => one['uri'] === uri)
    .map((one) => ({ id: textOf(one['id']), topic: textOf(one['topic']) }));
}
