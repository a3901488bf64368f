import { joinName } from '@app/domain/integrations/split-name';
import type { ConnectorItem, ItemConnector } from '@app/domain/integrations/connector-items';
import { listIn } from '../calls/expected-answer.ts';
import { isRecord, numberOf, parseJson, recordOf, textOf, type JsonRecord } from '../calls/json-values.ts';
import type { ShopifyAsk } from './shopify-ask.ts';
import { gidOf } from './shopify-webhooks.ts';

const PAGE = 50;
const OVERLAP_MS = 60_000;
/** `read_orders` shows so many days (shopify.dev, order access). */
const HISTORY_MS = 60 * 86_400_000;
/** A checkout without a change for so long counts as abandoned; one day later it starts no reminder any more. */
const ABANDONED_MS = 3_600_000;
const TOO_LATE_MS = 24 * 3_600_000;
const MOST_LINES = 5;

const PERSON = `customer { id firstName lastName defaultEmailAddress { emailAddress } defaultPhoneNumber { phoneNumber } }`;
const LINES = `lineItems(first: ${MOST_LINES}) { nodes { title quantity } }`;
const ORDER = `id name email phone createdAt updatedAt processedAt cancelledAt displayFinancialStatus displayFulfillmentStatus statusPageUrl
  checkoutToken currentTotalPriceSet { shopMoney { amount currencyCode } } shippingAddress { phone } ${PERSON} ${LINES}`;
const CHECKOUT = `id abandonedCheckoutUrl createdAt updatedAt completedAt totalPriceSet { shopMoney { amount currencyCode } } ${PERSON} ${LINES}`;

type Place = { phase: 'orders' | 'checkouts'; after: string | null; since: number; newest: number };

/** Orders and then checkouts, by their last change. */
export function createShopifyItems(ask: ShopifyAsk): ItemConnector {
  return {
    async pull(cursor, now) {
      const place = readPlace(cursor, now);
      const isOrders = place.phase === 'orders';
      const field = isOrders ? 'orders' : 'abandonedCheckouts';
      const reply = await ask(
        `query Items($first: Int!, $after: String, $q: String) {
          ${field}(first: $first, after: $after, query: $q${isOrders ? ', sortKey: UPDATED_AT' : ''}) {
            nodes { ${isOrders ? ORDER : CHECKOUT} } pageInfo { hasNextPage endCursor } } }`,
        { first: PAGE, after: place.after, q: `updated_at:>='${new Date(place.since).toISOString()}'` },
      );
      if (!reply.ok) return reply;
      const nodes = listIn(reply.value.data[field], 'nodes');
      if (!nodes.ok) return nodes;
      const { pageInfo } = recordOf(reply.value.data[field]);
      const items = nodes.value.flatMap(
        (node) => (isOrders ? readOrder(recordOf(node)) : readCheckout(recordOf(node))) ?? [],
      );
      const newest = Math.max(place.newest, ...items.map(({ updatedAt }) => updatedAt.getTime()));
      const { hasNextPage, endCursor } = recordOf(pageInfo);
      const after = hasNextPage === true ? textOf(endCursor) : null;
      const next: Place =
        after !== null
          ? { ...place, after, newest }
          : isOrders
            ? { ...place, phase: 'checkouts', after: null, newest }
            : {
                ...{ phase: 'orders', after: null, newest: 0 },
                since: Math.max(place.since, newest - OVERLAP_MS),
              };
      return {
        ok: true,
        value: { items, cursor: JSON.stringify(next), isLast: after === null && !isOrders },
      };
    },
  };
}

/** An order or checkout as a webhook brings it, in the form of the older API. */
export function readDelivery(body: JsonRecord): ConnectorItem | null {
  const graphId = textOf(body['admin_graphql_api_id']);
  const person = recordOf(body['customer']);
  const lines = Array.isArray(body['line_items']) ? { nodes: body['line_items'] } : { nodes: [] };
  const common = {
    createdAt: body['created_at'],
    updatedAt: body['updated_at'],
    ...{ email: body['email'], phone: body['phone'], lineItems: lines },
    shippingAddress: body['shipping_address'],
    customer: {
      id: gidOf('Customer', person['id']),
      ...{ firstName: person['first_name'], lastName: person['last_name'] },
      defaultEmailAddress: { emailAddress: person['email'] },
      defaultPhoneNumber: { phoneNumber: person['phone'] },
    },
  };
  const money = { shopMoney: { amount: body['total_price'], currencyCode: body['currency'] } };
  if (graphId?.startsWith('gid://shopify/Order/'))
    return readOrder({
      ...{ ...common, id: graphId, name: body['name'], cancelledAt: body['cancelled_at'] },
      displayFinancialStatus: textOf(body['financial_status'])?.toUpperCase(),
      displayFulfillmentStatus: textOf(body['fulfillment_status'])?.toUpperCase(),
      ...{ statusPageUrl: body['order_status_url'], currentTotalPriceSet: money },
      checkoutId: gidOf('AbandonedCheckout', body['checkout_id']),
    });
  const id = gidOf('AbandonedCheckout', body['id']);
  if (id === null || textOf(body['abandoned_checkout_url']) === null) return null;
  return readCheckout({
    ...{ ...common, id, abandonedCheckoutUrl: body['abandoned_checkout_url'] },
    ...{ completedAt: body['completed_at'], totalPriceSet: money },
  });
}

