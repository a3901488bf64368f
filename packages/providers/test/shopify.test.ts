import { createAdminApiClient } from '@shopify/admin-api-client';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { readShopName, shopifyConnector } from '../src/shopify/shopify-connector.ts';
import { readShopifyBody, shopifyWebhooks } from '../src/shopify/shopify-webhooks.ts';
import { openConnectorScene } from './connector-scene.ts';

const { sandbox, url, open, close } = await openConnectorScene(shopifyConnector);
afterAll(close);
beforeEach(() => sandbox.shopify.reset());

test.each([
  ['acme', 'acme'],
  ['https://Acme-2.myshopify.com/admin', 'acme-2'],
  ['admin.shopify.com/store/acme/customers', 'acme'],
  ['acme.example.com', null],
  ['acme/../evil', 'acme'],
  ['', null],
])('the shop of %j is %j', (written, name) => {
  expect(readShopName(written)).toBe(name);
});

test.each<[string, object]>([
  [
    '{"id":712345678901234567,"line_items":[{"id":812345678901234567}]}',
    { id: '712345678901234567', line_items: [{ id: '812345678901234567' }] },
  ],
  // Numbers of parcels in a note.
  [
    String.raw`{"note":"parcels: 123456789012345678, 123456789012345679 \"[987654321098765432]\"","id":712345678901234567}`,
    {
      id: '712345678901234567',
      note: 'parcels: 123456789012345678, 123456789012345679 "[987654321098765432]"',
    },
  ],
  [
    '{"rate":0.1234567890123456,"id":712345678901234567}',
    { id: '712345678901234567', rate: 0.1234567890123456 },
  ],
])('the body %s is read whole, and its texts as they are', (body, read) => {
  expect(readShopifyBody(new TextEncoder().encode(body))).toEqual(read);
});

test('a webhook is signed over its body, and its ids are read whole', () => {
  const body = new TextEncoder().encode('{"id":712345678901234567,"name":"#1001"}');
  const headers = new Headers({ 'x-shopify-hmac-sha256': '/sWjcwFOZ6RsdwGRfBCS6cbASq+DXUTKhxPHiYbapXk=' });
  const request = { method: 'POST', url: 'https://app.test', headers, body, now: new Date() };
  expect(shopifyWebhooks.isSigned({ clientSecret: 'shop-secret' }, request)).toBe(true);
  expect(shopifyWebhooks.isSigned({ clientSecret: 'another' }, request)).toBe(false);
  expect(shopifyWebhooks.isSigned({ clientSecret: '' }, request)).toBe(false);
  expect(readShopifyBody(body)).toMatchObject({ id: '712345678901234567' });
});

test('says what is wrong with the connection in the words of the shop', async () => {
  expect(await open().check()).toEqual({ state: 'healthy', account: 'Barro & Sal · sandbox-shop' });
  expect(await open({ clientSecret: 'wrong' }).check()).toMatchObject({ problem: 'credentials_wrong' });
  expect(await open({ shop: 'no shop' }).check()).toMatchObject({ problem: 'account_unknown' });
  sandbox.shopify.behaviour.hidesPeople = true;
  expect(await open().check()).toMatchObject({
    ...{ problem: 'permission_missing', detail: 'This app is not approved to access the Customer object.' },
  });
});

test('renews a token that ends in the middle of a sync, once for all calls', async () => {
  const { contacts } = open();
  expect(await contacts!.pull(null, [])).toMatchObject({ ok: true, value: { isLast: true } });
  sandbox.shopify.behaviour.tokensBefore = sandbox.shopify.now();
  const before = sandbox.shopify.calls.total;
  const replies = await Promise.all([
    contacts!.pull(null, []),
    contacts!.fetch([], []),
    contacts!.pull(null, []),
  ]);
  expect(replies.every(({ ok }) => ok)).toBe(true);
  const paths = [...sandbox.shopify.calls.newestFirst()].slice(0, sandbox.shopify.calls.total - before);
  expect(paths.filter(({ path }) => path.endsWith('access_token'))).toHaveLength(1);
});

test('an answer above the limit says how long to wait', async () => {
  const { contacts } = open();
  await contacts!.fetch([], []);
  Object.assign(sandbox.shopify.behaviour, { rejectNext: 1, retryAfterSeconds: 3 });
  expect(await contacts!.pull(null, [])).toMatchObject({ problem: 'service_busy', retryAfterMs: 3_000 });
});

test("the vendor's own client reads and writes the stand-in", async () => {
  const client = createAdminApiClient({
    ...{
      storeDomain: 'sandbox-shop.myshopify.com',
      apiVersion: '2026-10',
      accessToken: sandbox.shopify.giveToken(),
    },
    customFetchApi: async (address, init) =>
      fetch(String(address).replace('https://sandbox-shop.myshopify.com', `${url}/shopify`), init),
  });
  const { data, errors } = await client.request(
    'query Customers($first: Int!) { customers(first: $first) { nodes { id firstName } } }',
    { variables: { first: 3 } },
  );
  expect(errors).toBeUndefined();
  expect(data.customers.nodes).toHaveLength(3);
  const [{ id }] = data.customers.nodes;
  const changed = await client.request(
    'mutation Write($input: CustomerInput!) { customerUpdate(input: $input) { customer { id firstName } userErrors { field message } } }',
    { variables: { input: { id, firstName: 'Changed' } } },
  );
  expect(changed.data.customerUpdate).toMatchObject({ customer: { firstName: 'Changed' }, userErrors: [] });
});
