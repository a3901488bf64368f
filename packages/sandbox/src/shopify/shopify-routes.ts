import type { Hono } from 'hono';
import { listOf, objectOf, parseJson, textOf, type JsonObject } from '../core/json.ts';
import { vendorRoutes } from '../core/vendor-routes.ts';
import {
  isoOf,
  recoveryUrl,
  SHOPIFY_CLIENT,
  SHOPIFY_SECRET,
  ShopifyUserError,
  type ShopifyAccount,
  type ShopifyCheckout,
  type ShopifyCustomer,
  type ShopifyOrder,
} from './shopify-account.ts';

const COST = { maximumAvailable: 2000, restoreRate: 100 };

/** The vendor's Admin API under `/shopify`: the token, and the GraphQL fields that this product and its tests ask for. */
export function shopifyRoutes(account: ShopifyAccount): Hono {
  const app = vendorRoutes(account, {
    // Above its limit the shop answers 200 with an error.
    limit: (c, retryAfter) =>
      c.req.path.endsWith('/oauth/access_token')
        ? c.json({ errors: 'Exceeded' }, 429, { 'retry-after': String(retryAfter ?? 2) })
        : c.json({
            errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }],
            extensions: {
              cost: {
                requestedQueryCost: (retryAfter ?? 1) * 100,
                throttleStatus: { ...COST, currentlyAvailable: 0 },
              },
            },
          }),
    unavailable: (c) => c.json({ errors: 'Service Unavailable' }, 503),
  });
  app.post('/admin/oauth/access_token', async (c) => {
    const form = new URLSearchParams(await c.req.text());
    const isKnown =
      form.get('grant_type') === 'client_credentials' &&
      form.get('client_id') === SHOPIFY_CLIENT &&
      form.get('client_secret') === SHOPIFY_SECRET;
    if (!isKnown || account.behaviour.isRevoked)
      return c.json(
        { error: 'invalid_client', error_description: 'The client credentials are invalid.' },
        400,
      );
    const scope = 'read_customers,write_customers,read_orders';
    return c.json({ access_token: account.giveToken(), scope, expires_in: 86_399 });
  });
  app.post('/admin/api/:version/graphql.json', async (c) => {
    if (!/^\d{4}-\d\d$/.test(c.req.param('version'))) return c.json({ errors: 'Not Found' }, 404);
    if (!account.isOpenTo(c.req.header('x-shopify-access-token') ?? ''))
      return c.json(
        { errors: '[API] Invalid API key or access token (unrecognized login or wrong password)' },
        401,
      );
    const body = objectOf(parseJson(await c.req.text()));
    const query = textOf(body['query']) ?? '';
    const answer = answerFields(account, query, objectOf(body['variables']));
    const extensions = {
      cost: {
        ...{ requestedQueryCost: 14, actualQueryCost: 6 },
        throttleStatus: { ...COST, currentlyAvailable: 1994 },
      },
    };
    return c.json({ ...answer, extensions });
  });
  return app;
}

const rootFields = [
  ...['shop', 'customers', 'customer', 'nodes', 'orders', 'abandonedCheckouts', 'webhookSubscriptions'],
  ...['customerCreate', 'customerUpdate', 'customerSmsMarketingConsentUpdate', 'webhookSubscriptionCreate'],
  'webhookSubscriptionDelete',
] as const;

/** Each field at the first level of the query, by its name. */
function answerFields(account: ShopifyAccount, query: string, variables: JsonObject): JsonObject {
  const wanted = firstLevel(query);
  const unknown = wanted.find((name) => !(rootFields as readonly string[]).includes(name));
  if (wanted.length === 0 || unknown !== undefined)
    return {
      errors: [
        {
          message: `Field '${unknown ?? ''}' doesn't exist on type 'QueryRoot'`,
          extensions: { code: 'undefinedField' },
        },
      ],
    };
  if (account.behaviour.hidesPeople && wanted.some((name) => name.startsWith('customer')))
    return {
      data: null,
      errors: [
        {
          message: 'This app is not approved to access the Customer object.',
          extensions: { code: 'ACCESS_DENIED' },
        },
      ],
    };
  const data: JsonObject = {};
  for (const name of wanted) data[name] = answerField(account, name, query, variables);
  return { data };
}

