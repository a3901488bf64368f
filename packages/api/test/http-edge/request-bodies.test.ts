import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { CONTACT_LIST_BODY } from '@app/contracts/endpoint';
import { part } from '@app/database/testing/thorough';
import { listFiles } from '../../src/features.ts';
import type { FileParts } from '../../src/platform/features/server-feature.ts';
import { createBodyRules, SMALL_BODY } from '../../src/platform/http-edge/body-rules.ts';
import { createTurns, QueueTooLong } from '../../src/platform/http-edge/turns.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { contractRoutes, isChanging, rpcPath } from './contract-routes.ts';

const PIECE = 16 * 1024;
const ENDLESS = 400;
const findBodyRule = createBodyRules(listFiles({} as FileParts)); // what they take is said without their parts
/** What may lie between the sender and the count: the pieces of one read ahead. */
const SLACK = 4 * PIECE;

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
});
afterAll(() => api.close());

/** A file that is read as long as it comes. */
const isStreamed = (path: string) =>
  [
    '/api/contacts/imports',
    '/api/data/imports',
    '/api/data/replacements',
    '/api/data/archive-readings',
  ].includes(path);

/** A body without declared length that never ends by itself, and how much of it was taken. */
function endlessBody(pieces = ENDLESS) {
  let taken = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (taken >= pieces * PIECE) return controller.close();
        taken += PIECE;
        controller.enqueue(new Uint8Array(PIECE).fill(0x20));
      },
    },
    { highWaterMark: 0 },
  );
  return { body, taken: () => taken };
}

async function send(caller: ApiCaller, method: string, path: string, headers: Record<string, string> = {}) {
  const endless = endlessBody();
  const response = await caller.request(path, {
    method,
    headers: { 'content-type': 'application/json', 'upload-offset': '0', ...headers },
    body: endless.body,
    duplex: 'half',
  } as RequestInit);
  const text = await response.text();
  return { status: response.status, text, taken: endless.taken() };
}

const bodyRoutes = contractRoutes
  .filter(isChanging)
  .flatMap((route) => [
    [route.method, `/api${route.path.replaceAll(/\{\w+\}/g, crypto.randomUUID())}`] as const,
    ['POST', rpcPath(route)] as const,
  ]);
const plainAddresses = [
  ...[
    'sign-in/email',
    'sign-up/email',
    'sign-out',
    'request-password-reset',
    'reset-password',
    'two-factor',
    'confirm-address',
    'confirm-email',
    'read-reset-link',
    'undo-email-change',
    'passkey/begin',
    'passkey/finish',
    'nothing',
  ].map((name) => ['POST', `/api/auth/${name}`] as const),
  ['POST', '/api/profile/avatar'],
  ['POST', '/api/settings/logo'],
  ['POST', '/api/profile/unsubscribe/daily_summary/a-guess'],
  ['POST', `/api/conversations/files/${crypto.randomUUID()}`],
  ['POST', `/api/conversations/files/${crypto.randomUUID()}/thumbnail`],
  ['POST', `/api/bot/knowledge/files/${crypto.randomUUID()}`],
  ['PATCH', `/api/uploads/${crypto.randomUUID()}`],
  ['POST', '/api/contacts/imports'],
  ['POST', '/api/data/imports'],
  ['POST', '/api/data/replacements'],
  ['POST', '/api/data/archive-readings'],
  ['POST', '/api/contacts/export'],
  ['POST', '/api/nothing'],
  ['POST', '/api/rpc/nothing'],
  ['POST', '/webhooks/whatsapp/acme'],
  ['POST', '/webhooks/whatsapp/nobody'],
  ['POST', '/hooks/a-guess'],
  ['POST', '/forms/a-guess'],
  ['POST', '/nothing'],
] as const;

