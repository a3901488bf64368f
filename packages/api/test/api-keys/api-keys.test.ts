import { createHash } from 'node:crypto';
import { MOST_API_KEYS } from '@app/domain/api-keys/api-key-rules';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openApiFixture, signIn, type ApiCaller, type ApiFixture, type ApiResponse } from '../api-fixture.ts';
import { readAnswer } from '../http-edge/contract-routes.ts';
import { addCaller } from '../users/add-person.ts';
import { makeApiKey, openProgram, type KeyWish } from './key-caller.ts';

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

describe('making a key', () => {
  test('shows its secret once, and keeps a hash of it', async () => {
    const { id, secret, prefix } = await makeApiKey(admin, { name: 'The shop', scopes: ['contacts:read'] });
    expect(secret).toMatch(/^wmp_[0-9a-f]{12}_[0-9A-Za-z]{56}$/);
    expect(secret.startsWith(`${prefix}_`)).toBe(true);
    const list = await (await admin.get('/api/api-keys')).text();
    expect(list).toContain(prefix);
    expect(list).not.toContain(secret.slice(prefix.length + 1));
    const { rows } = await query('SELECT * FROM api_keys WHERE id = $1', [id]);
    expect(rows[0].secret_hash).toEqual(createHash('sha256').update(secret).digest());
    // Nor is it kept as the answer to an act, in a fact or in the log.
    for (const table of ['api_keys', 'idempotency_keys', 'events', 'activities']) {
      const { rows: all } = await query(`SELECT t::text AS text FROM ${table} t`);
      expect([table, all.filter(({ text }) => text.includes(secret.slice(-40))).length]).toEqual([table, 0]);
    }
  });

  test('asks for a recent proof', async () => {
    const late = await signIn(api.app, 'agent@acme.test');
    await query(`UPDATE sessions SET proven_at = now() - interval '16 minutes' WHERE user_id = $1`, [
      await api.userId('agent@acme.test'),
    ]);
    const wish = { keyId: crypto.randomUUID(), name: 'A', scopes: ['contacts:read'], expiresAt: null };
    expect(await judge(await late.post('/api/api-keys', wish))).toEqual([403, 'password_needed']);
  });

  test('takes place once under one id', async () => {
    const keyId = crypto.randomUUID();
    const wish = { keyId, name: 'Twice', scopes: ['contacts:read'], expiresAt: null };
    const both = await Promise.all([admin.post('/api/api-keys', wish), admin.post('/api/api-keys', wish)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await judge(await admin.post('/api/api-keys', wish))).toEqual([409, 'api_key_known']);
    // In another workspace the id is as good as any.
    const other = await api.asOther();
    expect(await judge(await other.post('/api/api-keys', wish))).toEqual([200, 'passes']);
    const { rows } = await query('SELECT workspace_id FROM api_keys WHERE id = $1', [keyId]);
    expect(rows.map(({ workspace_id }) => workspace_id).toSorted()).toEqual(
      [api.workspaceId, api.otherWorkspaceId].toSorted(),
    );
  });

  test.each<[wrong: object, code: string, field?: string]>([
    [{ scopes: ['users:manage'] }, 'permission_not_held', 'scopes'],
    [{ scopes: ['templates:delete'] }, 'permission_not_held', 'scopes'],
    [{ scopes: [] }, 'invalid_input'],
    [{ scopes: ['contacts:all'] }, 'invalid_input'],
    [{ name: '   ' }, 'invalid_input'],
    [{ name: 'x'.repeat(81) }, 'invalid_input'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 'api_key_expiry_invalid', 'expiresAt'],
    [{ expiresAt: '2099-01-01T00:00:00Z' }, 'api_key_expiry_invalid', 'expiresAt'],
    [{ expiresAt: 'tomorrow' }, 'invalid_input'],
    [{ allowedAddresses: ['10.0.0.0/33'] }, 'invalid_input'],
    [{ allowedAddresses: ['example.com'] }, 'invalid_input'],
    [{ allowedAddresses: Array.from({ length: 21 }, (_, n) => `10.0.0.${n}`) }, 'invalid_input'],
    [{ keyId: '1abc' }, 'invalid_input'],
    [{ userId: crypto.randomUUID() }, 'invalid_input'],
  ])('refuses %j', async (wrong, code, field) => {
    const agent = await signIn(api.app, 'agent@acme.test');
    const wish = { keyId: crypto.randomUUID(), name: 'A', scopes: ['contacts:read'], expiresAt: null };
    const answer = await readAnswer(await agent.post('/api/api-keys', { ...wish, ...wrong }));
    expect(answer).toMatchObject({ code, ...(field && { details: { field } }) });
  });

  test('ends with as many as a person can have, also when they come at once', async () => {
    const { caller, id } = await addCaller(api, 'agent');
    const wish = () => ({
      keyId: crypto.randomUUID(),
      name: 'Many',
      scopes: ['contacts:read'],
      expiresAt: null,
    });
    const answers = await Promise.all(
      Array.from({ length: MOST_API_KEYS + 5 }, () => caller.post('/api/api-keys', wish())),
    );
    const codes = await Promise.all(answers.map(judge));
    expect(codes.filter(([status]) => status === 200).length).toBe(MOST_API_KEYS);
    expect(codes.filter(([, code]) => code === 'too_many_api_keys').length).toBe(5);
    const { rows } = await query('SELECT count(*)::int AS n FROM api_keys WHERE user_id = $1', [id]);
    expect(rows[0].n).toBe(MOST_API_KEYS);
  });
});

describe('who looks after keys', () => {
  test('one renames one’s own, and the log says both names', async () => {
    const { id } = await makeApiKey(admin, { name: 'Before' });
    const renamed = await admin.patch(`/api/api-keys/${id}`, { name: 'After' });
    expect(await renamed.json()).toMatchObject({ id, name: 'After' });
    await admin.patch(`/api/api-keys/${id}`, { name: 'After' });
    const { rows } = await query(
      `SELECT "values" FROM activities WHERE fact_type = 'api_key.renamed' AND subject_id = $1`,
      [id],
    );
    expect(rows.map(({ values }) => [values.before, values.name])).toEqual([['Before', 'After']]);
  });

  test('those who look after the workspace see and revoke all, and rename none', async () => {
    const agent = await signIn(api.app, 'manager@acme.test');
    const { id, program } = await keyOf(agent, { name: 'Of a manager', scopes: ['contacts:read'] });
    expect(await ask(agent, '/api/api-keys/all')).toEqual([403, 'FORBIDDEN']);
    const all = await admin.get('/api/api-keys/all?limit=200');
    const { items } = await all.json<{ items: { id: string; owner: { name: string } }[] }>();
    expect(items.find((key) => key.id === id)?.owner.name).toBe('manager Acme');
    expect(await judge(await admin.patch(`/api/api-keys/${id}`, { name: 'Mine' }))).toEqual([
      404,
      'api_key_not_found',
    ]);
    expect((await admin.delete(`/api/api-keys/${id}`)).status).toBe(200);
    expect(await ask(program)).toEqual([401, 'api_key_invalid']);
  });

  test('nobody else hears that a key is there', async () => {
    const { id } = await makeApiKey(admin);
    const viewer = await api.as('viewer');
    for (const stranger of [viewer, await api.asOther()]) {
      expect(await judge(await stranger.delete(`/api/api-keys/${id}`))).toEqual([404, 'api_key_not_found']);
      expect(await judge(await stranger.patch(`/api/api-keys/${id}`, { name: 'X' }))).toEqual([
        404,
        'api_key_not_found',
      ]);
      expect(await (await stranger.get('/api/api-keys')).text()).not.toContain(id);
    }
    const other = await (await (await api.asOther()).get('/api/api-keys/all')).text();
    expect(other).not.toContain(id);
  });

  test('a list goes on page by page', async () => {
    const other = await api.asOther();
    const made: string[] = [];
    for (let n = 0; n < 5; n += 1) made.push((await makeApiKey(other)).id);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const address: string = `/api/api-keys/all?limit=2${cursor && `&cursor=${cursor}`}`;
      const page: { items: { id: string }[]; nextCursor: string | null } = await (
        await other.get(address)
      ).json();
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(seen.filter((id) => made.includes(id))).toEqual(made.toReversed());
    expect(new Set(seen).size).toBe(seen.length);
  });
});
