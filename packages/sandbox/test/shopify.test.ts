import { afterAll, beforeEach, expect, test } from 'vitest';
import { createSandbox } from '../src/sandbox.ts';

const sandbox = createSandbox();
afterAll(() => sandbox.close());
beforeEach(() => sandbox.shopify.reset());

type Page = { nodes: { id: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
type Answer = {
  access_token?: string;
  data: { customers: Page; customerCreate: { userErrors: object[] } };
};

async function ask(path: string, init: RequestInit = {}): Promise<{ status: number; body: Answer }> {
  const response = await sandbox.fetch(new Request(`http://127.0.0.1${path}`, init));
  return { status: response.status, body: (await response.json()) as Answer };
}
const token = async () => {
  const form = { grant_type: 'client_credentials', client_id: 'sandbox-shopify-client' };
  const { body } = await ask('/shopify/admin/oauth/access_token', {
    method: 'POST',
    body: new URLSearchParams({ ...form, client_secret: 'sandbox-shopify-secret' }),
  });
  return String(body.access_token);
};
const graph = async (query: string, variables: object = {}, key?: string) =>
  ask('/shopify/admin/api/2026-10/graphql.json', {
    method: 'POST',
    headers: { 'x-shopify-access-token': key ?? (await token()) },
    body: JSON.stringify({ query, variables }),
  });

test('gives a token for the client credentials alone, and takes no other', async () => {
  const wrong = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'x', client_secret: 'y' });
  expect((await ask('/shopify/admin/oauth/access_token', { method: 'POST', body: wrong })).status).toBe(400);
  expect((await graph('{ shop { name } }', {}, 'another')).status).toBe(401);
  expect((await graph('{ shop { id name } }')).body).toMatchObject({
    data: { shop: { name: 'Barro & Sal' } },
  });
  const key = await token();
  sandbox.shopify.behaviour.tokensBefore = sandbox.shopify.now();
  expect((await graph('{ shop { name } }', {}, key)).status).toBe(401);
  expect((await graph('{ shop { name } }')).status).toBe(200);
});

test('pages customers by their last change, and refuses a number that another one has', async () => {
  const query =
    'query C($after: String) { customers(first: 4, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }';
  const ids: string[] = [];
  for (let after: string | null = null; ;) {
    const { customers }: { customers: Page } = (await graph(query, { after })).body.data;
    ids.push(...customers.nodes.map(({ id }: { id: string }) => id));
    if (!customers.pageInfo.hasNextPage) break;
    after = customers.pageInfo.endCursor;
  }
  expect(new Set(ids).size).toBe(9);
  const input = { firstName: 'Ana', phone: '+34612555101' };
  const { body } = await graph(
    'mutation W($input: CustomerInput!) { customerCreate(input: $input) { customer { id } } }',
    {
      input,
    },
  );
  expect(body.data.customerCreate.userErrors).toEqual([
    { field: ['phone'], message: 'Phone has already been taken' },
  ]);
});

test('can be changed by hand, fails on request and answers above its limit as the vendor does', async () => {
  const put = await ask('/_sandbox/shopify/records', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ records: [{ values: { firstName: 'Eva', phone: '+34612555199' } }] }),
  });
  expect(put.body).toMatchObject({ records: [{ values: { firstName: 'Eva' } }] });
  const key = await token();
  sandbox.shopify.behaviour.rejectNext = 1;
  expect((await graph('{ shop { name } }', {}, key)).body).toMatchObject({
    errors: [{ extensions: { code: 'THROTTLED' } }],
  });
  sandbox.shopify.behaviour.isDown = true;
  expect((await graph('{ shop { name } }', {}, key)).status).toBe(503);
});
