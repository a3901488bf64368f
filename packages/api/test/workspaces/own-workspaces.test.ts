import { newId } from '@app/database/new-id';
import { sampleAddressOf } from '@app/domain/auth/sample-addresses';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { openApiFixture, PASSWORD, signIn, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { callWithKey, makeApiKey } from '../api-keys/key-caller.ts';
import { codeOf } from '../http-edge/code-of.ts';
import { addCaller } from '../users/add-person.ts';
import { enterWorkspace, tabOf } from './tabs.ts';

let api: ApiFixture;
let admin: ApiCaller;
beforeEach(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
});
afterEach(() => api.close());

type Listed = { workspaces: { workspaceId: string; name: string; role: string }[]; mayCreate: boolean };
const listOf = async (caller: ApiCaller) => (await caller.get('/api/workspaces')).json<Listed>();
const create = async (caller: ApiCaller, body: object, key?: string) => {
  const answer = await caller.post('/api/workspaces', body, key);
  return answer.json<{ workspaceId: string }>();
};
const leave = (caller: ApiCaller, workspaceId: string) =>
  tabOf(caller, workspaceId).post('/api/workspaces/leave', { workspaceId });
const query = async <Row extends object>(text: string, values: unknown[]) =>
  (await api.db.systemPool.query<Row>(text, values)).rows;

describe('the list of own workspaces', () => {
  test('has those in which the person is a member, by name, with their role there', async () => {
    const { id, caller } = await addCaller(api, 'viewer');
    expect(await listOf(caller)).toEqual({
      workspaces: [{ workspaceId: api.workspaceId, name: 'Acme', role: 'viewer' }],
      mayCreate: false,
    });
    await enterWorkspace(api, { userId: id, workspaceId: api.otherWorkspaceId, role: 'admin' });
    await query(`UPDATE workspaces SET settings = settings || '{"businessName": "a shop"}' WHERE id = $1`, [
      api.otherWorkspaceId,
    ]);
    expect(await listOf(caller)).toEqual({
      workspaces: [
        { workspaceId: api.otherWorkspaceId, name: 'a shop', role: 'admin' },
        { workspaceId: api.workspaceId, name: 'Acme', role: 'viewer' },
      ],
      mayCreate: true,
    });
  });

  test('is answered wherever the request is, and to nobody who is not signed in', async () => {
    for (const name of [api.workspaceId, api.otherWorkspaceId, newId(), 'acme', '']) {
      expect((await listOf(tabOf(admin, name))).workspaces).toHaveLength(1);
      expect((await tabOf(api.stranger, name).get('/api/workspaces')).status).toBe(401);
      const rpc = await tabOf(admin, name).post('/api/rpc/workspaces/list', { json: {} });
      expect(rpc.status).toBe(200);
      // Nothing else is.
      const isOwn = name === api.workspaceId;
      expect((await tabOf(admin, name).get('/api/profile')).status).toBe(isOwn ? 200 : 404);
      expect((await tabOf(admin, name).post('/api/workspaces', { name: 'x' })).status).toBe(
        isOwn ? 200 : 404,
      );
      if (isOwn) await query('DELETE FROM workspaces WHERE name = $1', ['x']);
    }
  });

  test('is there for who must set up a second factor in the workspace that the request names', async () => {
    await query('UPDATE workspaces SET requires_two_factor = true WHERE id = $1', [api.workspaceId]);
    expect(await codeOf(await admin.get('/api/contacts'))).toBe('two_factor_needed');
    expect((await listOf(admin)).workspaces).toHaveLength(1);
  });

  longTest('is without a sample that is closed', async () => {
    const namesWhere = async (isLocalOnly: boolean) => {
      await api.close();
      api = await openApiFixture({ isLocalOnly });
      const { id, caller } = await addCaller(api, 'agent');
      await enterWorkspace(api, { userId: id, workspaceId: api.otherWorkspaceId });
      await query('UPDATE workspaces SET is_sample = true WHERE id = $1', [api.otherWorkspaceId]);
      return (await listOf(caller)).workspaces.map(({ name }) => name);
    };
    expect(await namesWhere(true)).toEqual(['Acme', 'Other']);
    expect(await namesWhere(false)).toEqual(['Acme']);
  });
});

