import { isThorough, part } from '@app/database/testing/thorough';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longDescribe, longTest } from '@app/database/testing/long-test';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import {
  callRest,
  callRpc,
  contractRoutes,
  everyField,
  isChanging,
  leastInput,
  makeInput,
  pathParameters,
  readAnswer,
  rpcPath,
  type ContractRoute,
  type Input,
} from './contract-routes.ts';
import { plainRoutes } from './plain-routes.ts';
import { addWorkspaceRows } from '../workspace-rows/workspace-rows.ts';

let api: ApiFixture;
let admin: ApiCaller;
/** Rows of the caller's own workspace, so that requests reach further than "there is no such …". */
let own: Awaited<ReturnType<typeof addWorkspaceRows>>;

beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
  own = await addWorkspaceRows(api.parts, api.workspaceId, admin);
  await addWorkspaceRows(api.parts, api.otherWorkspaceId, await api.asOther());
});
afterAll(() => api.close());

const everyRoute = contractRoutes.map((route) => [route.name, route] as const);
const changingRoutes = everyRoute.filter(([, route]) => isChanging(route));

const wrongValues = [
  ...['1abc', '', ['a'], [[]], { a: 1 }, true, null, -1, 0.5, 2 ** 31, Number.MAX_SAFE_INTEGER, 1e308],
  '__proto__',
];

/** `npm run faults -- hostile-input` begins elsewhere and tries many more. */
const rounds = Number(process.env.INPUT_ROUNDS || 1);
const seed = Number(process.env.INPUT_SEED || 7);

const idOf = (field: string) => own[field] ?? own.contactId!;

/** The contract is asked for every route; how its refusals are answered is one way for all of them. */
const asked = <Item>(all: readonly Item[], oneOf: number) => new Set(part(all, oneOf));

longDescribe('values of the wrong kind', () => {
  const sent = asked(contractRoutes, 6);
  test.each(everyRoute)('%s names the field', async (_, route) => {
    const input = makeInput(route, { ...everyField, id: idOf });
    for (const [place, field] of Object.keys(input).entries()) {
      const refused: unknown[] = [];
      for (const wrong of wrongValues) {
        const changed = { ...input, [field]: wrong };
        const { success, error } = route.input.safeParse(changed);
        if (success) {
          if (!sent.has(route)) continue;
          const { status } = await callRpc(admin, route, changed);
          expect(status, `${field} = ${JSON.stringify(wrong)}`).toBeLessThan(500);
        } else {
          // The contract refuses; how that is answered is one way for all of its values.
          expect(error.issues.some(({ path }) => path[0] === field)).toBe(true);
          refused.push(wrong);
        }
      }
      const chosen =
        refused.length === 0 || !sent.has(route)
          ? []
          : (isThorough ? [place, place + 7] : [place]).map((at) => refused[at % refused.length]);
      for (const wrong of new Set(chosen)) {
        const response = await callRpc(admin, route, { ...input, [field]: wrong });
        const shown = `${field} = ${JSON.stringify(wrong)} → ${response.status}`;
        expect(response.status, shown).toBe(422);
        const { code, details } = await readAnswer(response);
        expect(code, shown).toBe('invalid_input');
        expect(
          details?.issues?.some((issue) => issue.field.split('.')[0] === field),
          shown,
        ).toBe(true);
      }
    }
  });

  const withIds = everyRoute.filter(([, route]) => pathParameters(route).length > 0);
  test.each(part(withIds, 6))('%s refuses an id in the address that is none', async (_, route) => {
    for (const parameter of pathParameters(route)) {
      // A trigger has its id from the flow, where this is one.
      const noId = parameter === 'triggerId' ? '1.abc' : '1abc';
      for (const wrong of [noId, "' OR 1=1 --", '%00', '..%2f..', 'x'.repeat(3000)]) {
        const response = await callRest(admin, route, { ...makeInput(route), [parameter]: wrong });
        expect([wrong, response.status]).toEqual([wrong, 422]);
        const { details } = await readAnswer(response);
        expect(details?.issues?.map(({ field }) => field)).toContain(parameter);
      }
    }
  });
});

