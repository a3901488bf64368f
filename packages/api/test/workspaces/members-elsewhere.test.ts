import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { openApiFixture, PASSWORD, signIn, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { callWithKey, makeApiKey } from '../api-keys/key-caller.ts';
import { codeOf } from '../http-edge/code-of.ts';
import { addCaller } from '../users/add-person.ts';
import { enterWorkspace, tabOf } from './tabs.ts';

let api: ApiFixture;
let admin: ApiCaller;
let elsewhere: ApiCaller;
let person: { id: string; email: string; caller: ApiCaller };
let here: ApiCaller;
let there: ApiCaller;
beforeEach(async () => {
  api = await openApiFixture({ sendsMail: false });
  [admin, elsewhere] = [await api.as('admin'), await api.asOther()];
  person = await addCaller(api, 'agent', 'Noor');
  await enterWorkspace(api, { userId: person.id, workspaceId: api.otherWorkspaceId, role: 'manager' });
  here = tabOf(person.caller, api.workspaceId);
  there = tabOf(person.caller, api.otherWorkspaceId);
});
afterEach(() => api.close());

const query = async <Row extends object>(text: string, values: unknown[]) =>
  (await api.db.systemPool.query<Row>(text, values)).rows;
const statusOf = async (caller: ApiCaller) => (await caller.get('/api/contacts')).status;
const readUser = async (by: ApiCaller) =>
  (await by.get(`/api/users/${person.id}`)).json<{
    version: number;
    role: string;
    status: string;
    sessions: number;
  }>();

describe('somebody who belongs to another workspace too', () => {
  test('is deactivated in one, works on in the other, and comes back', async () => {
    const { secret } = await makeApiKey(there, { name: 'Shop', scopes: ['contacts:read'] });
    const answer = await admin.post(`/api/users/${person.id}/deactivate`, {});
    expect(await answer.json()).toMatchObject({ status: 'inactive' });
    expect([await statusOf(here), await statusOf(there)]).toEqual([404, 200]);
    expect(await readUser(elsewhere)).toMatchObject({ status: 'active', role: 'manager' });
    expect((await callWithKey(api, secret).get('/api/contacts')).status).toBe(200);
    // Without a name it is the one that lets them in, also after a new sign-in.
    const again = await signIn(api.app, person.email);
    expect(await (await again.get('/api/session')).json()).toMatchObject({ workspace: { slug: 'other' } });
    expect(await (await again.get('/api/workspaces')).json()).toMatchObject({
      workspaces: [{ workspaceId: api.otherWorkspaceId }],
    });
    expect((await admin.post(`/api/users/${person.id}/activate`, {})).status).toBe(200);
    expect([await statusOf(here), await statusOf(there)]).toEqual([200, 200]);
  });

  test('is out where both deactivate them, and stays out where one lets them in again', async () => {
    await admin.post(`/api/users/${person.id}/deactivate`, {});
    await elsewhere.post(`/api/users/${person.id}/deactivate`, {});
    expect([await statusOf(here), await statusOf(there)]).toEqual([401, 401]);
    const { email } = person;
    const refused = await api.stranger.post('/api/auth/sign-in/email', { email, password: PASSWORD });
    expect(await codeOf(refused)).toBe('account_inactive');
    await elsewhere.post(`/api/users/${person.id}/activate`, {});
    const again = await signIn(api.app, email);
    expect(await statusOf(tabOf(again, api.workspaceId))).toBe(404);
    expect(await statusOf(tabOf(again, api.otherWorkspaceId))).toBe(200);
  });

  test('gets another role in one alone', async () => {
    const { version } = await readUser(admin);
    const answer = await admin.patch(`/api/users/${person.id}`, { version, role: 'viewer' });
    expect(await answer.json()).toMatchObject({ role: 'viewer' });
    expect(await readUser(elsewhere)).toMatchObject({ role: 'manager' });
  });

  test('is taken out of one with all that is theirs there, and keeps account and session', async () => {
    const { id: teamId } = await (await admin.post('/api/teams', { name: 'Support' })).json<{ id: string }>();
    await admin.post(`/api/teams/${teamId}/members`, { userId: person.id });
    await query(
      'INSERT INTO inbox_people (workspace_id, user_id, is_available) VALUES ($1, $3, false), ($2, $3, false)',
      [api.workspaceId, api.otherWorkspaceId, person.id],
    );
    await query(
      `INSERT INTO notifications (id, workspace_id, user_id, kind, fact_id, is_listed, is_mailed, created_at)
       SELECT gen_random_uuid(), w, $3, 'campaign_completed', 1, true, false, now() FROM unnest(ARRAY[$1, $2]::uuid[]) AS w`,
      [api.workspaceId, api.otherWorkspaceId, person.id],
    );
    expect((await admin.delete(`/api/users/${person.id}`, {})).status).toBe(200);
    expect([await statusOf(here), await statusOf(there)]).toEqual([404, 200]);
    for (const table of ['memberships', 'inbox_people', 'notifications'])
      expect([
        table,
        await query(`SELECT workspace_id FROM ${table} WHERE user_id = $1`, [person.id]),
      ]).toEqual([table, [{ workspace_id: api.otherWorkspaceId }]]);
    expect(await query('SELECT FROM team_members WHERE user_id = $1', [person.id])).toEqual([]);
  });
});

describe('the account of somebody who belongs to another workspace too', () => {
  /** What an admin tries on it. */
  const acts: Record<string, (by: ApiCaller) => ReturnType<ApiCaller['get']>> = {
    'another name': async (by) =>
      by.patch(`/api/users/${person.id}`, { version: (await readUser(by)).version, firstName: 'Mine' }),
    'another address': (by) => by.put(`/api/users/${person.id}/email`, { email: 'mine@acme.test' }),
    'no second factor': async (by) => {
      await query(
        `INSERT INTO two_factor (user_id, secret_sealed, enabled_at, created_at) VALUES ($1, 'sealed', now(), now()) ON CONFLICT DO NOTHING`,
        [person.id],
      );
      return by.post(`/api/users/${person.id}/reset-factors`, { removesPasskeys: true });
    },
    'no session': (by) => by.post(`/api/users/${person.id}/end-sessions`, {}),
  };
  const readAccount = () =>
    query(
      `SELECT u.email, u.name, (SELECT count(*)::int FROM two_factor f WHERE f.user_id = u.id) AS factors,
              (SELECT count(*)::int FROM sessions s WHERE s.user_id = u.id AND s.ended_at IS NULL) AS sessions FROM users u WHERE u.id = $1`,
      [person.id],
    );

  longTest.each(Object.keys(acts))(
    'gets %s from no admin of one of them, whichever they are',
    async (name) => {
      for (const by of [admin, elsewhere]) {
        expect(await codeOf(await acts[name]!(by))).toBe('user_elsewhere');
        expect(await readAccount()).toMatchObject([
          { email: person.email, name: 'Noor Haddad', sessions: 1 },
        ]);
      }
      expect((await here.get('/api/session')).status).toBe(200);
    },
  );

  longTest.each(Object.keys(acts))('gets %s from the only one that it belongs to', async (name) => {
    await elsewhere.delete(`/api/users/${person.id}`, {});
    const before = await readAccount();
    expect((await acts[name]!(admin)).status).toBe(200);
    expect(await readAccount()).not.toEqual(before);
  });

  test('is not changed either while the other place waits or is closed', async () => {
    await elsewhere.post(`/api/users/${person.id}/deactivate`, {});
    for (const act of Object.values(acts)) expect(await codeOf(await act(admin))).toBe('user_elsewhere');
  });

  test('shows its sessions to its owner alone, who ends them', async () => {
    const second = await signIn(api.app, person.email);
    for (const by of [admin, elsewhere]) {
      const listed = await (await by.get(`/api/sessions?userId=${person.id}`)).json();
      expect(listed).toMatchObject({ items: [] });
      expect((await readUser(by)).sessions).toBe(0);
    }
    const own = await (
      await here.get('/api/profile/sessions')
    ).json<{ items: { id: string; isCurrent: boolean }[] }>();
    expect(own.items).toHaveLength(2);
    const other = own.items.find(({ isCurrent }) => !isCurrent)!; // of two
    expect(await codeOf(await admin.post(`/api/sessions/${other.id}/end`, {}))).toBe('session_not_found');
    expect((await here.post(`/api/profile/sessions/${other.id}/end`, {})).status).toBe(200);
    expect((await second.get('/api/session')).status).toBe(200);
    expect(await (await second.get('/api/session')).json()).toBeNull();
  });
});