describe('a new workspace', () => {
  test('has its maker as admin, its own name, language and time zone, and nothing of any other', async () => {
    await admin.post('/api/contacts', { name: 'Of Acme', phone: '+14155552601' });
    const body = { name: '  Second \n shop ', language: 'de', timeZone: 'Europe/Paris' };
    const { workspaceId } = await create(admin, body);
    const there = tabOf(admin, workspaceId);
    expect(await (await there.get('/api/session')).json()).toMatchObject({
      workspace: { id: workspaceId, name: 'Second shop', businessName: 'Second shop', isSample: false },
      role: 'admin',
    });
    expect(await (await there.get('/api/contacts')).json()).toMatchObject({ items: [] });
    expect(await (await there.get('/api/settings/general')).json()).toMatchObject({
      ...{ businessName: 'Second shop', language: 'de', timeZone: 'Europe/Paris' },
    });
    expect(await (await there.get('/api/users')).json()).toMatchObject({
      items: [{ email: 'admin@acme.test', role: 'admin' }],
    });
    const entriesOf = async (caller: ApiCaller) =>
      (
        await (await caller.get('/api/activities')).json<{ items: { fact: { type: string } | null }[] }>()
      ).items
        .map(({ fact }) => fact?.type)
        .filter((type) => type?.startsWith('workspace.'));
    expect(await entriesOf(there)).toEqual(['workspace.created']);
    expect(await entriesOf(tabOf(admin, api.workspaceId))).toEqual([]);
    expect((await listOf(admin)).workspaces.map(({ name }) => name)).toEqual(['Acme', 'Second shop']);
    // A request without a name stays where the person has been the longest.
    expect(await (await admin.get('/api/session')).json()).toMatchObject({ workspace: { slug: 'acme' } });
  });

  test('is made once under one key, however often and at whatever time it is asked for', async () => {
    const key = crypto.randomUUID();
    const body = { name: 'Once' };
    const made = await Promise.all([1, 2, 3].map(() => create(admin, body, key)));
    made.push(await create(admin, body, key));
    expect(new Set(made.map(({ workspaceId }) => workspaceId)).size).toBe(1);
    expect((await listOf(admin)).workspaces.filter(({ name }) => name === 'Once')).toHaveLength(1);
    await create(admin, body);
    expect((await listOf(admin)).workspaces.filter(({ name }) => name === 'Once')).toHaveLength(2);
  });

  test('is not called nothing, blanks, or more than a hundred letters', async () => {
    for (const name of ['', '   ', 'x'.repeat(101)])
      expect((await admin.post('/api/workspaces', { name })).status, name).toBe(422);
  });

  test('is made by who is an admin somewhere, and not by an account whose password everybody knows', async () => {
    const { id, caller } = await addCaller(api, 'manager');
    expect(await codeOf(await caller.post('/api/workspaces', { name: 'No' }))).toBe('workspaces_by_admins');
    await enterWorkspace(api, { userId: id, workspaceId: api.otherWorkspaceId, role: 'admin' });
    expect((await caller.post('/api/workspaces', { name: 'Yes' })).status).toBe(200);
    const adminId = await api.userId('admin@acme.test');
    await query('UPDATE users SET email = $2 WHERE id = $1', [adminId, sampleAddressOf.admin]);
    expect(await codeOf(await admin.post('/api/workspaces', { name: 'No' }))).toBe('sample_account');
    expect((await listOf(admin)).mayCreate).toBe(false);
  });

  test('is closed to everybody else', async () => {
    const { workspaceId } = await create(admin, { name: 'Mine' });
    const manager = await api.as('manager');
    expect((await tabOf(manager, workspaceId).get('/api/session')).status).toBe(404);
    expect((await listOf(manager)).workspaces).toHaveLength(1);
  });
});