describe('requests that are not what the contract promises', () => {
  const sent = asked(changingRoutes, 8);
  test.each(changingRoutes)('%s refuses a field that it does not know, by its name', async (name, route) => {
    const { error } = route.input.safeParse({ ...makeInput(route), isAdmin: true });
    expect(error?.issues).toMatchObject([{ code: 'unrecognized_keys', keys: ['isAdmin'] }]);
    if (!sent.has(changingRoutes.find(([one]) => one === name)!)) return;
    const response = await callRest(admin, route, { ...makeInput(route), isAdmin: true });
    expect(response.status).toBe(422);
    expect((await readAnswer(response)).message).toContain('isAdmin');
  });

  // How a body is read is one way for all of them.
  longTest.each(part(changingRoutes, 10))('%s refuses a body that is no JSON', async (_, route) => {
    const path = `/api${route.path.replaceAll(/\{\w+\}/g, crypto.randomUUID())}`;
    for (const body of ['{"name":', '[]', '"text"', '['.repeat(100_000), '\0']) {
      for (const address of [path, rpcPath(route)]) {
        const response = await admin.request(address, {
          method: address === path ? route.method : 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
        const shown = `${address} with ${body.slice(0, 10)}`;
        expect(response.status, shown).toBeGreaterThanOrEqual(400);
        expect(response.status, shown).toBeLessThan(500);
      }
    }
  });
});

const nested = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`;

longDescribe('JSON nested as deep as its sender likes', () => {
  const withDeep = (input: Input, field: string, deep: string) =>
    JSON.stringify({ ...input, [field]: 'DEEP' }).replace('"DEEP"', () => deep);

  test.each(part(changingRoutes, 10, 1))('%s refuses it in any field', async (_, route) => {
    const input = makeInput(route, { ...everyField, id: idOf });
    const rpc = rpcPath(route);
    const rest = `/api${route.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => String(input[name]))}`;
    const inOrder = nested('[', ']', 200_000);
    const calls = [
      // 50 kB pass every limit; what is deeper may be too large, and must be no fault either.
      ...Object.keys(input).map((field) => [rpc, withDeep(input, field, nested('{"a":', '}', 8000))]),
      ...[inOrder, nested('{"a":', '}', 200_000)].map((deep) => [rpc, withDeep(input, 'unknown', deep)]),
    ].map(([address, body]) => [address!, 'POST', `{"json":${body},"meta":[]}`] as const);
    for (const [address, method, body] of [
      ...calls,
      [rpc, 'POST', `{"json":${JSON.stringify(input)},"meta":${inOrder}}`] as const,
      [rest, route.method, withDeep(input, 'unknown', inOrder)] as const,
    ]) {
      const { status } = await admin.request(address, {
        method,
        headers: { 'content-type': 'application/json' },
        body,
      });
      expect(status, `${address} with ${body.slice(0, 300)}`).toBeLessThan(500);
    }
  });

  const readingRoutes = everyRoute.filter(([, route]) => !isChanging(route));
  test.each(part(readingRoutes, 10, 2))('%s refuses it in its address', async (_, route) => {
    const input = makeInput(route, { ...everyField, id: idOf });
    const path = `/api${route.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => String(input[name]))}`;
    for (const key of [
      `search${'[a]'.repeat(5000)}`,
      `search${'[]'.repeat(7000)}`,
      `tag${'[0]'.repeat(5000)}`,
    ]) {
      const { status } = await admin.get(`${path}?${key}=1`);
      expect(status, `${path} with ${key.slice(0, 12)}`).toBeLessThan(500);
    }
    const data = encodeURIComponent(`{"json":${nested('[', ']', 4000)}}`);
    expect((await admin.get(`${rpcPath(route)}?data=${data}`)).status).toBeLessThan(500);
  });
});

const hostileText = fc.oneof(
  fc.constantFrom(
    "' OR '1'='1",
    "'; DROP TABLE contacts; --",
    'name; SELECT pg_sleep(9)',
    '1) UNION SELECT token FROM sessions --',
    '$1',
    '%',
    '_',
    '\\',
    '%_\\%',
    '"',
    '\0',
    'a\0b',
    '\ud800',
    'x\udc00y',
    '\u202e\ufeff',
    'newest; --',
    'Infinity',
    'x'.repeat(10_000),
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

const hostileInstants = [
  '2030-01-01T09:00:00.000Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59-14:00',
  '2026-01-01T00:00:00.123456789Z',
];

const hostileKeys = [
  ...[
    '2026-01-01T00:00:00.000Z',
    '2026-02-31 00:00:00+00',
    '9999-99-99 99:99:99+00',
    '0000-01-01 00:00:00+00',
  ],
  ...['infinity', '1e400', 'Infinity', '7', String(2 ** 31), String(Number.MAX_SAFE_INTEGER)],
];

const hostileCursor = fc
  .tuple(
    fc.oneof(hostileText, fc.constantFrom(...hostileKeys)),
    fc.oneof(
      hostileText,
      fc.uuid(),
      fc.uuid(),
      fc.uuid(),
      fc.constantFrom('-'.repeat(36), '2026-01-01T00:00:00.000Z', '0'.repeat(36)),
    ),
  )
  .map((parts) => Buffer.from(JSON.stringify(parts)).toString('base64url'));

describe('hostile text in every field that takes text', () => {
  const inputsOf = (route: ContractRoute) =>
    fc
      .tuple(
        fc.infiniteStream(fc.nat(5)),
        fc.infiniteStream(fc.boolean()),
        fc.infiniteStream(hostileText),
        hostileCursor,
      )
      .map(([numbers, flags, texts, cursor]): Input => {
        const input = makeInput(route, {
          variant: (count) => numbers.next().value! % count,
          hasOptional: () => flags.next().value!,
          text: () => texts.next().value!,
          instant: () => hostileInstants[numbers.next().value! % hostileInstants.length]!,
          id: idOf,
        });
        return 'cursor' in input && flags.next().value ? { ...input, cursor } : input;
      });

  // The routes in turn, by sixes: their texts go through one reader and one database driver.
  longTest.each(part(everyRoute, 6, 1))('%s answers or refuses, and never fails', async (_, route) => {
    await fc.assert(
      fc.asyncProperty(inputsOf(route), async (input) => {
        for (const call of isChanging(route) ? [callRpc] : [callRest, callRpc]) {
          const { status } = await call(admin, route, input);
          expect(status, JSON.stringify(input)).toBeLessThan(500);
        }
      }),
      { seed, numRuns: rounds },
    );
  });

  const lists = everyRoute
    .filter(([, { schema }]) => schema.properties && 'search' in schema.properties)
    .filter(([, route]) => pathParameters(route).length === 0);
  test.each(lists)('%s looks for %, _ and \\ as they are written', async (_, route) => {
    const other = await api.asOther();
    for (const search of ['%', '_', '\\', 'o_ly', "' OR '1'='1"]) {
      const input = { ...makeInput(route, leastInput), search };
      // Some search for two letters at least.
      if (!route.input.safeParse(input).success) continue;
      const response = await callRest(other, route, input);
      expect(response.status).toBe(200);
      const { items, count, ...found } = await response.json<{ items?: unknown[]; count?: number }>();
      const lists = items ? [items] : Object.values(found).filter((list) => Array.isArray(list));
      expect([search, count ?? lists.flat().length]).toEqual([search, 0]);
    }
  });
});

/** These ask whoever sends for another proof than a session; they read their addresses like the others. */
const provenRoutes: typeof plainRoutes = {
  'GET /webhooks/:kind/:slug': { path: '/webhooks/whatsapp/acme' },
  'POST /webhooks/:kind/:slug': {
    path: '/webhooks/whatsapp/acme',
    init: { method: 'POST', body: '{}' },
  },
};

describe('hostile text in plain addresses', () => {
  const everyPlain = Object.entries({ ...plainRoutes, ...provenRoutes });

  test.each(everyPlain)('%s refuses what no row can hold, by the name of its field', async (_, plain) => {
    const { path, init } = plain;
    const joint = path.includes('?') ? '&' : '?';
    for (const [query, field] of [
      ['fileName=%00a.csv', 'fileName'],
      ['anything=a%00b', 'anything'],
      ['a%00b=anything', ''],
    ]) {
      const response = await admin.request(`${path}${joint}${query}`, init);
      expect([query, response.status]).toEqual([query, 422]);
      const { error } = await response.json<{
        error: { code: string; details: { issues: { field: string }[] } };
      }>();
      expect(error.code).toBe('invalid_input');
      expect(error.details.issues.map((issue) => issue.field)).toEqual([field]);
    }
  });

  longTest.each(everyPlain)('%s never fails over text that is only strange', async (_, { path, init }) => {
    const joint = path.includes('?') ? '&' : '?';
    for (const text of ['%ED%A0%80', '%ff', '%', "'%20OR%201=1", '%F0%9F%98%80'.repeat(200)]) {
      const query = ['fileName', 'importId', 'mapping', 'format', 'sort', 'search', 'tag', 'age', 'hub.mode']
        .map((name) => `${name}=${text}`)
        .join('&');
      const stop = new AbortController();
      const response = await admin.request(`${path}${joint}${query}`, { ...init, signal: stop.signal });
      expect(response.status, `${path} with ${text.slice(0, 12)}`).toBeLessThan(500);
      stop.abort();
      await response.body?.cancel();
    }
  });

  test.each([
    ['GET', '/api/contacts/export?format=%00'],
    ['GET', "/api/contacts/export?format=csv'%20OR%201=1"],
    ['GET', '/api/media/1abc/content'],
    ['GET', '/api/media/%00/content'],
    ['PATCH', '/api/uploads/1abc'],
    ['GET', '/webhooks/whatsapp/%00'],
    ['GET', '/webhooks/whatsapp/acme?hub.mode=subscribe&hub.verify_token=%00&hub.challenge=%3Cscript%3E'],
    ['POST', '/webhooks/whatsapp/%00'],
    ['POST', "/webhooks/whatsapp/acme'--"],
    ['GET', '/api/%00'],
    ['GET', '/api/%ff'],
    ['POST', '/api/rpc/__proto__/constructor'],
    ['POST', '/api/rpc/contacts/%00'],
    ['POST', '/api/auth/%00'],
    ['GET', '/api/auth/get-session?x=%00'],
  ])('%s %s does not fail', async (method, path) => {
    const response = await admin.request(path, {
      method,
      ...(method !== 'GET' && { body: '\0', headers: { 'upload-offset': '1e999' } }),
    });
    expect(response.status).toBeLessThan(500);
    await response.body?.cancel();
  });

  test('a stream that goes on after a strange event id begins anew', async () => {
    for (const lastEventId of ['1abc', '-1', '9'.repeat(40), "' OR 1=1"]) {
      const stop = new AbortController();
      const response = await admin.request('/api/events', {
        headers: { 'last-event-id': lastEventId },
        signal: stop.signal,
      });
      expect(response.status).toBe(200);
      stop.abort();
      await response.body?.cancel();
    }
  });
});

test('a list whose every row is wrong is refused in a short answer', async () => {
  const contactIds = Array.from({ length: 200 }, (_, row) => row);
  const response = await admin.post('/api/campaigns/audience-members', {
    audience: { filter: {} },
    contactIds,
  });
  expect(response.status).toBe(422);
  expect((await readAnswer(response)).details?.issues).toHaveLength(50);
});
