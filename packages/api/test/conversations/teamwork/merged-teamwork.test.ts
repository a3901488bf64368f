import { expect, test } from 'vitest';
import { newId } from '@app/database/new-id';
import { openArrivals } from '../../arrivals.ts';
import { said } from '../../arriving-events.ts';

const [PHONE, OTHER] = ['+14155552671', '+14155552672'];
const { admin, api, arrive, add, query } = await openArrivals();
const MINUTE = 60_000;

type Kept = { assignee_id: string | null; team_id: string | null; next_due_at: Date | null; status: string };
const readKept = (contactId: string) =>
  query<Kept>('SELECT assignee_id, team_id, next_due_at, status FROM conversations WHERE contact_id = $1', [
    contactId,
  ]);
const addTeam = async (name: string) =>
  (
    await admin.post('/api/teams', {
      ...{ name, description: '', allowInvites: true, requireApproval: false, maxMembers: 10, features: [] },
    })
  ).json<{ id: string }>();

const answerWithin = (minutes: number) =>
  query('INSERT INTO inbox_settings (workspace_id, settings) VALUES ($1, $2)', [
    api.workspaceId,
    JSON.stringify({ targets: { firstAnswerMinutes: minutes, resolutionMinutes: null } }),
  ]);

async function merge(survivorId: string) {
  const versions = await query<{ id: string; version: number }>('SELECT id, version FROM contacts');
  const mergeId = newId();
  const contacts = versions.map(({ id, version }) => ({ contactId: id, version }));
  expect((await admin.post('/api/contacts/merges', { mergeId, survivorId, contacts })).status).toBe(200);
  return async () => expect((await admin.post(`/api/contacts/merges/${mergeId}/undo`)).status).toBe(200);
}

test('two that become one keep whoever has one of them, and by when the more urgent is to be answered', async () => {
  await answerWithin(10);
  const [ann, bob] = [await add(PHONE), await add(OTHER)];
  const from = Math.floor(Date.now() / 1000) * 1000 - 5 * MINUTE;
  await arrive(said({ phone: PHONE }, 'from one', { occurredAt: from + MINUTE }));
  await arrive(said({ phone: OTHER }, 'from the other', { occurredAt: from }));
  const team = await addTeam('Sales');
  const me = await api.userId('admin@acme.test');
  await query('UPDATE conversations SET assignee_id = $1, team_id = $2 WHERE contact_id = $3', [
    ...[me, team.id, bob.id],
  ]);
  const [before] = await readKept(bob.id);
  const undo = await merge(ann.id);
  expect(await readKept(ann.id)).toEqual([
    { assignee_id: me, team_id: team.id, status: 'open', next_due_at: new Date(from + 10 * MINUTE) },
  ]);
  await undo();
  expect(await readKept(bob.id)).toEqual([before]);
  await query('DELETE FROM inbox_settings');
  await admin.delete(`/api/teams/${team.id}`);
});

test('what is resolved lends no clock to what is open', async () => {
  await answerWithin(10);
  const ann = await add(PHONE);
  await add(OTHER);
  const from = Math.floor(Date.now() / 1000) * 1000 - 5 * MINUTE;
  await arrive(said({ phone: PHONE }, 'from one', { occurredAt: from }));
  await arrive(said({ phone: OTHER }, 'from the other', { occurredAt: from + MINUTE }));
  await query(`UPDATE conversations SET status = 'resolved', next_due_at = NULL WHERE contact_id = $1`, [
    ann.id,
  ]);
  await merge(ann.id);
  expect(await readKept(ann.id)).toMatchObject([
    { status: 'open', next_due_at: new Date(from + 11 * MINUTE) },
  ]);
  await query('DELETE FROM inbox_settings');
});

test('a contact that is restored has its conversation with its team, if there is one by then', async () => {
  const { id } = await add(PHONE);
  await arrive(said({ phone: PHONE }, 'Hello'));
  const team = await addTeam('Support');
  await query('UPDATE conversations SET team_id = $1', [team.id]);
  await admin.delete(`/api/contacts/${id}`);
  expect((await admin.post(`/api/contacts/${id}/restore`)).status).toBe(200);
  expect(await readKept(id)).toMatchObject([{ team_id: team.id }]);
  await admin.delete(`/api/contacts/${id}`);
  await admin.delete(`/api/teams/${team.id}`);
  expect((await admin.post(`/api/contacts/${id}/restore`)).status).toBe(200);
  expect(await readKept(id)).toMatchObject([{ team_id: null }]);
});