describe('whoever leaves a workspace', () => {
  test('is no member there, keeps account and session elsewhere, and nothing of theirs stays open', async () => {
    const { id, email, caller } = await addCaller(api, 'agent', 'Lea');
    await enterWorkspace(api, { userId: id, workspaceId: api.otherWorkspaceId, role: 'manager' });
    const { secret } = await makeApiKey(tabOf(caller, api.workspaceId), {
      name: 'Shop',
      scopes: ['contacts:read'],
    });
    const program = callWithKey(api, secret);
    expect((await program.get('/api/contacts')).status).toBe(200);
    expect((await leave(caller, api.workspaceId)).status).toBe(200);
    expect((await tabOf(caller, api.workspaceId).get('/api/session')).status).toBe(404);
    expect((await program.get('/api/contacts')).status).toBe(401);
    expect(await listOf(caller)).toMatchObject({ workspaces: [{ workspaceId: api.otherWorkspaceId }] });
    expect((await caller.get('/api/session')).status).toBe(200);
    await signIn(api.app, email);
    const entries = await (
      await admin.get('/api/activities')
    ).json<{ items: { fact: { type: string } | null }[] }>();
    expect(entries.items[0]?.fact).toMatchObject({ type: 'workspace.left', values: { name: 'Lea Haddad' } });
  });

  test('a second time, or without naming it, leaves no other one', async () => {
    const { id, caller } = await addCaller(api, 'agent');
    await enterWorkspace(api, { userId: id, workspaceId: api.otherWorkspaceId });
    expect((await leave(caller, api.workspaceId)).status).toBe(200);
    expect(await codeOf(await leave(caller, api.workspaceId))).toBe('workspace_not_found');
    const unnamed = await caller.post('/api/workspaces/leave', { workspaceId: api.workspaceId });
    expect(await codeOf(unnamed)).toBe('workspace_not_found');
    expect((await caller.post('/api/workspaces/leave', {})).status).toBe(422);
    expect((await listOf(caller)).workspaces).toHaveLength(1);
  });

  test('takes the account along that belongs to no other workspace', async () => {
    const { id, email, caller } = await addCaller(api, 'agent');
    expect((await leave(caller, api.workspaceId)).status).toBe(200);
    expect((await caller.get('/api/workspaces')).status).toBe(401);
    expect(await query('SELECT FROM users WHERE id = $1', [id])).toEqual([]);
    const again = await api.stranger.post('/api/auth/sign-in/email', { email, password: PASSWORD });
    expect(again.status).toBe(401);
  });

  test('of two in their last two at the same moment the second takes the account along', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { id, caller } = await addCaller(api, 'agent');
      await enterWorkspace(api, { userId: id, workspaceId: api.otherWorkspaceId });
      await Promise.all([leave(caller, api.workspaceId), leave(caller, api.otherWorkspaceId)]);
      expect(await query('SELECT FROM users WHERE id = $1', [id])).toEqual([]);
    }
  });

  test('is not its last admin, also of two who leave at the same moment', async () => {
    expect(await codeOf(await leave(admin, api.workspaceId))).toBe('last_admin');
    const { caller } = await addCaller(api, 'admin');
    const answers = await Promise.all([leave(admin, api.workspaceId), leave(caller, api.workspaceId)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const admins = await query(`SELECT FROM memberships WHERE workspace_id = $1 AND role = 'admin'`, [
      api.workspaceId,
    ]);
    expect(admins).toHaveLength(1);
  });

  test('hears of nothing there any more', async () => {
    const { id, caller } = await addCaller(api, 'agent');
    await enterWorkspace(api, { userId: id, workspaceId: api.otherWorkspaceId });
    const stream = await caller.get(`/api/events?workspace=${api.workspaceId}`);
    const reader = stream.body!.getReader(); // an answer with 200 has one
    await leave(caller, api.workspaceId);
    const isOver = async (): Promise<boolean> => (await reader.read()).done || isOver();
    expect(await isOver()).toBe(true);
  });
});
