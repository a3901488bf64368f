import { REQUESTS_PER_MINUTE } from '@app/domain/api-keys/api-key-rules';
import type { Permission } from '@app/domain/auth/permissions';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import {
  openApiFixture,
  PUBLIC_URL,
  type ApiCaller,
  type ApiFixture,
  type ApiResponse,
} from '../api-fixture.ts';
import { readAnswer } from '../http-edge/contract-routes.ts';
import { addCaller } from '../users/add-person.ts';
import { callWithKey, makeApiKey, openProgram, type KeyWish } from './key-caller.ts';

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
});
afterAll(() => api.close());
beforeEach(async () => {
  // Nobody has more than twenty, and whoever makes one has proved who they are.
  await query('DELETE FROM api_keys');
  await query('UPDATE sessions SET proven_at = $1', [api.parts.clock()]);
});

const query = (text: string, values: unknown[] = []) => api.db.systemPool.query(text, values);
const judge = async (answer: ApiResponse) => [answer.status, (await readAnswer(answer)).code ?? 'passes'];
const ask = async (caller: ApiCaller, path = '/api/contacts') => judge(await caller.get(path));

const keyOf = (owner: ApiCaller, wish?: KeyWish) => openProgram(api, owner, wish);

const FAILED_ROWS = `/api/contacts/imports/${crypto.randomUUID()}/failed-rows`;

describe('a key may do', () => {
  test.each<[scopes: Permission[], path: string, expected: string | number]>([
    [['contacts:read'], '/api/contacts', 'passes'],
    [['contacts:manage'], '/api/contacts', 'passes'],
    [['contacts:create'], '/api/contacts', 'FORBIDDEN'],
    [['contacts:read'], '/api/templates', 'FORBIDDEN'],
    [['contacts:read'], '/api/conversations', 'FORBIDDEN'],
    [['contacts:read', 'messages:read'], '/api/conversations', 'passes'],
    [['contacts:create'], FAILED_ROWS, 'contact_import_not_found'],
    [['contacts:read'], FAILED_ROWS, 'FORBIDDEN'],
  ])('what it was made for: with %j %s %s', async (scopes, path, expected) => {
    const { program } = await keyOf(admin, { scopes });
    expect((await ask(program, path))[1]).toBe(expected);
  });

  test('no more than its owner at this moment', async () => {
    const { caller, id } = await addCaller(api, 'manager');
    const { program } = await keyOf(caller, { scopes: ['contacts:manage', 'templates:read'] });
    const add = () => program.post('/api/contacts', { name: 'Ann', phone: '+14155552671' });
    expect(await judge(await add())).toEqual([200, 'passes']);
    await query(`UPDATE memberships SET role = 'viewer' WHERE user_id = $1`, [id]);
    expect(await judge(await add())).toEqual([403, 'FORBIDDEN']);
    expect(await ask(program)).toEqual([200, 'passes']);
    await query(`UPDATE workspaces SET role_permissions = '{"viewer": ["templates:read"]}' WHERE id = $1`, [
      api.workspaceId,
    ]);
    expect(await ask(program)).toEqual([403, 'FORBIDDEN']);
    expect(await ask(program, '/api/templates')).toEqual([200, 'passes']);
    await query(`UPDATE workspaces SET role_permissions = '{}' WHERE id = $1`, [api.workspaceId]);
  });

  test('nothing in another workspace', async () => {
    const added = await admin.post('/api/contacts', { name: 'Ours', phone: '+14155552699' });
    const { id } = await added.json<{ id: string }>();
    const { program } = await keyOf(await api.asOther());
    expect(await ask(program, `/api/contacts/${id}`)).toEqual([404, 'contact_not_found']);
    const list = await (await program.get('/api/contacts')).json<{ items: unknown[] }>();
    expect(list.items).toEqual([]);
  });

  test.each([
    ['GET', '/api/profile'],
    ['GET', '/api/contacts/export?format=csv'],
    ['GET', '/api/session'],
    ['GET', '/api/sessions'],
    ['GET', '/api/api-keys'],
    ['POST', '/api/api-keys'],
    ['POST', '/api/invitations'],
    ['PUT', '/api/role-permissions'],
    ['GET', '/api/activities'],
    ['POST', '/api/profile/avatar'],
    ['POST', '/api/settings/logo'],
    ['POST', '/api/auth/sign-out'],
    ['POST', '/api/rpc/contacts/list'],
  ])('nothing that is for people alone: %s %s', async (method, path) => {
    const { program } = await keyOf(admin);
    const body = method === 'GET' ? {} : { body: '{}', headers: { 'content-type': 'application/json' } };
    expect(await judge(await program.request(path, { method, ...body }))).toEqual([
      403,
      'api_key_not_accepted',
    ]);
  });
});

