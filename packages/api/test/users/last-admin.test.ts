import { part } from '@app/database/testing/thorough';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { addCaller } from './add-person.ts';

type Admin = { id: string; caller: ApiCaller };

let api: ApiFixture;
beforeEach(async () => {
  api = await openApiFixture();
});
afterEach(() => api.close());

const countAdmins = async () => {
  const { rows } = await api.db.systemPool.query<{ admins: number }>(
    `SELECT count(*)::int AS admins FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.workspace_id = $1 AND m.role = 'admin' AND m.is_active`,
    [api.workspaceId],
  );
  return rows[0]!.admins; // an aggregate is one row
};

const acts: Record<string, (by: Admin, on: Admin) => Promise<number>> = {
  demotes: async (by, on) =>
    (await by.caller.patch(`/api/users/${on.id}`, { version: 1, role: 'agent' })).status,
  deactivates: async (by, on) => (await by.caller.post(`/api/users/${on.id}/deactivate`, {})).status,
  deletes: async (by, on) => (await by.caller.delete(`/api/users/${on.id}`, {})).status,
};

describe('the last admin stays', () => {
  const pairs = Object.keys(acts).flatMap((first) =>
    Object.keys(acts).map((second) => [first, second] as const),
  );
  // Each act stands in one of them.
  test.each(part(pairs, 4, 1))(
    'when of four each %s and %s another at the same moment',
    async (first, second) => {
      const seeded = { id: await api.userId('admin@acme.test'), caller: await api.as('admin') };
      const admins: Admin[] = [seeded];
      for (const name of ['B', 'C', 'D']) admins.push(await addCaller(api, 'admin', name));
      const all = admins.flatMap((by) =>
        admins.filter((on) => on !== by).flatMap((on) => [acts[first]!(by, on), acts[second]!(by, on)]),
      );
      const statuses = await Promise.all(all);
      expect(statuses.every((status) => status < 500)).toBe(true);
      expect(await countAdmins()).toBe(1);
    },
  );

  test('also when nobody but a part of the product or a key would take it away', async () => {
    // A manager with every permission of an admin is nobody who could take the last admin's place.
    await api.db.systemPool.query('UPDATE workspaces SET role_permissions = $2 WHERE id = $1', [
      api.workspaceId,
      JSON.stringify({
        manager: [
          ...['users:manage', 'campaigns:manage', 'contacts:manage', 'analytics:read'],
          ...['settings:manage', 'templates:manage', 'messages:manage'],
        ],
      }),
    ]);
    const manager = await api.as('manager');
    const id = await api.userId('admin@acme.test');
    const answers = [
      await manager.patch(`/api/users/${id}`, { version: 1, role: 'agent' }),
      await manager.post(`/api/users/${id}/deactivate`, {}),
      await manager.delete(`/api/users/${id}`, {}),
    ];
    for (const answer of answers)
      expect(await answer.json()).toMatchObject({ error: { code: 'last_admin' } });
    expect(await countAdmins()).toBe(1);
    expect((await (await api.as('admin')).get('/api/users')).status).toBe(200);
  });
});
