import type {
  ContactConnector,
  PushedRecord,
  PushOutcome,
  RemoteRecord,
  Reply,
} from '@app/domain/integrations/contact-connector';
import { listIn, unreadable } from '../calls/expected-answer.ts';
import { pushEach } from '../calls/push-each.ts';
import { isRecord, parseJson, recordOf, textOf, type JsonRecord } from '../calls/json-values.ts';
import type { ShopifyAsk } from './shopify-ask.ts';
import { CUSTOMER, OPT_OUT_FIELD, readCustomer, shopifyFields, writeCustomer } from './shopify-fields.ts';

const PAGE = 100;
/** Each run looks back a little: an update may show in the search a moment later. */
const OVERLAP_MS = 60_000;

/** Where a pull is: `after` inside a run, `since` by the vendor's clock. */
type Place = { after: string | null; since: number; newest: number };

export function createShopifyCustomers(ask: ShopifyAsk): ContactConnector {
  return {
    listFields: async () => ({ ok: true, value: shopifyFields }),

    async pull(cursor) {
      const place = readPlace(cursor);
      const reply = await ask(
        `query Customers($first: Int!, $after: String, $q: String) {
          customers(first: $first, after: $after, query: $q, sortKey: UPDATED_AT) {
            nodes { ${CUSTOMER} } pageInfo { hasNextPage endCursor } } }`,
        {
          ...{ first: PAGE, after: place.after },
          q: place.since === 0 ? null : `updated_at:>='${new Date(place.since).toISOString()}'`,
        },
      );
      if (!reply.ok) return reply;
      const { customers } = reply.value.data;
      const nodes = listIn(customers, 'nodes');
      if (!nodes.ok) return nodes;
      const { pageInfo } = recordOf(customers);
      const records = readCustomers(nodes.value, reply.value.clockAheadMs);
      const newest = Math.max(place.newest, ...records.map(({ updatedAt }) => updatedAt.getTime()));
      const { hasNextPage, endCursor } = recordOf(pageInfo);
      const after = hasNextPage === true ? textOf(endCursor) : null;
      const next: Place =
        after === null
          ? { after: null, since: Math.max(place.since, newest - OVERLAP_MS, 0), newest: 0 }
          : { ...place, after, newest };
      return { ok: true, value: { records, cursor: JSON.stringify(next), isLast: after === null } };
    },

    async fetch(ids) {
      const reply = await ask(
        `query CustomerNodes($ids: [ID!]!) { nodes(ids: $ids) { ... on Customer { ${CUSTOMER} } } }`,
        { ids },
      );
      if (!reply.ok) return reply;
      const nodes = listIn(reply.value.data, 'nodes');
      return nodes.ok ? { ok: true, value: readCustomers(nodes.value, reply.value.clockAheadMs) } : nodes;
    },

    async find({ phones, emails }) {
      const records = new Map<string, RemoteRecord>();
      const terms = [
        ...phones.map((phone) => `phone:${quote(phone)}`),
        ...emails.map((email) => `email:${quote(email)}`),
      ];
      // A query may be so long; the shop answers some at a time.
      for (let from = 0; from < terms.length; from += 25) {
        const reply = await ask(
          `query CustomersFound($q: String) { customers(first: 250, query: $q) { nodes { ${CUSTOMER} } } }`,
          { q: terms.slice(from, from + 25).join(' OR ') },
        );
        if (!reply.ok) return reply;
        const nodes = listIn(reply.value.data['customers'], 'nodes');
        if (!nodes.ok) return nodes;
        for (const record of readCustomers(nodes.value, reply.value.clockAheadMs))
          records.set(record.id, record);
      }
      return { ok: true, value: [...records.values()] };
    },

    push: (records) => pushEach(records, (record) => pushOne(ask, record)),
  };
}

