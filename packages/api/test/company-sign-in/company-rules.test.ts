import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiCaller } from '../api-fixture.ts';
import { openCompanyFixture, type Browser, type CompanyFixture } from './company-fixture.ts';

let api: CompanyFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openCompanyFixture({
    rules: {
      claim: 'groups',
      roles: { admin: ['it'], manager: ['leads'], agent: ['support'] },
      teams: { Support: ['support'] },
    },
  });
  admin = await api.as('admin');
  await admin.post('/api/teams', { name: 'Support', description: '' });
});
afterAll(() => api.close());

let count = 0;
async function colleague(groups: string[]): Promise<{ browser: Browser; sub: string; email: string }> {
  const sub = `member-${(count += 1)}`;
  await api.addPerson({ sub, email: `${sub}@company.test`, groups });
  await api.provider({ person: sub });
  return { browser: api.newBrowser(), sub, email: `${sub}@company.test` };
}
const regroup = (sub: string, groups: string[]) => api.addPerson({ sub, groups });
const roleAfter = async (browser: Browser) =>
  (await (await browser.signIn()).json<{ session: { role: string } | null }>()).session?.role ?? null;

test('a role that the rules give is there at once, and follows them at each sign-in as a fact', async () => {
  const { browser, sub, email } = await colleague(['support', 'leads']);
  expect(await roleAfter(browser)).toBe('manager');
  await regroup(sub, ['support']);
  expect(await roleAfter(browser)).toBe('agent');
  await regroup(sub, []);
  expect(await roleAfter(browser)).toBe('viewer');
  const { rows } = await api.db.systemPool.query<{ actor: { name: string }; values: object }>(
    `SELECT actor, "values" FROM events WHERE subject_id = $1 AND type = 'user.role_changed' ORDER BY id`,
    [await api.userId(email)],
  );
  expect(rows).toMatchObject([
    { actor: { kind: 'system', name: 'sign-in' }, values: { from: 'manager', to: 'agent' } },
    { actor: { kind: 'system', name: 'sign-in' }, values: { from: 'agent', to: 'viewer' } },
  ]);
});

test('a role that people gave stays while the rules give none', async () => {
  const { browser, sub, email } = await colleague([]);
  expect(await roleAfter(browser)).toBeNull();
  await admin.post(`/api/users/${await api.userId(email)}/activate`, { role: 'manager' });
  expect(await roleAfter(browser)).toBe('manager');
  await regroup(sub, ['support']);
  expect(await roleAfter(browser)).toBe('agent');
});

test('who waits is let in once the rules give a role', async () => {
  const { browser, sub } = await colleague([]);
  expect(await roleAfter(browser)).toBeNull();
  await regroup(sub, ['support']);
  expect(await roleAfter(browser)).toBe('agent');
});

test('the last active admin stays one', async () => {
  const { browser, sub, email } = await colleague(['it']);
  expect(await roleAfter(browser)).toBe('admin');
  const others = await api.db.systemPool.query<{ user_id: string }>(
    `UPDATE memberships m SET role = 'manager' FROM users u WHERE u.id = m.user_id AND m.workspace_id = $1 AND m.role = 'admin'
       AND u.email <> $2 RETURNING user_id`,
    [api.workspaceId, email],
  );
  try {
    await regroup(sub, ['support']);
    expect(await roleAfter(browser)).toBe('admin');
    expect(api.warnings()).toContain('last admin');
  } finally {
    await api.db.systemPool.query(`UPDATE memberships SET role = 'admin' WHERE user_id = ANY ($1)`, [
      others.rows.map(({ user_id }) => user_id),
    ]);
  }
  // Another one is there now.
  expect(await roleAfter(browser)).toBe('agent');
});

describe('out is out', () => {
  test('whoever was deactivated stays so, whatever the rules give', async () => {
    const { browser, email } = await colleague(['support']);
    await roleAfter(browser);
    const userId = await api.userId(email);
    expect((await admin.post(`/api/users/${userId}/deactivate`, { handOverTo: null })).status).toBe(200);
    expect((await browser.signIn()).status).toBe(403);
  });

  test('whoever was deleted waits like anybody, until an admin lets them in', async () => {
    const { browser, email } = await colleague(['support']);
    await roleAfter(browser);
    expect((await admin.delete(`/api/users/${await api.userId(email)}`, { handOverTo: null })).status).toBe(
      200,
    );
    expect(await roleAfter(browser)).toBeNull();
    expect(await roleAfter(browser)).toBeNull();
    await admin.post(`/api/users/${await api.userId(email)}/activate`, { role: 'viewer' });
    expect(await roleAfter(browser)).toBe('agent');
  });
});

test('teams follow too, and what people decided there stays', async () => {
  const { browser, sub, email } = await colleague(['support']);
  const userId = await api.userId(email).catch(() => '');
  expect(userId).toBe('');
  await roleAfter(browser);
  const isIn = async () =>
    (
      await api.db.systemPool.query(
        `SELECT FROM team_members x JOIN teams t ON t.id = x.team_id JOIN users u ON u.id = x.user_id
          WHERE t.name = 'Support' AND u.email = $1`,
        [email],
      )
    ).rowCount === 1;
  await expect.poll(isIn).toBe(true);
  await regroup(sub, ['leads']);
  await roleAfter(browser);
  await expect.poll(isIn).toBe(false);
});