/** Names of the fields at the first level: what stands in one pair of braces and one alone. */
function firstLevel(query: string): string[] {
  const body = query.slice(query.indexOf('{') + 1).replaceAll(/\([^()]*\)/g, '');
  const names: string[] = [];
  let depth = 1;
  for (const [token] of body.matchAll(/[{}]|[A-Za-z_]\w*/g)) {
    if (token === '{') depth += 1;
    else if (token === '}') depth -= 1;
    else if (depth === 1) names.push(token);
  }
  return names;
}

function answerField(account: ShopifyAccount, name: string, query: string, variables: JsonObject): unknown {
  const input = objectOf(variables['input']);
  switch (name) {
    case 'shop':
      return { id: 'gid://shopify/Shop/4242', name: 'Barro & Sal' };
    case 'customers':
      return page([...account.customers.values()], variables, query, {
        describe: (one) => describeCustomer(account, one),
        fits: (one, term, value) =>
          term === 'phone'
            ? one.phone.replaceAll(/\D/g, '') === value.replaceAll(/\D/g, '')
            : term === 'email' && one.email.toLowerCase() === value.toLowerCase(),
      });
    case 'customer': {
      const one = account.customers.get(textOf(variables['id']) ?? '');
      return one ? describeCustomer(account, one) : null;
    }
    case 'nodes':
      return listOf(variables['ids']).map((id) => {
        const one = account.customers.get(textOf(id) ?? '');
        return one ? describeCustomer(account, one) : null;
      });
    case 'orders':
      return page([...account.orders.values()], variables, query, {
        describe: (one) => describeOrder(account, one),
      });
    case 'abandonedCheckouts':
      return page([...account.checkouts.values()], variables, query, {
        describe: (one) => describeCheckout(account, one),
      });
    case 'webhookSubscriptions':
      return {
        nodes: [...account.subscriptions.values()],
        pageInfo: { hasNextPage: false, endCursor: null },
      };
    case 'webhookSubscriptionCreate': {
      const [topic, uri] = [
        textOf(variables['topic']) ?? '',
        textOf(objectOf(variables['webhookSubscription'])['uri']) ?? '',
      ];
      const known = [...account.subscriptions.values()].some((one) => one.topic === topic && one.uri === uri);
      if (known) return refused('uri', 'Address for this topic has already been taken');
      const made = { id: `gid://shopify/WebhookSubscription/${account.nextSubscription++}`, topic, uri };
      account.subscriptions.set(made.id, made);
      return { webhookSubscription: made, userErrors: [] };
    }
    case 'webhookSubscriptionDelete': {
      const id = textOf(variables['id']) ?? '';
      if (!account.subscriptions.delete(id)) return refused('id', 'Webhook subscription does not exist');
      return { deletedWebhookSubscriptionId: id, userErrors: [] };
    }
    case 'customerCreate':
      return tried(() => ({
        customer: describeCustomer(account, account.create(valuesOf(input))),
        userErrors: [],
      }));
    case 'customerUpdate': {
      const known = account.customers.get(textOf(input['id']) ?? '');
      if (!known) return refused('id', 'Customer does not exist');
      return tried(() => ({
        customer: describeCustomer(account, account.update(known, valuesOf(input))),
        userErrors: [],
      }));
    }
    default: {
      const known = account.customers.get(textOf(input['customerId']) ?? '');
      if (!known) return refused('customerId', 'Customer does not exist');
      if (known.phone === '') return refused('phone', 'A phone number is required to set the SMS consent');
      const { marketingState } = objectOf(input['smsMarketingConsent']);
      account.update(known, { smsState: textOf(marketingState) ?? '' });
      return { customer: describeCustomer(account, known), userErrors: [] };
    }
  }
}

type Stored = { id: string; updatedAt: number };

