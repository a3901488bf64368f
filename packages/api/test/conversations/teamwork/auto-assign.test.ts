import { beforeEach, describe, expect, test } from 'vitest';
import { changeAcrossWorkspaces } from '../../../src/platform/system-work.ts';
import { newId } from '@app/database/new-id';
import { openArrivals } from '../../arrivals.ts';
import { said } from '../../arriving-events.ts';

const { admin, api, arrive, query } = await openArrivals();
await Promise.all([api.as('agent'), api.as('manager')]);
const ids = {
  admin: await api.userId('admin@acme.test'),
  agent: await api.userId('agent@acme.test'),
  manager: await api.userId('manager@acme.test'),
};

const online = async (...people: string[]) => {
  await query('DELETE FROM presence_streams');
  for (const userId of people)
    await query(
      `INSERT INTO presence_streams (id, workspace_id, user_id, seen_at) VALUES ($1, $2, $3, now())`,
      [...[newId(), api.workspaceId, userId]],
    );
};
const settings = (change: object) =>
  query(
    `INSERT INTO inbox_settings (workspace_id, settings) VALUES ($1, $2)
     ON CONFLICT (workspace_id) DO UPDATE SET settings = excluded.settings`,
    [api.workspaceId, JSON.stringify(change)],
  );
const rule = (mode: string, maxOpen: number | null = null) => ({ mode, maxOpen });
const everybody = (mode: string, maxOpen: number | null = null) =>
  settings({ assignment: { ...rule(mode, maxOpen), teamId: null } });
const write = async (...numbers: number[]) => {
  await arrive(...numbers.map((n) => said({ phone: `+1415555${2000 + n}` }, 'Hello')));
  await api.facts.catchUp();
};
const assigned = async () =>
  (
    await query<{ assignee_id: string | null }>(
      'SELECT assignee_id FROM conversations ORDER BY assignee_id NULLS LAST',
    )
  ).map(({ assignee_id: id }) => id);
const come = async (userId: string) => {
  await changeAcrossWorkspaces(api.parts, 'sign-in', ({ scopeOf }) =>
    scopeOf(api.workspaceId).emit({ type: 'user.came', subject: userId, values: {} }),
  );
  await api.facts.catchUp();
};

beforeEach(async () => {
  await query('DELETE FROM inbox_people');
  await query('DELETE FROM notifications');
  await everybody('off');
  await online();
});

