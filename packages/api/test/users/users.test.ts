import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { openApiFixture, PASSWORD, signIn, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { readAnswer } from '../http-edge/contract-routes.ts';
import { addCaller, addPerson } from './add-person.ts';

type User = {
  id: string;
  firstName: string;
  email: string;
  role: string;
  requestedRole: string | null;
  status: string;
  isOnline: boolean;
  permissions: string[];
  version: number;
};
type Page = { items: User[]; nextCursor: string | null };

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
});
afterAll(() => api.close());

const read = async (id: string) => (await admin.get(`/api/users/${id}`)).json<User>();
const codeOf = async (answer: ReturnType<ApiCaller['get']>) => (await readAnswer(await answer)).code;
const isOpen = async (caller: ApiCaller) => (await (await caller.get('/api/session')).json()) !== null;

describe('the list', () => {
  test.each(['name', 'newest', 'last_login'])(
    'goes on page after page by %s, each person once',
    async (sort) => {
      for (const name of ['Ana', 'ana', 'Bo']) await addPerson(api, 'viewer', name);
      const all = await (await admin.get(`/api/users?sort=${sort}&limit=200`)).json<Page>();
      const seen: string[] = [];
      let cursor = '';
      do {
        const page = await (await admin.get(`/api/users?sort=${sort}&limit=2&cursor=${cursor}`)).json<Page>();
        seen.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor ?? '';
      } while (cursor);
      expect(seen).toEqual(all.items.map(({ id }) => id));
      expect(new Set(seen).size).toBe(seen.length);
    },
  );

  test('is searched by name, address and phone, and filtered by role and status', async () => {
    const { email, id } = await addPerson(api, 'agent', 'Zoë 100%');
    const find = async (query: string) =>
      (await (await admin.get(`/api/users?${query}`)).json<Page>()).items.map((found) => found.id);
    expect(await find('search=zo%C3%AB')).toEqual([id]);
    expect(await find('search=100%25')).toEqual([id]);
    expect(await find(`search=${email.slice(0, 20)}`)).toEqual([id]);
    expect(await find('search=zo%C3%AB&role=admin')).toEqual([]);
    expect(await find('search=zo%C3%AB&status=active')).toEqual([id]);
    expect(await find('search=zo%C3%AB&status=waiting')).toEqual([]);
  });

  test('is for those who may read users', async () => {
    expect((await (await api.as('manager')).get('/api/users')).status).toBe(200);
    for (const role of ['agent', 'viewer'] as const)
      expect((await (await api.as(role)).get('/api/users')).status).toBe(403);
  });

  test('never shows a password, a token or a person of another workspace', async () => {
    const text = await (await admin.get('/api/users?limit=200')).text();
    expect(text).not.toContain('other.test');
    expect(text).not.toMatch(/password|token/i);
  });
});

describe('changing somebody', () => {
  test('keeps what is not named, and follows the version that was seen', async () => {
    const { id } = await addPerson(api, 'viewer');
    const { version } = await read(id);
    const changed = await admin.patch(`/api/users/${id}`, { version, firstName: ' Nora ', role: 'agent' });
    expect(await changed.json()).toMatchObject({ firstName: 'Nora', lastName: 'Haddad', role: 'agent' });
    expect(await codeOf(admin.patch(`/api/users/${id}`, { version, firstName: 'Late' }))).toBe(
      'user_changed',
    );
    expect(await read(id)).toMatchObject({ firstName: 'Nora' });
  });

  test('refuses what the sign-up form refuses, and names the field', async () => {
    const { id } = await addPerson(api, 'viewer');
    const { version } = await read(id);
    const answer = await readAnswer(await admin.patch(`/api/users/${id}`, { version, firstName: ' ' }));
    expect(answer).toMatchObject({ code: 'user_fields_invalid', details: { field: 'firstName' } });
    expect(await codeOf(admin.patch(`/api/users/${id}`, { version, phoneNumber: 'call me' }))).toBe(
      'user_fields_invalid',
    );
  });

  test('a new role counts with the next request, and the old stream ends', async () => {
    const { id, caller } = await addCaller(api, 'manager');
    const stream = await caller.get('/api/events');
    const reader = stream.body!.getReader(); // a 200 of this route always has a body
    const { version } = await read(id);
    await admin.patch(`/api/users/${id}`, { version, role: 'viewer' });
    expect((await caller.get('/api/users')).status).toBe(403);
    let isOver = false;
    while (!isOver) isOver = (await reader.read()).done;
    expect(await isOpen(caller)).toBe(true);
  });
});

