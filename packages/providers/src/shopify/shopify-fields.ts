import { joinName, splitName } from '@app/domain/integrations/split-name';
import type { RemoteField, RemoteRecord } from '@app/domain/integrations/contact-connector';
import { recordOf, textOf, textsOf } from '../calls/json-values.ts';
import { endOfSecond, withinSecond } from '../calls/within-second.ts';

/** What is asked of each customer. */
export const CUSTOMER = `id firstName lastName updatedAt numberOfOrders locale note tags
  amountSpent { amount currencyCode } defaultAddress { city countryCodeV2 phone }
  defaultEmailAddress { emailAddress }
  defaultPhoneNumber { phoneNumber marketingState marketingCollectedFrom marketingUpdatedAt }`;

/** `true` where the customer unsubscribed from text messages of the shop. */
export const OPT_OUT_FIELD = 'smsOptOut';
export const OPT_IN_AT_FIELD = 'smsOptInAt';
export const OPT_IN_SOURCE_FIELD = 'smsOptInSource';

export const shopifyFields: readonly RemoteField[] = [
  field('name', 'First name + last name'),
  field('phone', 'Phone'),
  field('email', 'Email'),
  field('note', 'Note'),
  field('tags', 'Tags'),
  field('locale', 'Language', true),
  field('city', 'City', true),
  field('country', 'Country', true),
  field('orders', 'Number of orders', true),
  field('spent', 'Amount spent', true),
  field(OPT_OUT_FIELD, 'SMS unsubscribed'),
];

function field(name: string, label: string, isReadOnly = false): RemoteField {
  return { name, label, isReadOnly };
}

/** A customer of the shop as a record; null for what has no id. */
export function readCustomer(raw: unknown, clockAheadMs: number): RemoteRecord | null {
  const customer = recordOf(raw);
  const id = textOf(customer['id']);
  if (id === null) return null;
  const address = recordOf(customer['defaultAddress']);
  const phone = recordOf(customer['defaultPhoneNumber']);
  const second = new Date(textOf(customer['updatedAt']) ?? 0);
  const state = phone['marketingState'];
  const isIn = state === 'SUBSCRIBED';
  const orders = customer['numberOfOrders'];
  const values = {
    name: joinName(textOf(customer['firstName']), textOf(customer['lastName'])),
    phone: textOf(phone['phoneNumber']) ?? textOf(address['phone']),
    email: textOf(recordOf(customer['defaultEmailAddress'])['emailAddress']),
    note: textOf(customer['note']),
    tags: textsOf(customer['tags']).join(', ') || null,
    locale: textOf(customer['locale']),
    city: textOf(address['city']),
    country: textOf(address['countryCodeV2']),
    orders: typeof orders === 'number' ? String(orders) : textOf(orders),
    spent: textOf(recordOf(customer['amountSpent'])['amount']),
    [OPT_OUT_FIELD]: state === 'UNSUBSCRIBED' ? 'true' : null,
    [OPT_IN_AT_FIELD]: isIn ? textOf(phone['marketingUpdatedAt']) : null,
    [OPT_IN_SOURCE_FIELD]: isIn ? textOf(phone['marketingCollectedFrom']) : null,
  };
  return {
    ...{ id, values, isDeleted: false },
    ...{ updatedAt: withinSecond(second, values), editedAt: endOfSecond(second, clockAheadMs) },
  };
}

/** The part of a write that is a `CustomerInput`. An empty text takes a value away. */
export function writeCustomer(values: Readonly<Record<string, string | null>>): Record<string, unknown> {
  const written: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values))
    if (name === 'name') {
      const { first, last } = splitName(value ?? '');
      Object.assign(written, { firstName: first, lastName: last });
    } else if (name === 'tags')
      written['tags'] = (value ?? '')
        .split(',')
        .map((tag) => tag.trim())
        .filter(Boolean);
    else if (['phone', 'email', 'note'].includes(name)) written[name] = value ?? '';
  return written;
}