/** Pages by the time of the last change; `q` holds `updated_at:>='…'`, or alternatives of terms. */
function page<One extends Stored>(
  all: readonly One[],
  variables: JsonObject,
  query: string,
  parts: { describe: (one: One) => JsonObject; fits?: (one: One, term: string, value: string) => boolean },
): JsonObject {
  const first = Number(variables['first'] ?? /first:\s*(\d+)/.exec(query)?.[1] ?? 50);
  const q = textOf(variables['q']) ?? '';
  const since = Date.parse(/updated_at:>='([^']*)'/.exec(q)?.[1] ?? '') || 0;
  const terms = since > 0 || q === '' ? [] : q.split(' OR ').map((term) => /^(\w+):'?(.*?)'?$/.exec(term));
  const after = textOf(variables['after']);
  const from = after === undefined ? null : Buffer.from(after, 'base64url').toString();
  const keyOf = ({ updatedAt, id }: Stored) => `${String(updatedAt).padStart(15, '0')} ${id}`;
  const found = all
    .filter((one) => one.updatedAt >= since)
    .filter(
      (one) =>
        terms.length === 0 ||
        terms.some((term) => term !== null && parts.fits?.(one, term[1] ?? '', term[2] ?? '') === true),
    )
    .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
    .filter((one) => from === null || keyOf(one) > from);
  const shown = found.slice(0, Math.min(first, 250));
  const last = shown.at(-1);
  return {
    nodes: shown.map(parts.describe),
    pageInfo: {
      hasNextPage: found.length > shown.length,
      endCursor: last ? Buffer.from(keyOf(last)).toString('base64url') : null,
    },
  };
}

function describeCustomer(account: ShopifyAccount, one: ShopifyCustomer): JsonObject {
  const orders = [...account.orders.values()].filter(({ customerId }) => customerId === one.id);
  const spent = orders.reduce((sum, { total }) => sum + Number(total), 0).toFixed(2);
  return {
    ...{ id: one.id, firstName: one.firstName || null, lastName: one.lastName || null, state: 'ENABLED' },
    ...{ updatedAt: isoOf(one.updatedAt), numberOfOrders: String(orders.length), locale: one.locale },
    ...{ note: one.note || null, tags: one.tags, amountSpent: { amount: spent, currencyCode: 'EUR' } },
    defaultAddress: { city: one.city || null, countryCodeV2: one.country || null, phone: null },
    defaultEmailAddress: one.email ? { emailAddress: one.email, marketingState: 'NOT_SUBSCRIBED' } : null,
    defaultPhoneNumber: one.phone
      ? {
          ...{ phoneNumber: one.phone, marketingState: one.smsState, marketingCollectedFrom: one.smsSource },
          marketingUpdatedAt: one.smsAt === null ? null : isoOf(one.smsAt),
        }
      : null,
  };
}

function describeOrder(account: ShopifyAccount, one: ShopifyOrder): JsonObject {
  const customer = account.customers.get(one.customerId ?? '');
  return {
    ...{ id: one.id, name: `#${one.number}`, email: customer?.email ?? null, phone: customer?.phone || null },
    ...{
      createdAt: isoOf(one.createdAt),
      updatedAt: isoOf(one.updatedAt),
      checkoutToken: one.checkoutToken || null,
    },
    cancelledAt: one.cancelledAt === null ? null : isoOf(one.cancelledAt),
    ...{ displayFinancialStatus: one.financialStatus, displayFulfillmentStatus: one.fulfillmentStatus },
    statusPageUrl: `https://sandbox-shop.myshopify.com/orders/${one.number}`,
    currentTotalPriceSet: { shopMoney: { amount: one.total, currencyCode: 'EUR' } },
    customer: customer ? describeCustomer(account, customer) : null,
    shippingAddress: customer ? { phone: customer.phone || null } : null,
    lineItems: { nodes: one.lines.map(({ title, quantity }) => ({ title, quantity })) },
  };
}

function describeCheckout(account: ShopifyAccount, one: ShopifyCheckout): JsonObject {
  const customer = account.customers.get(one.customerId ?? '');
  return {
    ...{ id: one.id, abandonedCheckoutUrl: recoveryUrl(one), createdAt: isoOf(one.createdAt) },
    ...{
      updatedAt: isoOf(one.updatedAt),
      completedAt: one.completedAt === null ? null : isoOf(one.completedAt),
    },
    totalPriceSet: { shopMoney: { amount: one.total, currencyCode: 'EUR' } },
    customer: customer ? describeCustomer(account, customer) : null,
    lineItems: { nodes: one.lines.map(({ title, quantity }) => ({ title, quantity })) },
  };
}

function valuesOf(input: JsonObject): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(input))
    if (name === 'tags') values['tags'] = listOf(value).join(',');
    else if (name !== 'id') values[name] = textOf(value) ?? '';
  return values;
}

function tried(work: () => JsonObject): JsonObject {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ShopifyUserError)) throw error;
    return refused(error.field, error.message);
  }
}

function refused(field: string, message: string): JsonObject {
  return { customer: null, userErrors: [{ field: [field], message }] };
}