describe('nobody rises above their place', () => {
  const own = async (caller: ApiCaller) =>
    (await (await caller.get('/api/session')).json<{ user: { id: string } }>()).user.id;

  /** Managers who may manage users, in this workspace. */
  async function withPowerfulManagers(work: (manager: ApiCaller) => Promise<void>) {
    const set = (permissions: string[] | null) =>
      api.db.systemPool.query('UPDATE workspaces SET role_permissions = $2 WHERE id = $1', [
        api.workspaceId,
        JSON.stringify(permissions ? { manager: permissions } : {}),
      ]);
    await set(['users:manage', 'contacts:manage', 'campaigns:manage', 'templates:manage', 'messages:manage']);
    try {
      await work(await api.as('manager'));
    } finally {
      await set(null);
    }
  }

  test('nobody changes, deactivates or deletes themself', async () => {
    const id = await own(admin);
    const { version } = await read(id);
    expect(await codeOf(admin.patch(`/api/users/${id}`, { version, role: 'agent' }))).toBe('user_is_self');
    expect(await codeOf(admin.post(`/api/users/${id}/deactivate`, {}))).toBe('user_is_self');
    expect(await codeOf(admin.delete(`/api/users/${id}`, {}))).toBe('user_is_self');
  });

  test('who manages users gives no role above their own, and touches nobody above them', () =>
    withPowerfulManagers(async (manager) => {
      const { id } = await addPerson(api, 'viewer');
      const { version } = await read(id);
      expect(await codeOf(manager.patch(`/api/users/${id}`, { version, role: 'admin' }))).toBe(
        'role_too_high',
      );
      expect((await manager.patch(`/api/users/${id}`, { version, role: 'agent' })).status).toBe(200);
      const boss = await addPerson(api, 'admin');
      expect(await codeOf(manager.post(`/api/users/${boss.id}/deactivate`, {}))).toBe('user_above');
      expect(await codeOf(manager.delete(`/api/users/${boss.id}`, {}))).toBe('user_above');
      expect(await codeOf(manager.post(`/api/users/${boss.id}/end-sessions`, {}))).toBe('user_above');
      await admin.delete(`/api/users/${boss.id}`, {});
    }));

  test('who manages users decides on no permission that they do not have', () =>
    withPowerfulManagers(async (manager) => {
      const { version } = await (await manager.get('/api/role-permissions')).json<{ version: number }>();
      const set = (role: string, permissions: string[]) =>
        manager.put('/api/role-permissions', { version, changes: [{ role, permissions }] });
      expect(await codeOf(set('agent', ['settings:read']))).toBe('permission_not_held');
      expect(await codeOf(set('manager', ['users:manage', 'settings:manage']))).toBe('permission_not_held');
      expect((await set('viewer', ['contacts:read'])).status).toBe(200);
    }));

  test('unknown fields and ids of the wrong shape are refused', async () => {
    const { id } = await addPerson(api, 'viewer');
    expect(await codeOf(admin.patch(`/api/users/${id}`, { version: 1, isAdmin: true }))).toBe(
      'invalid_input',
    );
    expect(await codeOf(admin.patch(`/api/users/${id}`, { version: 1, role: ['admin'] }))).toBe(
      'invalid_input',
    );
    expect(await codeOf(admin.get('/api/users/1abc'))).toBe('invalid_input');
  });
});

describe('who asked to join', () => {
  async function ask(role: string): Promise<{ id: string; email: string }> {
    const email = `asks-${crypto.randomUUID()}@acme.test`;
    const person = { firstName: 'Ida', lastName: 'Berg', phoneNumber: '', password: PASSWORD };
    await api.stranger.post('/api/auth/sign-up/email', { ...person, email, role });
    return { id: await api.userId(email), email };
  }

  longTest('waits, and is let in with the role that they asked for or a smaller one', async () => {
    const [one, other] = [await ask('manager'), await ask('admin')];
    expect(await read(one.id)).toMatchObject({ status: 'waiting', requestedRole: 'manager' });
    await expect(signIn(api.app, one.email)).rejects.toThrow('account_inactive');
    const { version } = await read(one.id);
    expect(await codeOf(admin.patch(`/api/users/${one.id}`, { version, role: 'admin' }))).toBe('user_waits');

    expect(await (await admin.post(`/api/users/${one.id}/activate`, {})).json()).toMatchObject({
      status: 'active',
      role: 'manager',
    });
    await admin.post(`/api/users/${other.id}/activate`, { role: 'viewer' });
    expect(await read(other.id)).toMatchObject({ status: 'active', role: 'viewer', requestedRole: null });
    await signIn(api.app, one.email);
  });

  test('is declined, and may ask again', async () => {
    const { id, email } = await ask('agent');
    expect((await admin.delete(`/api/users/${id}`, {})).status).toBe(200);
    expect(await codeOf(admin.get(`/api/users/${id}`))).toBe('user_not_found');
    const again = { firstName: 'Ida', lastName: 'Berg', email, phoneNumber: '', password: PASSWORD };
    expect((await api.stranger.post('/api/auth/sign-up/email', { ...again, role: 'agent' })).status).toBe(
      200,
    );
  });
});

