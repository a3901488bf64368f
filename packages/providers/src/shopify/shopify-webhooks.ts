import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ConnectorWebhooks } from '@app/domain/integrations/connector-kind';
import { isRecord, textOf, type JsonRecord } from '../calls/json-values.ts';
import { parseJson } from '../calls/json-values.ts';

/** Signed with the secret of the app: shopify.dev, verify webhook deliveries. */
export const shopifyWebhooks: ConnectorWebhooks = {
  isSigned({ clientSecret = '' }, { headers, body }) {
    const signature = headers.get('x-shopify-hmac-sha256');
    if (clientSecret === '' || !signature) return false;
    const expected = createHmac('sha256', clientSecret).update(body).digest();
    const given = Buffer.from(signature, 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  },

  // The signature covers the body alone: a delivery that is played again names a customer, who is read as he is now.
  readChanged(body) {
    const read = readShopifyBody(body);
    if (!read) return null;
    const id = customerIdOf(read);
    return id === null ? [] : [id];
  },
};

/** Numbers that stand in a text, such as in a note of the customer, are part of it. */
const TEXT_OR_LONG_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.])\d{15,}(?![\d.])/gs;

/** Ids are larger than a number of JavaScript holds, and are read as text. */
export function readShopifyBody(body: Uint8Array): JsonRecord | null {
  const text = new TextDecoder().decode(body);
  const read = parseJson(
    text.replaceAll(TEXT_OR_LONG_NUMBER, (part) => (part.startsWith('"') ? part : `"${part}"`)),
  );
  return isRecord(read) ? read : null;
}

/** Of a customer's own delivery: one that has no lines of an order. */
function customerIdOf({ id, admin_graphql_api_id: graphId, line_items: lines, customer }: JsonRecord) {
  if (lines !== undefined) return null;
  const known = textOf(graphId);
  if (known !== null) return known.startsWith('gid://shopify/Customer/') ? known : null;
  // `customers/delete` and `customers/redact` have no more than ids.
  return gidOf('Customer', isRecord(customer) ? customer['id'] : id);
}

export function gidOf(type: string, id: unknown): string | null {
  const text = typeof id === 'number' && Number.isSafeInteger(id) ? String(id) : textOf(id);
  return text === null || !/^\d+$/.test(text) ? null : `gid://shopify/${type}/${text}`;
}
