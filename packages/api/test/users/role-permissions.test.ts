import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { readAnswer } from '../http-edge/contract-routes.ts';

type Matrix = { version: number; roles: { role: string; permissions: string[]; isEdited: boolean }[] };

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
});
afterAll(() => api.close());

const read = async () => (await admin.get('/api/role-permissions')).json<Matrix>();
const change = async (role: string, permissions: string[] | null) =>
  admin.put('/api/role-permissions', { version: (await read()).version, changes: [{ role, permissions }] });

test('the matrix as it comes is that of the roles', async () => {
  const { roles } = await read();
  expect(roles.map(({ role, isEdited }) => [role, isEdited])).toEqual([
    ['admin', false],
    ['manager', false],
    ['agent', false],
    ['viewer', false],
  ]);
  expect(roles[2]?.permissions).toContain('contacts:manage');
});

test('a change counts with the next request of everybody, and only in this workspace', async () => {
  const agent = await api.as('agent');
  expect((await agent.get('/api/users')).status).toBe(403);
  const changed = await (await change('agent', ['users:update', 'contacts:read'])).json<Matrix>();
  // Whoever changes something may see it.
  expect(changed.roles[2]).toMatchObject({
    permissions: ['users:read', 'users:update', 'contacts:read'],
    isEdited: true,
  });
  expect((await agent.get('/api/users')).status).toBe(200);
  expect((await agent.post('/api/contacts', { name: 'Ann', phone: '+14155550199' })).status).toBe(403);
  const other = await (await (await api.asOther()).get('/api/role-permissions')).json<Matrix>();
  expect(other.roles[2]).toMatchObject({ isEdited: false });
  await change('agent', null);
  expect((await agent.get('/api/users')).status).toBe(403);
  expect((await read()).roles[2]).toMatchObject({ isEdited: false });
});

test('what an admin may do is fixed', async () => {
  const answer = await readAnswer(await change('admin', []));
  expect(answer.code).toBe('invalid_input');
  expect((await admin.get('/api/users')).status).toBe(200);
});

test('who saw an older matrix changes nothing', async () => {
  const { version } = await read();
  await change('viewer', ['contacts:read']);
  const late = await admin.put('/api/role-permissions', {
    version,
    changes: [{ role: 'viewer', permissions: [] }],
  });
  expect((await readAnswer(late)).code).toBe('role_permissions_changed');
  expect((await read()).roles[3]?.permissions).toEqual(['contacts:read']);
  await change('viewer', null);
});

test.each(['manager', 'agent', 'viewer'] as const)('a %s changes no permission', async (role) => {
  const { version } = await read();
  const changes = [{ role, permissions: ['users:manage'] }];
  expect((await (await api.as(role)).put('/api/role-permissions', { version, changes })).status).toBe(403);
});
