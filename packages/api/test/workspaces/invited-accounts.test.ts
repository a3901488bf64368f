import { sampleAddressOf } from '@app/domain/auth/sample-addresses';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApiFixture, readErrorBody, signIn, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { mailedToken } from '../auth/mailed-links.ts';
import { addCaller, addPerson } from '../users/add-person.ts';
import { tabOf } from './tabs.ts';

let api: ApiFixture;
/** The admin of the workspace that invites. */
let host: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  host = await api.asOther();
});
afterAll(() => api.close());

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await api.db.systemPool.query<Row>(text, values)).rows;
/** Answers with the token that stands in the mail. */
async function invite(email: string, more: object = {}): Promise<string> {
  const answer = await host.post('/api/invitations', { email, role: 'manager', ...more });
  if (!answer.ok) throw new Error(await answer.text());
  return mailedToken(api, email, 'invitation');
}
const read = async (by: ApiCaller, token: string) =>
  (await by.post('/api/auth/read-invitation', { token })).json<{ account: string }>();
/** With all that the form of a new account would send. */
const accept = (by: ApiCaller, token: string) =>
  by.post('/api/auth/accept-invitation', {
    ...{
      token,
      firstName: 'Other',
      lastName: 'Name',
      phoneNumber: '+14155550100',
      password: 'Another-password-9',
    },
  });
const refusalOf = async (by: ApiCaller, token: string) => (await readErrorBody(await accept(by, token))).code;
const readAccount = (id: string) =>
  query(
    `SELECT to_jsonb(u) - 'updated_at' AS account, (SELECT jsonb_agg(a) FROM accounts a WHERE a.user_id = u.id) AS proofs,
            (SELECT count(*)::int FROM sessions s WHERE s.user_id = u.id AND s.ended_at IS NULL) AS sessions FROM users u WHERE u.id = $1`,
    [id],
  );

