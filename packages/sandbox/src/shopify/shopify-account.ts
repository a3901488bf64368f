import { createHmac, randomUUID } from 'node:crypto';
import type { MadePerson } from '../core/made-people.ts';
import { VendorAccount, type ShownRecord, type VendorBehaviour } from '../core/vendor-account.ts';
import { sampleCustomers, sampleProducts } from './sample-shop.ts';

export const SHOPIFY_CLIENT = 'sandbox-shopify-client';
export const SHOPIFY_SECRET = 'sandbox-shopify-secret';
export const SHOPIFY_DOMAIN = 'sandbox-shop.myshopify.com';

export interface ShopifyCustomer {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  city: string;
  country: string;
  locale: string;
  note: string;
  tags: string[];
  smsState: 'NOT_SUBSCRIBED' | 'SUBSCRIBED' | 'UNSUBSCRIBED';
  smsSource: string;
  smsAt: number | null;
  updatedAt: number;
}

export interface ShopifyOrder {
  id: string;
  number: number;
  customerId: string | null;
  checkoutToken: string;
  financialStatus: 'PENDING' | 'PAID' | 'REFUNDED';
  fulfillmentStatus: 'UNFULFILLED' | 'FULFILLED';
  total: string;
  lines: { title: string; quantity: number; price: string }[];
  createdAt: number;
  updatedAt: number;
  cancelledAt: number | null;
}

export interface ShopifyCheckout {
  id: string;
  token: string;
  customerId: string | null;
  total: string;
  lines: { title: string; quantity: number; price: string }[];
  createdAt: number;
  updatedAt: number;
  completedAt: number | null;
}

export interface ShopifyBehaviour extends VendorBehaviour {
  /** Tokens that were given so far are refused; a new one is given. */
  tokensBefore: number;
  /** The app may not see people: numbers and addresses are refused. */
  hidesPeople: boolean;
}

/** An error of one value, as `userErrors` tell it. */
export class ShopifyUserError extends Error {
  readonly field: string;
  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** Times of the vendor are whole seconds. */
export const isoOf = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');

/** Above 2^53, as the ids of the vendor may be. */
const FIRST_ID = 9_100_000_000_000_001n;

/** One shop: customers, orders, checkouts, and who is told of them. */
export class ShopifyAccount extends VendorAccount<ShopifyBehaviour> {
  readonly customers = new Map<string, ShopifyCustomer>();
  readonly orders = new Map<string, ShopifyOrder>();
  readonly checkouts = new Map<string, ShopifyCheckout>();
  readonly subscriptions = new Map<string, { id: string; topic: string; uri: string }>();
  readonly tokens = new Map<string, number>();
  #nextId = FIRST_ID;
  nextSubscription = 1;
  #nextOrder = 1001;

  constructor() {
    super({ tokensBefore: 0, hidesPeople: false });
    this.reset();
  }

  override reset(): void {
    super.reset();
    for (const one of [this.customers, this.orders, this.checkouts, this.subscriptions, this.tokens])
      one.clear();
    this.#nextId = FIRST_ID;
    this.#nextOrder = 1001;
    for (const values of sampleCustomers) this.putRecord(null, values);
    const [first, second] = [...this.customers.values()];
    if (first) this.order(first.id, { paid: 'true' });
    if (second) this.order(second.id, {});
  }

  giveToken(): string {
    const token = `shpat_${randomUUID().replaceAll('-', '')}`;
    this.tokens.set(token, this.now());
    return token;
  }

  isOpenTo(token: string): boolean {
    const given = this.tokens.get(token);
    return !this.behaviour.isRevoked && given !== undefined && given > this.behaviour.tokensBefore;
  }

  listRecords(): ShownRecord[] {
    return [...this.customers.values()].map((one) => show(one));
  }

  putRecord(id: string | null, values: Record<string, string>): ShownRecord {
    return show(id === null ? this.create(values) : this.update(this.customers.get(id)!, values)); // the controls looked
  }

  deleteRecord(id: string): void {
    if (this.customers.delete(id)) this.#tell('customers/delete', { id: numberOf(id) });
  }

  override personOf({ first, last, phone, email, city, country, language }: MadePerson) {
    return { firstName: first, lastName: last, phone, email, city, country, locale: language };
  }

  clearRecords(): void {
    this.customers.clear();
    this.orders.clear();
    this.checkouts.clear();
  }

  create(values: Record<string, string>): ShopifyCustomer {
    this.#check(values, null);
    const customer: ShopifyCustomer = {
      ...{
        id: `gid://shopify/Customer/${this.#nextId++}`,
        firstName: '',
        lastName: '',
        email: '',
        phone: '',
      },
      ...{ city: '', country: '', locale: 'en', note: '', tags: [], smsState: 'NOT_SUBSCRIBED' },
      ...{ smsSource: 'OTHER', smsAt: null, updatedAt: this.now() },
    };
    write(customer, values, customer.updatedAt);
    this.customers.set(customer.id, customer);
    this.#tell('customers/create', customerBody(customer));
    return customer;
  }