async function pushOne(ask: ShopifyAsk, { externalId, values }: PushedRecord): Promise<Reply<PushOutcome>> {
  const input = writeCustomer(values);
  let id = externalId;
  if (id === null) {
    const made = await write(ask, 'customerCreate', input);
    if (!made.ok) return made;
    // A number and an address are of one customer alone, so that an attempt whose answer was lost is found again.
    const found = made.value.id === null ? await findTaken(ask, values) : null;
    if (found && !found.ok) return found;
    id = made.value.id ?? found?.value ?? null;
    if (id === null) return { ok: true, value: { ok: false, detail: made.value.detail ?? 'rejected' } };
    if (made.value.id === null) externalId = id;
  }
  if (externalId !== null && Object.keys(input).length > 0) {
    const changed = await write(ask, 'customerUpdate', { id, ...input });
    if (!changed.ok) return changed;
    if (changed.value.id === null)
      return { ok: true, value: { ok: false, detail: changed.value.detail ?? 'rejected' } };
  }
  if (values[OPT_OUT_FIELD] === 'true') {
    const said = await unsubscribe(ask, id);
    if (!said.ok) return said;
    if (said.value !== null) return { ok: true, value: { ok: false, detail: said.value } };
  }
  return { ok: true, value: { ok: true, externalId: id } };
}

async function write(
  ask: ShopifyAsk,
  name: 'customerCreate' | 'customerUpdate',
  input: object,
): Promise<Reply<{ id: string | null; detail: string | null }>> {
  const reply = await ask(
    `mutation Write($input: CustomerInput!) { ${name}(input: $input) { customer { id } userErrors { field message } } }`,
    { input },
    name === 'customerUpdate',
  );
  if (!reply.ok) return refusedAlone(reply);
  const written = reply.value.data[name];
  if (!isRecord(written)) return unreadable;
  const { customer, userErrors } = written;
  const detail = detailOf(userErrors);
  return { ok: true, value: { id: detail === null ? textOf(recordOf(customer)['id']) : null, detail } };
}

/** What the shop refuses of one customer is an error of that one. */
function refusedAlone(
  reply: Extract<Reply<never>, { ok: false }>,
): Reply<{ id: string | null; detail: string | null }> {
  return reply.problem === 'service_rejected'
    ? { ok: true, value: { id: null, detail: reply.detail ?? 'rejected' } }
    : reply;
}

async function findTaken(
  ask: ShopifyAsk,
  { phone, email }: Readonly<Record<string, string | null>>,
): Promise<Reply<string | null>> {
  const [term] = [phone && `phone:${quote(phone)}`, email && `email:${quote(email)}`].filter(Boolean);
  if (!term) return { ok: true, value: null };
  const reply = await ask(`query Taken($q: String) { customers(first: 2, query: $q) { nodes { id } } }`, {
    q: term,
  });
  if (!reply.ok) return reply;
  const nodes = listIn(reply.value.data['customers'], 'nodes');
  if (!nodes.ok) return nodes;
  const ids = nodes.value.flatMap((node) => textOf(recordOf(node)['id']) ?? []);
  return { ok: true, value: ids.length === 1 ? ids[0]! : null };
}

/** Answers with what the shop says against it. */
async function unsubscribe(ask: ShopifyAsk, customerId: string): Promise<Reply<string | null>> {
  const name = 'customerSmsMarketingConsentUpdate';
  const reply = await ask(
    `mutation Unsubscribe($input: CustomerSmsMarketingConsentUpdateInput!) { ${name}(input: $input) { userErrors { field message } } }`,
    { input: { customerId, smsMarketingConsent: { marketingState: 'UNSUBSCRIBED' } } },
  );
  if (!reply.ok) return reply;
  const said = reply.value.data[name];
  return isRecord(said) ? { ok: true, value: detailOf(said['userErrors']) } : unreadable;
}

function detailOf(userErrors: unknown): string | null {
  if (!Array.isArray(userErrors) || userErrors.length === 0) return null;
  return (textOf((recordOf(userErrors[0]) as JsonRecord)['message']) ?? 'rejected').slice(0, 300);
}

function readCustomers(nodes: readonly unknown[], clockAheadMs: number): RemoteRecord[] {
  return nodes.flatMap((node) => readCustomer(node, clockAheadMs) ?? []);
}

function readPlace(cursor: string | null): Place {
  const start: Place = { after: null, since: 0, newest: 0 };
  const read = cursor === null ? undefined : parseJson(cursor);
  // Written above.
  return isRecord(read) ? { ...start, ...(read as Partial<Place>) } : start;
}

const quote = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
