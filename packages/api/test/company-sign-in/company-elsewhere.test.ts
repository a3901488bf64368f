import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiCaller } from '../api-fixture.ts';
import { enterWorkspace } from '../workspaces/tabs.ts';
import { openCompanyFixture, type CompanyFixture } from './company-fixture.ts';

let api: CompanyFixture;
let elsewhere: ApiCaller;
beforeAll(async () => {
  api = await openCompanyFixture({
    rules: { claim: 'groups', roles: { admin: ['it'] }, teams: { Support: ['it'] } },
  });
  elsewhere = await api.asOther();
  await elsewhere.post('/api/teams', { name: 'Support' });
});
afterAll(() => api.close());

async function colleague(sub: string, groups: string[]) {
  const email = `${sub}@company.test`;
  await api.addPerson({ sub, email, emailVerified: true, groups });
  await api.provider({ person: sub });
  const browser = api.newBrowser();
  return {
    email,
    browser,
    signIn: async () =>
      (await browser.signIn()).json<{ session: { role: string; workspace: { slug: string } } | null }>(),
  };
}

/** With the teams that they are in. */
async function readElsewhere(email: string) {
  await api.facts.catchUp();
  const { rows } = await api.db.systemPool.query<{ role: string; teams: number }>(
    `SELECT m.role, (SELECT count(*)::int FROM team_members t WHERE t.user_id = u.id) AS teams
       FROM users u JOIN memberships m ON m.user_id = u.id WHERE u.email = $1 AND m.workspace_id = $2`,
    [email, api.otherWorkspaceId],
  );
  return rows[0];
}

test('whoever leaves the workspace of the rules is in the next one what its admins made them', async () => {
  const { email, browser, signIn } = await colleague('leaver', ['it']);
  expect(await signIn()).toMatchObject({ session: { role: 'admin', workspace: { slug: 'acme' } } });
  await enterWorkspace(api, {
    ...{ userId: await api.userId(email), workspaceId: api.otherWorkspaceId, role: 'viewer' },
  });
  const left = await browser.post('/api/workspaces/leave', { workspaceId: api.workspaceId });
  expect(left.status).toBe(200);
  expect(await signIn()).toMatchObject({ session: { role: 'viewer', workspace: { slug: 'other' } } });
  expect(await readElsewhere(email)).toEqual({ role: 'viewer', teams: 0 });
});

test('who lost a role that the rules gave in one workspace keeps what others gave them in another', async () => {
  const { email, browser, signIn } = await colleague('mover', ['it']);
  await signIn();
  await enterWorkspace(api, {
    ...{ userId: await api.userId(email), workspaceId: api.otherWorkspaceId, role: 'manager' },
  });
  await browser.post('/api/workspaces/leave', { workspaceId: api.workspaceId });
  await api.addPerson({ sub: 'mover', groups: [] });
  expect(await signIn()).toMatchObject({ session: { role: 'manager', workspace: { slug: 'other' } } });
});

test('the rules count where they did, though the person is in another workspace for longer', async () => {
  const { email, signIn } = await colleague('elder', []);
  expect(await signIn()).toMatchObject({ session: null });
  const userId = await api.userId(email);
  await enterWorkspace(api, { userId, workspaceId: api.otherWorkspaceId, role: 'viewer' });
  await api.db.systemPool.query(
    `UPDATE memberships SET created_at = created_at - interval '1 year' WHERE user_id = $1 AND workspace_id = $2`,
    [userId, api.otherWorkspaceId],
  );
  await api.addPerson({ sub: 'elder', groups: ['it'] });
  await signIn();
  expect(await readElsewhere(email)).toEqual({ role: 'viewer', teams: 0 });
  const { rows } = await api.db.systemPool.query(
    'SELECT role, is_active FROM memberships WHERE user_id = $1 AND workspace_id = $2',
    [userId, api.workspaceId],
  );
  expect(rows).toEqual([{ role: 'admin', is_active: true }]);
});

test('an invitation to another workspace gives its role, and no more by the rules', async () => {
  const { email, signIn } = await colleague('guest', ['it']);
  expect((await elsewhere.post('/api/invitations', { email, role: 'viewer' })).status).toBe(200);
  expect(await signIn()).toMatchObject({ session: { role: 'viewer', workspace: { slug: 'other' } } });
  expect(await signIn()).toMatchObject({ session: { role: 'viewer', workspace: { slug: 'other' } } });
  expect(await readElsewhere(email)).toEqual({ role: 'viewer', teams: 0 });
});
