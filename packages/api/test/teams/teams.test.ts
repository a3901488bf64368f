import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApiFixture, type ApiCaller, type ApiFixture, type ApiResponse } from '../api-fixture.ts';
import { readAnswer } from '../http-edge/contract-routes.ts';
import { addCaller, addPerson } from '../users/add-person.ts';

type Member = { userId: string; role: string; isWaiting: boolean };
type Team = {
  id: string;
  name: string;
  version: number;
  ownerId: string | null;
  memberCount: number;
  waitingCount: number;
  own: Record<string, unknown>;
  members: Member[];
};

let api: ApiFixture;
let admin: ApiCaller;
let manager: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
  manager = await api.as('manager');
});
afterAll(() => api.close());

let count = 0;
const add = async (fields: object = {}): Promise<Team> => {
  const answer = await admin.post('/api/teams', { name: `Team ${(count += 1)}`, ...fields });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json<Team>();
};
const read = async (id: string, as = admin) => (await as.get(`/api/teams/${id}`)).json<Team>();
const codeOf = async (answer: Promise<ApiResponse>) => (await readAnswer(await answer)).code;
const addTo = (team: Team, userId: string, as = admin) =>
  as.post(`/api/teams/${team.id}/members/${userId}`, {});
const setRole = (team: Team, userId: string, role: string, as = admin) =>
  as.put(`/api/teams/${team.id}/members/${userId}`, { role });