describe('a key opens nothing any more with the next request', () => {
  test('when its owner revokes it', async () => {
    const { id, program } = await keyOf(admin);
    expect(await ask(program)).toEqual([200, 'passes']);
    expect((await admin.delete(`/api/api-keys/${id}`)).status).toBe(200);
    expect(await ask(program)).toEqual([401, 'api_key_invalid']);
    expect(await judge(await admin.delete(`/api/api-keys/${id}`))).toEqual([404, 'api_key_not_found']);
  });

  test('when it has expired', async () => {
    const { program } = await keyOf(admin, { expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
    expect(await ask(program)).toEqual([200, 'passes']);
    api.advance(3_601_000);
    expect(await ask(program)).toEqual([401, 'api_key_expired']);
    const { items } = await (await admin.get('/api/api-keys')).json<{ items: { isExpired: boolean }[] }>();
    expect(items[0]?.isExpired).toBe(true);
  });

  test('when its owner is deactivated, and opens it again when they are back', async () => {
    const { caller, id } = await addCaller(api, 'agent');
    const { program } = await keyOf(caller, { scopes: ['contacts:read'] });
    expect((await admin.post(`/api/users/${id}/deactivate`, {})).status).toBe(200);
    expect(await ask(program)).toEqual([401, 'api_key_invalid']);
    expect((await admin.post(`/api/users/${id}/activate`)).status).toBe(200);
    expect(await ask(program)).toEqual([200, 'passes']);
  });

  test('when its owner is deleted, and the key with them', async () => {
    const { caller, id } = await addCaller(api, 'agent');
    const { id: keyId, program } = await keyOf(caller, { scopes: ['contacts:read'] });
    const gone = await admin.delete(`/api/users/${id}`, {});
    expect(await judge(gone)).toEqual([200, 'passes']);
    expect(await ask(program)).toEqual([401, 'api_key_invalid']);
    expect((await query('SELECT FROM api_keys WHERE id = $1', [keyId])).rowCount).toBe(0);
  });

  test('and its live stream ends', async () => {
    const { id, program } = await keyOf(admin);
    const stop = new AbortController();
    const stream = await program.request('/api/events', { signal: stop.signal });
    expect(stream.status).toBe(200);
    const reader = stream.body!.getReader();
    await admin.delete(`/api/api-keys/${id}`);
    let isDone = false;
    while (!isDone) isDone = (await reader.read()).done;
    expect(isDone).toBe(true);
    stop.abort();
    // A program is nobody who is online.
    expect((await query('SELECT FROM presence_streams')).rowCount).toBe(0);
  });
});

test.each([
  ['a word', 'hello'],
  ['our form with a mark of nobody', `wmp_${'0'.repeat(12)}_${'0'.repeat(56)}`],
  ['an empty text', ''],
])('%s is no key', async (_, key) => {
  const expected = key === '' ? [401, 'signed_out'] : [401, 'api_key_invalid'];
  expect(await ask(callWithKey(api, key))).toEqual(expected);
});

test('a key with one letter changed is no key', async () => {
  const { secret } = await makeApiKey(admin);
  for (const at of [5, 20, 60, secret.length - 1]) {
    const other = `${secret.slice(0, at)}${secret[at] === '1' ? '2' : '1'}${secret.slice(at + 1)}`;
    expect([at, ...(await ask(callWithKey(api, other)))]).toEqual([at, 401, 'api_key_invalid']);
  }
});

describe('the network address', () => {
  test.each<[allowed: string[], address: string, isAllowed: boolean]>([
    [['198.51.100.7'], '198.51.100.7', true],
    [['198.51.100.7'], '198.51.100.8', false],
    [['198.51.100.0/24'], '198.51.100.200', true],
    [['198.51.100.0/24'], '198.51.101.1', false],
    [['198.51.100.0/24'], '::ffff:198.51.100.9', true],
    [['2001:db8::/32'], '2001:db8:1::5', true],
    [['2001:db8::/32'], '2001:db9::1', false],
    [['2001:db8::1', '203.0.113.0/28'], '203.0.113.15', true],
    [['0.0.0.0/0'], '203.0.113.15', true],
    [['0.0.0.0/0'], '2001:db8::1', false],
    [['198.51.100.7'], 'unknown', false],
  ])('of %j a call from %s: %s', async (allowedAddresses, address, isAllowed) => {
    const { program } = await keyOf(admin, { allowedAddresses });
    const answer = await program.request('/api/contacts', { headers: { 'x-test-address': address } });
    expect(await judge(answer)).toEqual(isAllowed ? [200, 'passes'] : [403, 'api_key_address']);
  });
});

test('its last use is written with the address, once in a minute', async () => {
  const { id, program } = await keyOf(admin);
  const read = async () =>
    (await query('SELECT last_used_at AS at, last_used_address AS address FROM api_keys WHERE id = $1', [id]))
      .rows[0];
  expect(await read()).toEqual({ at: null, address: null });
  await program.request('/api/contacts', { headers: { 'x-test-address': '203.0.113.1' } });
  const first = await read();
  expect(first.address).toBe('203.0.113.1');
  await program.request('/api/contacts', { headers: { 'x-test-address': '203.0.113.2' } });
  expect(await read()).toEqual(first);
  api.advance(61_000);
  await program.request('/api/contacts', { headers: { 'x-test-address': '203.0.113.3' } });
  expect((await read()).address).toBe('203.0.113.3');
});

describe('whose request it is', () => {
  test('is never open: a key and the cookie of a session are refused together', async () => {
    const { secret } = await makeApiKey(admin);
    const answer = await admin.request('/api/contacts', { headers: { authorization: `Bearer ${secret}` } });
    expect(await judge(answer)).toEqual([400, 'api_key_with_session']);
  });

  test('a proxy in front may add a token of its own to the request of somebody signed in', async () => {
    const bearer = await admin.request('/api/contacts', { headers: { authorization: 'Bearer eyJhbGciOi' } });
    const basic = await admin.request('/api/contacts', { headers: { authorization: 'Basic YTpi' } });
    expect([bearer.status, basic.status]).toEqual([200, 200]);
  });

  test('a key needs no page of ours behind it, and no page of another site may read the answer', async () => {
    const { program } = await keyOf(admin);
    const headers = { origin: 'https://elsewhere.example', 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'Ann', phone: '+14155552681' });
    const answer = await program.request('/api/contacts', { method: 'POST', headers, body });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    const preflight = await api.app.request(`${PUBLIC_URL}/api/contacts`, {
      method: 'OPTIONS',
      headers: { origin: headers.origin, 'access-control-request-headers': 'authorization' },
    });
    expect([preflight.ok, preflight.headers.get('access-control-allow-origin')]).toEqual([false, null]);
  });

  test('the log says the name of the key and of its owner', async () => {
    const { program } = await keyOf(admin, { name: 'Web shop' });
    const added = await program.post('/api/contacts', { name: 'Logged', phone: '+14155552672' });
    const { id } = await added.json<{ id: string }>();
    const { rows } = await query(
      `SELECT a.user_id, a.user_name, e.actor->>'kind' AS kind FROM activities a
         JOIN events e ON e.subject_id = a.subject_id WHERE a.subject_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ user_id: null, user_name: 'Web shop (admin Acme)', kind: 'api-key' }]);
  });

  test('an idempotency key of a program answers nobody else', async () => {
    const { program } = await keyOf(admin);
    const wish = { name: 'Once', phone: '+14155552673' };
    const act = crypto.randomUUID();
    const first = await program.post('/api/contacts', wish, act);
    const again = await program.post('/api/contacts', wish, act);
    expect(await again.json()).toEqual(await first.json());
    expect(await judge(await admin.post('/api/contacts', wish, act))).toEqual([409, 'contact_phone_taken']);
  });
});

longTest('so many requests a minute, told in headers, and then a time to wait', async () => {
  const { program } = await keyOf(admin, { scopes: ['contacts:read'] });
  const first = await program.get('/api/custom-fields');
  expect(first.headers.get('ratelimit-policy')).toBe(`"key";q=${REQUESTS_PER_MINUTE};w=60`);
  expect(first.headers.get('ratelimit')).toBe(`"key";r=${REQUESTS_PER_MINUTE - 1};t=60`);
  // A refused request counts as well.
  await program.get('/api/profile');
  for (let sent = 2; sent < REQUESTS_PER_MINUTE; sent += 1) await program.get('/api/nowhere');
  const last = await program.get('/api/custom-fields');
  expect(await judge(last)).toEqual([429, 'too_many_requests']);
  expect(last.headers.get('ratelimit')).toMatch(/^"key";r=0;t=\d+$/);
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
  const { program: other } = await keyOf(admin, { scopes: ['contacts:read'] });
  expect(await ask(other)).toEqual([200, 'passes']);
  api.advance(60_000);
  expect(await ask(program)).toEqual([200, 'passes']);
});