describe('conversations that are opened', () => {
  test('go to nobody while it is off', async () => {
    await online(ids.agent);
    await write(1);
    expect(await assigned()).toEqual([null]);
  });

  test('go in turn to those who are here, and each hears of it', async () => {
    await everybody('round_robin');
    await online(ids.agent, ids.manager);
    await write(1, 2, 3, 4);
    expect(await assigned()).toEqual([ids.agent, ids.agent, ids.manager, ids.manager].toSorted());
    const told = await query(`SELECT user_id FROM notifications WHERE kind = 'conversation_assigned'`);
    expect(told).toHaveLength(4);
  });

  test('go to whoever has the fewest', async () => {
    await online(ids.agent, ids.manager);
    await write(1, 2, 3);
    await query('UPDATE conversations SET assignee_id = $1', [ids.agent]);
    await everybody('least_busy');
    await write(4, 5);
    expect((await assigned()).filter((id) => id === ids.manager)).toHaveLength(2);
  });

  test('wait where all have as many as they may, and go on once one is done', async () => {
    await everybody('round_robin', 1);
    await online(ids.agent);
    await write(1, 2);
    expect(await assigned()).toEqual([ids.agent, null]);
    const [mine] = await query<{ id: string; version: number }>(
      'SELECT id, version FROM conversations WHERE assignee_id IS NOT NULL',
    );
    await admin.put(`/api/conversations/${mine!.id}/status`, { version: mine!.version, status: 'resolved' });
    await api.facts.catchUp();
    expect(await assigned()).toEqual([ids.agent, ids.agent]);
  });

  test('wait where nobody is here, which is told once, and go to whoever comes', async () => {
    await everybody('round_robin');
    await write(1);
    await write(2);
    const told = () =>
      query(`SELECT DISTINCT fact_id FROM notifications WHERE kind = 'conversation_unassigned'`);
    expect(await told()).toHaveLength(1);
    await online(ids.manager);
    await come(ids.manager);
    expect(await assigned()).toEqual([ids.manager, ids.manager]);
  });

  test('pass by who does not want any, was deactivated or only reads', async () => {
    await api.as('viewer');
    await everybody('round_robin');
    await online(ids.agent, ids.manager, ids.admin, await api.userId('viewer@acme.test'));
    await query('INSERT INTO inbox_people (workspace_id, user_id, is_available) VALUES ($1, $2, false)', [
      api.workspaceId,
      ids.agent,
    ]);
    await query('UPDATE memberships SET is_active = false WHERE user_id = $1', [ids.manager]);
    await write(1, 2, 3);
    await query('UPDATE memberships SET is_active = true WHERE user_id = $1', [ids.manager]);
    expect(new Set(await assigned())).toEqual(new Set([ids.admin]));
  });

  test('go back to whoever had them, unless they are gone', async () => {
    await everybody('round_robin');
    await online(ids.agent, ids.manager);
    await write(1);
    await query(`UPDATE conversations SET assignee_id = $1, status = 'resolved'`, [ids.agent]);
    await write(1);
    expect(await assigned()).toEqual([ids.agent]);
    await query(`UPDATE conversations SET status = 'resolved'`);
    await query('UPDATE memberships SET is_active = false WHERE user_id = $1', [ids.agent]);
    await write(1);
    await query('UPDATE memberships SET is_active = true WHERE user_id = $1', [ids.agent]);
    expect(await assigned()).toEqual([ids.manager]);
  });

  test('are given out once, however many processes read the facts', async () => {
    await everybody('round_robin');
    await online(ids.agent, ids.manager);
    await arrive(...[1, 2, 3, 4, 5, 6].map((n) => said({ phone: `+1415555${2000 + n}` }, 'Hello')));
    await Promise.all([api.facts.catchUp(), api.facts.catchUp()]);
    const facts =
      await query(`SELECT DISTINCT subject_id FROM events e JOIN conversations c ON c.id = e.subject_id
      WHERE e.type = 'conversation.assigned'`);
    expect(facts).toHaveLength(6);
    const all = await query(`SELECT FROM events e JOIN conversations c ON c.id = e.subject_id
      WHERE e.type = 'conversation.assigned'`);
    expect(all).toHaveLength(6);
    expect(await assigned()).toEqual([ids.agent, ids.agent, ids.agent, ids.manager, ids.manager, ids.manager].toSorted()); // oxfmt-ignore
  });
});

const addTeam = async () =>
  (
    await (
      await admin.post('/api/teams', {
        ...{ name: 'Sales', description: '', allowInvites: true, requireApproval: false, maxMembers: 10 },
        features: [],
      })
    ).json<{ id: string }>()
  ).id;

test('what is given to a team goes to one of its people, as the team wants it', async () => {
  const teamId = await addTeam();
  await settings({ teamAssignment: { [teamId]: rule('round_robin') } });
  await online(ids.admin, ids.agent);
  await write(1);
  const [one] = await query<{ id: string; version: number }>('SELECT id, version FROM conversations');
  const { id, version } = one!;
  await admin.put(`/api/conversations/${id}/assignee`, { version, assigneeId: null, teamId });
  await api.facts.catchUp();
  // Who made it is its only member.
  expect(await assigned()).toEqual([ids.admin]);
  await admin.delete(`/api/teams/${teamId}`);
});

test('whoever waits for a team of which nobody is here keeps nobody else waiting', async () => {
  const teamId = await addTeam();
  await settings({
    assignment: { ...rule('round_robin'), teamId: null },
    teamAssignment: { [teamId]: rule('round_robin') },
  });
  await write(1);
  await query(
    `INSERT INTO contacts (id, workspace_id, name, phone) SELECT gen_random_uuid(), $1, 'Many', '+44' || (2000000000 + n) FROM generate_series(1, 1000) AS n`,
    [api.workspaceId],
  );
  await query(
    `INSERT INTO conversations (id, workspace_id, contact_id, channel_id, status, team_id, awaits_assignee, opened_at, last_activity_at)
     SELECT gen_random_uuid(), $1, k.id, c.channel_id, 'open', $2, true, c.opened_at - interval '1 hour', now()
       FROM contacts k, conversations c WHERE k.name = 'Many'`,
    [api.workspaceId, teamId],
  );
  await online(ids.agent);
  await come(ids.agent);
  const given = await query('SELECT team_id FROM conversations WHERE assignee_id = $1', [ids.agent]);
  expect(given).toEqual([{ team_id: null }]);
  await admin.delete(`/api/teams/${teamId}`);
});