  update(customer: ShopifyCustomer, values: Record<string, string>): ShopifyCustomer {
    this.#check(values, customer);
    customer.updatedAt = this.now();
    write(customer, values, customer.updatedAt);
    this.#tell('customers/update', customerBody(customer));
    return customer;
  }

  findBy(name: 'phone' | 'email', value: string): ShopifyCustomer | undefined {
    const wanted = name === 'phone' ? digitsOf(value) : value.toLowerCase();
    if (wanted === '') return undefined;
    for (const one of this.customers.values())
      if (
        name === 'phone'
          ? one.phone.length <= wanted.length + 1 &&
            one.phone.endsWith(wanted) &&
            digitsOf(one.phone) === wanted
          : one.email.length === wanted.length && one.email.toLowerCase() === wanted
      )
        return one;
    return undefined;
  }

  /** `order`, `pay`, `fulfill`, `cancel`, `checkout`, `complete`: what customers and the shop do. */
  override happen(name: string, values: Record<string, string>): object {
    const customerId = values['customerId'] || null;
    if (customerId !== null && !this.customers.has(customerId))
      throw new Error(`There is no customer ${customerId}.`);
    if (name === 'order') return this.order(customerId, values);
    if (name === 'checkout') return this.checkout(customerId, values);
    const id = values['id'] ?? '';
    if (name === 'complete') {
      const checkout = this.checkouts.get(id);
      if (!checkout) throw new Error(`There is no checkout ${id}.`);
      checkout.completedAt = checkout.updatedAt = this.now();
      this.#tell('checkouts/update', this.checkoutBody(checkout));
      return this.order(checkout.customerId, { checkoutToken: checkout.token, total: checkout.total });
    }
    const order = this.orders.get(id);
    if (!order) throw new Error(`There is no order ${id}.`);
    order.updatedAt = this.now();
    if (name === 'pay') order.financialStatus = 'PAID';
    else if (name === 'fulfill') order.fulfillmentStatus = 'FULFILLED';
    else if (name === 'cancel') order.cancelledAt = order.updatedAt;
    else throw new Error(`There is no event "${name}".`);
    const topics = { pay: 'orders/paid', fulfill: 'orders/fulfilled', cancel: 'orders/cancelled' };
    this.#tell(topics[name], this.orderBody(order));
    return order;
  }

  order(customerId: string | null, values: Record<string, string>): ShopifyOrder {
    const at = this.now();
    const lines = linesOf(values, this.#nextOrder);
    const order: ShopifyOrder = {
      ...{ id: `gid://shopify/Order/${this.#nextId++}`, number: this.#nextOrder++, customerId, lines },
      checkoutToken: values['checkoutToken'] ?? '',
      ...{
        financialStatus: values['paid'] === 'true' ? 'PAID' : 'PENDING',
        fulfillmentStatus: 'UNFULFILLED',
      },
      total: values['total'] ?? totalOf(lines),
      ...{ createdAt: at, updatedAt: at, cancelledAt: null },
    };
    this.orders.set(order.id, order);
    this.#tell('orders/create', this.orderBody(order));
    return order;
  }

  checkout(customerId: string | null, values: Record<string, string>): ShopifyCheckout {
    const at = this.now();
    const lines = linesOf(values, this.#nextOrder);
    const checkout: ShopifyCheckout = {
      ...{ id: `gid://shopify/AbandonedCheckout/${this.#nextId++}`, token: randomUUID(), customerId, lines },
      ...{ total: values['total'] ?? totalOf(lines), createdAt: at, updatedAt: at, completedAt: null },
    };
    this.checkouts.set(checkout.id, checkout);
    this.#tell('checkouts/create', this.checkoutBody(checkout));
    return checkout;
  }

  orderBody(order: ShopifyOrder): object {
    const customer = this.customers.get(order.customerId ?? '');
    return {
      ...{ id: numberOf(order.id), admin_graphql_api_id: order.id, name: `#${order.number}` },
      ...{ email: customer?.email ?? '', phone: customer?.phone ?? null, created_at: isoOf(order.createdAt) },
      ...{ updated_at: isoOf(order.updatedAt), processed_at: isoOf(order.createdAt), currency: 'EUR' },
      total_price: order.total,
      cancelled_at: order.cancelledAt === null ? null : isoOf(order.cancelledAt),
      financial_status: order.financialStatus.toLowerCase(),
      fulfillment_status: order.fulfillmentStatus === 'FULFILLED' ? 'fulfilled' : null,
      order_status_url: `https://${SHOPIFY_DOMAIN}/orders/${numberOf(order.id)}`,
      checkout_token: order.checkoutToken || null,
      checkout_id: this.#checkoutIdOf(order.checkoutToken),
      customer: customer ? customerBody(customer) : null,
      shipping_address: customer ? { phone: customer.phone || null } : null,
      line_items: order.lines,
    };
  }

  checkoutBody(checkout: ShopifyCheckout): object {
    const customer = this.customers.get(checkout.customerId ?? '');
    return {
      ...{ id: numberOf(checkout.id), token: checkout.token, cart_token: checkout.token },
      ...{ email: customer?.email ?? '', phone: customer?.phone ?? null, currency: 'EUR' },
      ...{ created_at: isoOf(checkout.createdAt), updated_at: isoOf(checkout.updatedAt) },
      completed_at: checkout.completedAt === null ? null : isoOf(checkout.completedAt),
      abandoned_checkout_url: recoveryUrl(checkout),
      total_price: checkout.total,
      buyer_accepts_sms_marketing: customer?.smsState === 'SUBSCRIBED',
      customer: customer ? customerBody(customer) : null,
      line_items: checkout.lines,
    };
  }

  #checkoutIdOf(token: string): string | null {
    const checkout = [...this.checkouts.values()].find((one) => one.token === token);
    return checkout ? numberOf(checkout.id) : null;
  }

  /** Signed over the body alone; ids are written as numbers, as the vendor does. */
  #tell(topic: string, payload: object): void {
    if (this.isQuiet) return;
    const body = JSON.stringify(payload).replaceAll(/"#id:(\d+)"/g, '$1');
    const uris = [...this.subscriptions.values()]
      .filter((one) => one.topic.toLowerCase().replace('_', '/') === topic)
      .map(({ uri }) => uri);
    const { webhookUrl } = this.behaviour;
    for (const uri of new Set([...(webhookUrl === '' ? [] : [webhookUrl]), ...uris]))
      void fetch(uri, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          'x-shopify-topic': topic,
          'x-shopify-shop-domain': SHOPIFY_DOMAIN,
          'x-shopify-webhook-id': randomUUID(),
          'x-shopify-triggered-at': isoOf(Date.now()),
          'x-shopify-hmac-sha256': createHmac('sha256', SHOPIFY_SECRET).update(body).digest('base64'),
        },
      }).catch(() => undefined);
  }

