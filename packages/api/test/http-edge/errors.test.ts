import { part } from '@app/database/testing/thorough';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { callRest, callRpc, contractRoutes, isChanging, makeInput, rpcPath } from './contract-routes.ts';
import { codeOf } from './code-of.ts';

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
});
afterAll(() => api.close());

const ways = [
  ['REST', callRest],
  ['RPC', callRpc],
] as const;
const everyRoute = contractRoutes.map((route) => [route.name, route] as const);
const changing = everyRoute.filter(([, route]) => isChanging(route));

describe.each(ways)('over %s', (way, call) => {
  const pathOf = (route: (typeof contractRoutes)[number]) =>
    way === 'RPC' ? rpcPath(route) : `/api${route.path.replaceAll(/\{\w+\}/g, crypto.randomUUID())}`;
  const methodOf = (route: (typeof contractRoutes)[number]) => (way === 'RPC' ? 'POST' : route.method);

  test.each(changing)('%s refuses what it does not understand', async (_, route) => {
    const input = { ...makeInput(route), unknownField: true };
    expect(await codeOf(await call(admin, route, input))).toBe('invalid_input');
  });

  // Read by the HTTP edge, for all of them alike.
  test.each(part(changing, 24, way.length))('%s refuses a body that is none', async (_, route) => {
    const [path, method] = [pathOf(route), methodOf(route)];
    const send = (body: string | Uint8Array<ArrayBuffer>, type: string) =>
      admin.request(path, { method, body, headers: { 'content-type': type } });
    const wrong = ['body_malformed', 'body_too_complex', 'invalid_input'];
    expect(wrong).toContain(await codeOf(await send('{"name":', 'application/json')));
    // A route that takes all that it needs from its address looks at no body of another kind.
    const isRefused = /^[A-Za-z_]+$/;
    expect(await codeOf(await send('{"json":7}', 'text/plain'))).toMatch(isRefused);
    expect(await codeOf(await send(new Uint8Array([0, 255, 1]), 'application/x-anything'))).toMatch(
      isRefused,
    );
    expect(await codeOf(await send('x'.repeat(20 * 1024 * 1024), 'application/json'))).toBe('body_too_large');
  });
});

test.each<[string, RequestInit, string]>([
  ['/api/nothing', {}, 'address_unknown'],
  ['/api/rpc/contacts/nothing', {}, 'address_unknown'],
  ['/nothing', {}, 'address_unknown'],
  ['/api/auth/nothing', { method: 'POST' }, 'address_unknown'],
  ['/api/auth/refresh-session', { method: 'POST' }, 'signed_out'],
  ['/webhooks/whatsapp/nobody', {}, 'webhook_token_wrong'],
  ['/webhooks/whatsapp/nobody', { method: 'POST' }, 'webhook_unsigned'],
  ['/webhooks/pigeons/acme', {}, 'address_unknown'],
  ['/webhooks/pigeons/acme', { method: 'POST' }, 'address_unknown'],
  ['/webhooks/__proto__/acme', { method: 'POST' }, 'address_unknown'],
])('%s answers in the same form', async (path, init, code) => {
  expect(await codeOf(await api.stranger.request(path, init))).toBe(code);
});

test.each<[string, RequestInit, string]>([
  [`/api/contacts/${crypto.randomUUID()}`, {}, 'contact_not_found'],
  ['/api/contacts/export?format=png', {}, 'invalid_input'],
  ['/api/contacts/imports?importId=7', { method: 'POST', body: 'name' }, 'invalid_input'],
  [
    '/api/contacts/imports',
    { method: 'POST', body: 'x', headers: { 'content-type': 'image/png' } },
    'contact_import_type_unsupported',
  ],
  [`/api/campaigns/${crypto.randomUUID()}/recipients/export`, {}, 'campaign_not_found'],
  [`/api/media/${crypto.randomUUID()}/content`, {}, 'media_not_found'],
  ['/api/rpc/contacts/create', {}, 'method_not_allowed'],
])('%s tells an administrator what is wrong in it', async (path, init, code) => {
  expect(await codeOf(await admin.request(path, init))).toBe(code);
});

test('the description of the API names the form and the codes of every refusal', async () => {
  const { paths } = await (
    await admin.get('/api/openapi.json')
  ).json<{
    paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
  }>();
  const described = contractRoutes.filter(
    ({ path, method }) => paths[path]?.[method.toLowerCase()] !== undefined,
  );
  expect(described.length).toBeGreaterThan(50);
  for (const route of described) {
    const { responses } = paths[route.path]![route.method.toLowerCase()]!;
    const refused = Object.entries(responses).filter(([status]) => Number(status) >= 400);
    expect(refused.length, route.name).toBeGreaterThan(0);
    for (const [, answer] of refused)
      expect(answer, route.name).toMatchObject({
        content: { 'application/json': { schema: { required: ['error'] } } },
      });
  }
});