describe('an invitation to an address that has an account', () => {
  test('is taken by whoever is signed in with it, and changes nothing of the account', async () => {
    const { id, email, caller } = await addCaller(api, 'agent', 'Noor');
    const before = await readAccount(id);
    const { id: teamId } = await (await host.post('/api/teams', { name: 'Support' })).json<{ id: string }>();
    const token = await invite(email, { teamId });
    expect(await read(caller, token)).toMatchObject({ email, role: 'manager', account: 'own' });
    const answer = await accept(caller, token);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await answer.json()).toMatchObject({
      session: { user: { id, firstName: 'Noor' }, workspace: { slug: 'other' }, role: 'manager' },
    });
    expect(await readAccount(id)).toEqual(before);
    expect((await tabOf(caller, api.otherWorkspaceId).get('/api/contacts')).status).toBe(200);
    // A tab that is open stays where it was.
    expect(await (await caller.get('/api/session')).json()).toMatchObject({ workspace: { slug: 'acme' } });
    await signIn(api.app, email);
    await api.facts.catchUp();
    expect(
      await query('SELECT user_id FROM team_members WHERE team_id = $1 AND NOT is_waiting', [teamId]),
    ).toContainEqual({ user_id: id });
  });

  test('is taken once, and a second request of the same person hears the same', async () => {
    const { id, email, caller } = await addCaller(api, 'agent');
    const token = await invite(email);
    const answers = await Promise.all(Array.from({ length: 5 }, () => accept(caller, token)));
    answers.push(await accept(caller, token));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
    expect(
      await query('SELECT role FROM memberships WHERE user_id = $1 AND workspace_id = $2', [
        id,
        api.otherWorkspaceId,
      ]),
    ).toEqual([{ role: 'manager' }]);
    const told = await query(`SELECT FROM events WHERE type = 'user.joined' AND subject_id = $1`, [id]);
    expect(told).toHaveLength(1);
    // Taken out again, they are not back by the same link.
    await host.delete(`/api/users/${id}`, {});
    expect(await refusalOf(caller, token)).toBe('invitation_invalid');
  });

  test('asks who is not signed in to do so, and makes no account and no session', async () => {
    const { id, email } = await addPerson(api, 'agent');
    const before = await readAccount(id);
    const token = await invite(email);
    expect(await read(api.stranger, token)).toMatchObject({ account: 'signed-out' });
    const answer = await accept(api.stranger, token);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect((await readErrorBody(answer)).code).toBe('invitation_signed_out');
    expect(await readAccount(id)).toEqual(before);
    // The link still works.
    expect((await accept(await signIn(api.app, email), token)).status).toBe(200);
  });

  test('is not for another account, also one of the workspace that invites', async () => {
    const { id, email } = await addPerson(api, 'agent');
    const token = await invite(email);
    for (const other of [await api.as('admin'), host]) {
      expect(await read(other, token)).toMatchObject({ account: 'other' });
      expect(await refusalOf(other, token)).toBe('invitation_of_other');
    }
    expect(await query('SELECT FROM memberships WHERE user_id = $1', [id])).toHaveLength(1);
  });

  test('is for the address that the account has by then', async () => {
    const { id, email, caller } = await addCaller(api, 'agent');
    const token = await invite(email);
    await query('UPDATE users SET email = $2 WHERE id = $1', [id, `new-${email}`]);
    // Nobody has the address: it is one for a new account, and this one is as good as any other visitor.
    expect(await read(caller, token)).toMatchObject({ account: 'new' });
    expect(await query('SELECT FROM memberships WHERE user_id = $1', [id])).toHaveLength(1);
  });

  test('gives no way in where it was taken back, or whoever invited may not any more', async () => {
    const { email, caller } = await addCaller(api, 'agent');
    const token = await invite(email);
    const [invitation] = await query<{ id: string }>('SELECT id FROM invitations WHERE email = $1', [email]);
    await host.delete(`/api/invitations/${invitation!.id}`);
    expect(await refusalOf(caller, token)).toBe('invitation_invalid');
    expect((await tabOf(caller, api.otherWorkspaceId).get('/api/contacts')).status).toBe(404);
  });

  test('is not for an account whose password everybody knows', async () => {
    const { id, caller } = await addCaller(api, 'agent');
    await query('UPDATE users SET email = $2 WHERE id = $1', [id, sampleAddressOf.agent]);
    expect(await refusalOf(caller, await invite(sampleAddressOf.agent))).toBe('sample_account');
  });

  test('of one that waits in the same workspace takes that over with a new password, as before', async () => {
    const { id, email } = await addPerson(api, 'agent');
    await query(
      `UPDATE memberships SET workspace_id = $2, is_active = false, requested_role = 'admin' WHERE user_id = $1`,
      [id, api.otherWorkspaceId],
    );
    await query('DELETE FROM invitations');
    await query(
      `INSERT INTO invitations (id, workspace_id, email, role, invited_by, invited_by_name, sent_at, expires_at, created_at)
       SELECT gen_random_uuid(), $1, $2, 'agent', $3, 'Host', now(), now() + interval '1 day', now()`,
      [api.otherWorkspaceId, email, await api.userId('admin@other.test')],
    );
    const [invitation] = await query<{ id: string }>('SELECT id FROM invitations WHERE email = $1', [email]);
    await query(`UPDATE invitations SET sent_at = sent_at - interval '5 minutes'`);
    await host.post(`/api/invitations/${invitation!.id}/send`, {});
    const token = await mailedToken(api, email, 'invitation');
    expect(await read(api.stranger, token)).toMatchObject({ account: 'new' });
    expect(await (await accept(api.stranger, token)).json()).toMatchObject({
      session: { user: { id, firstName: 'Other' }, role: 'agent' },
    });
  });

  test('of which a session has ended meanwhile is refused', async () => {
    const { id, email, caller } = await addCaller(api, 'agent');
    const token = await invite(email);
    await query('UPDATE sessions SET ended_at = now() WHERE user_id = $1', [id]);
    expect(await refusalOf(caller, token)).toBe('invitation_signed_out');
  });
});