  #check(values: Record<string, string>, own: ShopifyCustomer | null): void {
    const { phone, email } = values;
    if (phone && !/^\+?[\d\s().-]{7,20}$/.test(phone))
      throw new ShopifyUserError('phone', 'Phone is invalid');
    if (email && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
      throw new ShopifyUserError('email', 'Email is invalid');
    for (const name of ['phone', 'email'] as const) {
      const other = values[name] ? this.findBy(name, values[name]) : undefined;
      if (other && other !== own)
        throw new ShopifyUserError(name, `${name === 'phone' ? 'Phone' : 'Email'} has already been taken`);
    }
  }
}

export const recoveryUrl = ({ token }: ShopifyCheckout): string =>
  `https://${SHOPIFY_DOMAIN}/checkouts/${token}/recover`;

/** A sign that `#tell` replaces by the bare number, which JSON of JavaScript cannot hold. */
const numberOf = (gid: string): string => `#id:${gid.replace(/^.*\//, '')}`;
const digitsOf = (phone: string): string => phone.replaceAll(/\D/g, '');

function write(customer: ShopifyCustomer, values: Record<string, string>, at: number): void {
  for (const name of ['firstName', 'lastName', 'email', 'city', 'country', 'locale', 'note'] as const)
    if (values[name] !== undefined) customer[name] = values[name];
  if (values['phone'] !== undefined) customer.phone = values['phone'].replaceAll(/[^\d+]/g, '');
  if (values['tags'] !== undefined)
    customer.tags = values['tags']
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean);
  const state = values['smsState'];
  if (state === 'SUBSCRIBED' || state === 'UNSUBSCRIBED' || state === 'NOT_SUBSCRIBED') {
    customer.smsState = state;
    customer.smsAt = at;
    customer.smsSource = values['smsSource'] ?? 'SHOPIFY';
  }
}

function show(one: ShopifyCustomer): ShownRecord {
  const { id, firstName, lastName, email, phone, city, country, locale, note, tags, smsState } = one;
  return {
    ...{ id, isDeleted: false },
    values: {
      ...{ firstName, lastName, email, phone, city, country, locale, note, tags: tags.join(', '), smsState },
      updatedAt: isoOf(one.updatedAt),
    },
  };
}

function customerBody(one: ShopifyCustomer): object {
  return {
    ...{ id: numberOf(one.id), admin_graphql_api_id: one.id, email: one.email, phone: one.phone || null },
    ...{ first_name: one.firstName, last_name: one.lastName, updated_at: isoOf(one.updatedAt) },
    sms_marketing_consent: {
      ...{ state: one.smsState.toLowerCase(), opt_in_level: 'single_opt_in' },
      consent_updated_at: one.smsAt === null ? null : isoOf(one.smsAt),
      consent_collected_from: one.smsSource,
    },
  };
}

function linesOf({ product }: Record<string, string>, turn: number): ShopifyOrder['lines'] {
  if (product) return [{ title: product, quantity: 1, price: '24.90' }];
  return [0, 3]
    .map((step) => sampleProducts[(turn + step) % sampleProducts.length]!) // within the list
    .map(([title, price], place) => ({ title, price, quantity: place + 1 }));
}

function totalOf(lines: ShopifyOrder['lines']): string {
  return lines.reduce((sum, { price, quantity }) => sum + Number(price) * quantity, 0).toFixed(2);
}