describe('leaving', () => {
  test('deactivating ends requests, streams and sign-in at once, and activating brings nobody back in by itself', async () => {
    const { id, email, caller } = await addCaller(api, 'agent');
    const stream = await caller.get('/api/events');
    const reader = stream.body!.getReader(); // a 200 of this route always has a body
    expect(await (await admin.post(`/api/users/${id}/deactivate`, {})).json()).toMatchObject({
      status: 'inactive',
    });
    expect((await caller.get('/api/contacts')).status).toBe(401);
    let isOver = false;
    while (!isOver) isOver = (await reader.read()).done;
    await expect(signIn(api.app, email)).rejects.toThrow('account_inactive');

    await admin.post(`/api/users/${id}/activate`, {});
    expect((await caller.get('/api/contacts')).status).toBe(401);
    await signIn(api.app, email);
  });

  test('deleting takes the account with its sessions, links and address, and leaves the name in the audit log', async () => {
    const { id, email, caller } = await addCaller(api, 'agent', 'Ingrid');
    await caller.post('/api/contacts', { name: 'Ann', phone: '+14155550188' });
    expect(await codeOf(admin.delete(`/api/users/${id}`, { handOverTo: crypto.randomUUID() }))).toBe(
      'heir_not_found',
    );
    expect(await isOpen(caller)).toBe(true);
    expect((await admin.delete(`/api/users/${id}`, {})).status).toBe(200);
    expect((await caller.get('/api/contacts')).status).toBe(401);
    for (const table of ['sessions', 'accounts', 'memberships'])
      expect((await api.db.systemPool.query(`SELECT FROM ${table} WHERE user_id = $1`, [id])).rowCount).toBe(
        0,
      );
    const { rows } = await api.db.systemPool.query(
      `SELECT user_name FROM activities WHERE user_id = $1 AND fact_type = 'contact.created'`,
      [id],
    );
    expect(rows).toEqual([{ user_name: 'Ingrid Haddad' }]);
    const kept = await api.db.systemPool.query(
      `SELECT FROM activities a WHERE to_jsonb(a)::text LIKE '%' || $1 || '%'`,
      [email],
    );
    expect(kept.rowCount).toBe(0);
  });

  test.each(['deactivate', 'delete'] as const)(
    'to %s somebody hands over their unfinished conversations',
    async (how) => {
      const [{ id }, heir] = [await addPerson(api, 'agent'), await addPerson(api, 'agent')];
      const channel = await api.addChannel();
      const query = (text: string, values: unknown[]) => api.db.systemPool.query(text, values);
      for (const status of ['open', 'waiting', 'resolved'])
        await query(
          `WITH person AS (INSERT INTO contacts (id, workspace_id, name, phone)
           VALUES (gen_random_uuid(), $1, $3, '+1415' || floor(random() * 8999999 + 1000000)::text) RETURNING id)
         INSERT INTO conversations (id, workspace_id, contact_id, channel_id, status, assignee_id, last_activity_at)
         SELECT gen_random_uuid(), $1, id, $2, $3, $4, now() FROM person`,
          [api.workspaceId, channel, status, id],
        );
      const assigned = async () => {
        const { rows } = await query(
          'SELECT status, assignee_id FROM conversations WHERE channel_id = $1 ORDER BY status',
          [channel],
        );
        return rows.map(({ status, assignee_id }) => [status, assignee_id]);
      };
      const answer =
        how === 'delete'
          ? await admin.delete(`/api/users/${id}`, { handOverTo: heir.id })
          : await admin.post(`/api/users/${id}/deactivate`, { handOverTo: heir.id });
      expect(answer.status).toBe(200);
      expect(await assigned()).toEqual([
        ['open', heir.id],
        ['resolved', how === 'delete' ? null : id],
        ['waiting', heir.id],
      ]);
      await admin.post(`/api/users/${heir.id}/deactivate`, {});
      expect((await assigned()).filter(([status]) => status !== 'resolved')).toEqual([
        ['open', null],
        ['waiting', null],
      ]);
      await query('DELETE FROM channels WHERE id = $1', [channel]);
    },
  );

  test('each act is told once, with who did it', async () => {
    const { id } = await addPerson(api, 'viewer', 'Told');
    await admin.post(`/api/users/${id}/deactivate`, {});
    await admin.post(`/api/users/${id}/deactivate`, {});
    await admin.post(`/api/users/${id}/activate`, {});
    await admin.delete(`/api/users/${id}`, {});
    const { rows } = await api.db.systemPool.query(
      `SELECT fact_type, user_name FROM activities WHERE subject_id = $1 ORDER BY occurred_at, id`,
      [id],
    );
    expect(rows.map(({ fact_type }) => fact_type)).toEqual([
      'user.deactivated',
      'user.activated',
      'user.deleted',
    ]);
    expect(new Set(rows.map(({ user_name }) => user_name))).toEqual(new Set(['admin Acme']));
  });
});