function readOrder(order: JsonRecord): ConnectorItem | null {
  const [id, name, at, updatedAt] = [
    ...[textOf(order['id']), textOf(order['name'])],
    ...[timeOf(order['createdAt']), timeOf(order['updatedAt'])],
  ] as const;
  if (id === null || at === null || updatedAt === null) return null;
  const isCancelled = timeOf(order['cancelledAt']) !== null;
  const isPaid = ['PAID', 'PARTIALLY_REFUNDED', 'REFUNDED'].includes(
    textOf(order['displayFinancialStatus']) ?? '',
  );
  const isFulfilled = order['displayFulfillmentStatus'] === 'FULFILLED';
  const isRefunded = order['displayFinancialStatus'] === 'REFUNDED';
  const status = isCancelled
    ? 'cancelled'
    : isRefunded
      ? 'refunded'
      : isFulfilled
        ? 'fulfilled'
        : isPaid
          ? 'paid'
          : 'open';
  const total = moneyOf(order['currentTotalPriceSet']);
  const url = addressOf(order['statusPageUrl']);
  return {
    ...{ type: 'order', id, person: personOf(order), title: name ?? id, status, total, url },
    ...{ at, startsAt: null, updatedAt, due: [], completes: textOf(order['checkoutId']) },
    events: [
      'order_created',
      ...(isPaid ? ['order_paid'] : []),
      ...(isFulfilled ? ['order_fulfilled'] : []),
      ...(isCancelled ? ['order_cancelled'] : []),
    ],
    values: {
      ...{ order_name: name ?? '', order_total: total?.amount ?? '', order_currency: total?.currency ?? '' },
      ...{ order_status: status, order_url: url ?? '', order_items: linesOf(order['lineItems']) },
    },
  };
}

function readCheckout(checkout: JsonRecord): ConnectorItem | null {
  const [id, at, updatedAt] = [
    ...[textOf(checkout['id']), timeOf(checkout['createdAt']), timeOf(checkout['updatedAt'])],
  ] as const;
  if (id === null || at === null || updatedAt === null) return null;
  const isCompleted = timeOf(checkout['completedAt']) !== null;
  const total = moneyOf(checkout['totalPriceSet']);
  const url = addressOf(checkout['abandonedCheckoutUrl']);
  const lines = linesOf(checkout['lineItems']);
  // There is no event for it at the vendor: it is abandoned when nothing moves it for an hour.
  const abandonedAt = new Date(updatedAt.getTime() + ABANDONED_MS);
  const until = new Date(updatedAt.getTime() + TOO_LATE_MS);
  return {
    ...{ type: 'checkout', id, person: personOf(checkout), title: lines || id, total, url },
    ...{ status: isCompleted ? 'completed' : 'open', at, startsAt: null, updatedAt, completes: null },
    events: ['checkout_started'],
    due: isCompleted ? [] : [{ event: 'checkout_abandoned', at: abandonedAt, until }],
    values: {
      ...{ checkout_url: url ?? '', checkout_items: lines },
      ...{ checkout_total: total?.amount ?? '', checkout_currency: total?.currency ?? '' },
    },
  };
}

/** The number of the customer, else of the order, else of the address. */
function personOf(order: JsonRecord): ConnectorItem['person'] {
  const customer = recordOf(order['customer']);
  return {
    externalId: textOf(customer['id']),
    phone:
      textOf(recordOf(customer['defaultPhoneNumber'])['phoneNumber']) ??
      textOf(order['phone']) ??
      textOf(recordOf(order['shippingAddress'])['phone']),
    email: textOf(recordOf(customer['defaultEmailAddress'])['emailAddress']) ?? textOf(order['email']),
    name: joinName(textOf(customer['firstName']), textOf(customer['lastName'])),
  };
}

function linesOf(lines: unknown): string {
  const { nodes } = recordOf(lines);
  return (Array.isArray(nodes) ? nodes : [])
    .slice(0, MOST_LINES)
    .map((line) => {
      const { title, quantity } = recordOf(line);
      return `${numberOf(quantity) ?? 1} × ${textOf(title) ?? ''}`;
    })
    .join(', ')
    .slice(0, 500);
}

function moneyOf(set: unknown): { amount: string; currency: string } | null {
  const { amount, currencyCode } = recordOf(recordOf(set)['shopMoney']);
  const [text, currency] = [textOf(amount), textOf(currencyCode)];
  return text !== null && currency !== null && /^-?\d{1,15}(\.\d{1,6})?$/.test(text)
    ? { amount: text, currency }
    : null;
}

const addressOf = (url: unknown): string | null => {
  const text = textOf(url);
  return text !== null && text.startsWith('https://') && text.length <= 2_000 ? text : null;
};

function timeOf(value: unknown): Date | null {
  const at = new Date(textOf(value) ?? '');
  return Number.isNaN(at.getTime()) ? null : at;
}

function readPlace(cursor: string | null, now: Date): Place {
  const start: Place = { phase: 'orders', after: null, since: now.getTime() - HISTORY_MS, newest: 0 };
  const read = cursor === null ? undefined : parseJson(cursor);
  // Written above.
  return isRecord(read) ? { ...start, ...(read as Partial<Place>) } : start;
}