describe('a team', () => {
  test('is made by who manages users, who owns it, and is listed by name', async () => {
    const made = await add({ name: ' Support  desk ', features: ['VIP', 'vip', ' '] });
    expect(made).toMatchObject({
      name: 'Support desk',
      memberCount: 1,
      ownerId: await api.userId('admin@acme.test'),
      settings: { allowInvites: true, requireApproval: false, maxMembers: 10, features: ['VIP'] },
      own: { role: 'owner', mayManage: true, mayOwn: true },
    });
    expect(await codeOf(manager.post('/api/teams', { name: 'Mine' }))).toBe('FORBIDDEN');
    expect(await codeOf(admin.post('/api/teams', { name: 'SUPPORT DESK' }))).toBe('team_name_taken');
    const { items } = await (await manager.get('/api/teams?search=support')).json<{ items: Team[] }>();
    expect(items.map(({ id }) => id)).toEqual([made.id]);
  });

  test('is changed by who leads it, follows its version, and never shrinks below its members', async () => {
    const team = await add();
    const other = await addPerson(api, 'agent');
    await addTo(team, other.id);
    const change = (fields: object, as = admin) => as.patch(`/api/teams/${team.id}`, fields);
    expect(await codeOf(change({ version: 1, name: 'X' }, manager))).toBe('team_not_yours');
    expect(await codeOf(change({ version: 1, maxMembers: 1 }))).toBe('team_too_small');
    expect(await (await change({ version: 1, description: 'For VIPs' })).json()).toMatchObject({
      description: 'For VIPs',
      name: team.name,
    });
    expect(await codeOf(change({ version: 1, name: 'Late' }))).toBe('team_changed');
  });

  test('takes as many as it can have, also when many are added at once', async () => {
    const team = await add({ maxMembers: 3 });
    const people = await Promise.all(Array.from({ length: 6 }, () => addPerson(api, 'agent')));
    const answers = await Promise.all(people.map(({ id }) => addTo(team, id)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(2);
    expect((await read(team.id)).memberCount).toBe(3);
    const [inIt] = (await read(team.id)).members.filter(({ role }) => role === 'member');
    expect((await addTo(team, inIt!.userId)).status).toBe(200);
  });

  test('is deleted by its owner or who manages users, and its people stay', async () => {
    const team = await add();
    const person = await addPerson(api, 'agent');
    await addTo(team, person.id);
    expect(await codeOf(manager.delete(`/api/teams/${team.id}`))).toBe('team_not_yours');
    expect((await admin.delete(`/api/teams/${team.id}`)).status).toBe(200);
    expect(await codeOf(admin.get(`/api/teams/${team.id}`))).toBe('team_not_found');
    expect((await admin.get(`/api/users/${person.id}`)).status).toBe(200);
  });
});

describe('members', () => {
  test('join where that is allowed, and wait where the team wants that', async () => {
    const own = await addCaller(api, 'manager');
    const open = await add();
    expect((await addTo(open, own.id, own.caller)).status).toBe(200);
    expect(await read(open.id, own.caller)).toMatchObject({ own: { role: 'member', mayManage: false } });

    const closed = await add({ allowInvites: false });
    expect(await codeOf(addTo(closed, own.id, own.caller))).toBe('team_not_yours');

    const careful = await add({ requireApproval: true });
    await addTo(careful, own.id, own.caller);
    expect(await read(careful.id, own.caller)).toMatchObject({
      memberCount: 1,
      waitingCount: 1,
      own: { role: null, isWaiting: true },
    });
    // Who waits lets nobody in, least of all themself.
    expect(await codeOf(setRole(careful, own.id, 'member', own.caller))).toBe('team_not_yours');
    expect(await codeOf(setRole(careful, own.id, 'owner', own.caller))).toBe('team_not_yours');
    await setRole(careful, own.id, 'member');
    expect(await read(careful.id, own.caller)).toMatchObject({ memberCount: 2, own: { role: 'member' } });
  });

  test('lead by the owner’s word, and a team has one owner', async () => {
    const team = await add();
    const lead = await addCaller(api, 'manager');
    const other = await addPerson(api, 'agent');
    await addTo(team, lead.id);
    await addTo(team, other.id);
    expect(await codeOf(setRole(team, lead.id, 'admin', lead.caller))).toBe('team_not_yours');
    await setRole(team, lead.id, 'admin');
    expect(await codeOf(setRole(team, other.id, 'admin', lead.caller))).toBe('team_not_yours');
    expect((await lead.caller.patch(`/api/teams/${team.id}`, { version: 1, description: 'x' })).status).toBe(
      200,
    );
    await setRole(team, lead.id, 'owner');
    const { members, ownerId } = await read(team.id);
    expect(ownerId).toBe(lead.id);
    expect(members.filter(({ role }) => role === 'owner')).toHaveLength(1);
    expect(await codeOf(setRole(team, lead.id, 'member'))).toBe('team_needs_owner');
  });

  test('leave by themselves, the owner once another one is there', async () => {
    const team = await add();
    const own = await addCaller(api, 'manager');
    await addTo(team, own.id);
    const leave = (userId: string, as: ApiCaller) => as.delete(`/api/teams/${team.id}/members/${userId}`);
    const adminId = await api.userId('admin@acme.test');
    expect(await codeOf(leave(adminId, own.caller))).toBe('team_not_yours');
    expect(await codeOf(leave(adminId, admin))).toBe('team_needs_owner');
    expect((await leave(own.id, own.caller)).status).toBe(200);
    expect(await codeOf(leave(own.id, own.caller))).toBe('team_member_not_found');
  });

  test('are people of this workspace who work here', async () => {
    const team = await add();
    expect(await codeOf(addTo(team, await api.userId('admin@other.test')))).toBe('user_not_found');
    const gone = await addPerson(api, 'agent');
    await admin.post(`/api/users/${gone.id}/deactivate`, {});
    expect(await codeOf(addTo(team, gone.id))).toBe('user_not_found');
  });

  test('of who goes from the workspace the heir owns the teams, else the one who leads longest', async () => {
    const boss = await addCaller(api, 'admin', 'Boss');
    const made = async () =>
      (await boss.caller.post('/api/teams', { name: `Team ${(count += 1)}` })).json<Team>();
    const [inherited, led] = [await made(), await made()];
    const [heir, first, second] = [
      await addPerson(api, 'manager'),
      await addPerson(api, 'agent'),
      await addPerson(api, 'agent'),
    ];
    for (const { id } of [first, second]) await addTo(led, id);
    for (const { id } of [first, heir]) await addTo(inherited, id);
    await setRole(led, second.id, 'admin');
    expect((await admin.delete(`/api/users/${boss.id}`, { handOverTo: heir.id })).status).toBe(200);
    expect((await read(inherited.id)).ownerId).toBe(heir.id);
    expect((await read(led.id)).ownerId).toBe(second.id);
    expect((await read(led.id)).members.map(({ userId }) => userId)).not.toContain(boss.id);
    const { rows } = await api.db.systemPool.query<{ id: string }>(
      `SELECT subject_id AS id FROM events
        WHERE type = 'team.member_role_changed' AND "values"->>'role' = 'owner' AND subject_id = ANY ($1)`,
      [[inherited.id, led.id]],
    );
    expect(rows.map(({ id }) => id).toSorted()).toEqual([inherited.id, led.id].toSorted());
  });
});