describe('a body without an end and without a declared length', () => {
  test.each([...bodyRoutes, ...plainAddresses])('of a stranger, %s %s', async (method, path) => {
    const { status, text, taken } = await send(api.stranger, method, path);
    expect([401, 404, 413]).toContain(status);
    if (status !== 404) expect(JSON.parse(text)).toMatchObject({ error: { code: expect.any(String) } });
    expect(taken).toBeLessThanOrEqual(SMALL_BODY + SLACK);
  });

  // What a stranger may send is little; an administrator's are many megabytes for each.
  const someRoutes = [...part(bodyRoutes, 7), ...part(plainAddresses, 2)];
  longTest.each(someRoutes.filter(([, path]) => !isStreamed(path)))(
    'of an administrator, %s %s',
    async (method, path) => {
      const rule = findBodyRule(method, path);
      // What reads piece by piece asks first whether it wants any.
      const most = rule.most === 'streamed' ? 0 : rule.most;
      const { status, taken } = await send(admin, method, path);
      expect(taken).toBeLessThanOrEqual(most + SLACK);
      if (most < ENDLESS * PIECE) expect([401, 404, 413]).toContain(status);
    },
  );

  test('every route of the API that takes a body is among these', () => {
    const known = new Set(['/api/*', '/api/rpc/*', '/api/auth/*', '*', '/*']);
    const others = api.app.routes
      .filter(({ method, path }) => method !== 'GET' && !known.has(path))
      .map(({ method, path }) => `${method} ${path}`);
    const asked = plainAddresses.map(([method, path]) => `${method} ${path}`);
    for (const route of others) {
      const pattern = new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`);
      expect([route, asked.some((address) => pattern.test(address))]).toEqual([route, true]);
    }
  });
});

describe('a declared length', () => {
  test.each([
    ['a sign-in', () => api.stranger, '/api/auth/sign-in/email', 413, 'body_too_large'],
    ['an enquiry', () => api.stranger, '/api/sales-enquiries', 413, 'body_too_large'],
    ['a contact of a stranger', () => api.stranger, '/api/contacts', 401, 'signed_out'],
    ['a contact', () => admin, '/api/contacts', 413, 'body_too_large'],
    ['a contact by the typed client', () => admin, '/api/rpc/contacts/create', 413, 'body_too_large'],
  ])('beyond the limit is refused before a byte is read: %s', async (_case, caller, path, status, code) => {
    const sent = await send(caller(), 'POST', path, { 'content-length': String(300 * 1024 * 1024) });
    expect([sent.status, JSON.parse(sent.text)]).toMatchObject([status, { error: { code } }]);
    expect(sent.taken).toBeLessThanOrEqual(PIECE);
  });
});

describe('what the contract allows', () => {
  test('a hundred thousand contacts can be named, and as many left out', async () => {
    const ids = Array.from({ length: 100_000 }, () => crypto.randomUUID());
    const response = await admin.post('/api/campaigns/audience-size', {
      audience: { filter: { status: 'active' }, excludedIds: ids },
    });
    expect([response.status, await response.json()]).toEqual([200, { chosen: 0 }]);
    const both = JSON.stringify({ audience: { anyOf: [{}], contactIds: ids, excludedIds: ids } });
    expect(both.length).toBeLessThan(CONTACT_LIST_BODY);
  });

  test('whatever lists contacts has the room for it', () => {
    const longLists = contractRoutes.filter((route) =>
      JSON.stringify(route.schema).includes('"maxItems":100000'),
    );
    expect(longLists.length).toBeGreaterThan(5);
    for (const { method, path, name } of longLists)
      expect([name, findBodyRule(method, `/api${path.replaceAll(/\{\w+\}/g, 'x')}`).most]).toEqual([
        name,
        CONTACT_LIST_BODY,
      ]);
  });

  test('a body that breaks off is refused and is no fault of ours', async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(10));
        controller.error(new Error('gone'));
      },
    });
    const response = await api.stranger.request('/api/sales-enquiries', {
      method: 'POST',
      body,
      duplex: 'half',
    } as RequestInit);
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { code: 'body_interrupted' } },
    ]);
  });
});

test('turns are taken in order, a few at a time, for each key by itself', async () => {
  const turns = createTurns({ atOnce: 2, mostWaiting: 2 });
  const order: string[] = [];
  const take = (name: string, key = 'acme') =>
    turns.take(key).then((giveBack) => {
      order.push(name);
      return giveBack;
    });
  const first = await take('first');
  await take('second');
  const waiting = [take('third'), take('fourth')];
  await expect(take('fifth')).rejects.toBeInstanceOf(QueueTooLong);
  await take('other', 'other');
  expect(order).toEqual(['first', 'second', 'other']);
  first();
  (await waiting[0])?.();
  await waiting[1];
  expect(order).toEqual(['first', 'second', 'other', 'third', 'fourth']);
});
