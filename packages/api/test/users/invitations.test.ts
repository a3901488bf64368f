import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createCaller,
  openApiFixture,
  PASSWORD,
  readCookies,
  readErrorBody,
  signIn,
  type ApiCaller,
  type ApiFixture,
  type ApiResponse,
} from '../api-fixture.ts';
import { mailedToken, mailedTokens } from '../auth/mailed-links.ts';
import { readAnswer } from '../http-edge/contract-routes.ts';
import { addCaller, addPerson } from './add-person.ts';

type Invitation = { id: string; email: string; role: string; isVoid: boolean; isExpired: boolean };

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
});
afterAll(() => api.close());

let count = 0;
const newEmail = () => `guest${(count += 1)}@acme.test`;
const codeOf = async (answer: Promise<ApiResponse>) => (await readAnswer(await answer)).code;

async function invite(role = 'agent', by = admin, email = newEmail()): Promise<Invitation> {
  const answer = await by.post('/api/invitations', { email, role });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json<Invitation>();
}

/** As it stands in the mail. */
const readToken = ({ email }: { email: string }) => mailedToken(api, email, 'invitation');

const form = (token: string, more: object = {}) => ({
  ...{ token, firstName: 'Gia', lastName: 'Rossi', phoneNumber: '', password: PASSWORD },
  ...more,
});
const accept = (token: string, more: object = {}) =>
  api.stranger.post('/api/auth/accept-invitation', form(token, more));
const refusal = async (answer: Promise<ApiResponse>) => (await readErrorBody(await answer)).code;

describe('an invitation', () => {
  test('comes by mail, shows what it is for, and opens an account with its role once', async () => {
    const invitation = await invite('manager');
    const token = await readToken(invitation);
    const shown = await api.stranger.post('/api/auth/read-invitation', { token });
    expect(await shown.json()).toEqual({
      email: invitation.email,
      role: 'manager',
      workspaceName: 'Acme',
      invitedByName: 'admin Acme',
      account: 'new',
    });
    const accepted = await accept(token);
    expect(accepted.status).toBe(200);
    const caller = createCaller(api.app, readCookies(accepted));
    expect(await (await caller.get('/api/session')).json()).toMatchObject({
      role: 'manager',
      user: { email: invitation.email, firstName: 'Gia' },
    });
    await signIn(api.app, invitation.email);
    expect(await refusal(accept(token))).toBe('invitation_invalid');
    const { items } = await (await admin.get('/api/invitations')).json<{ items: Invitation[] }>();
    expect(items.map(({ id }) => id)).not.toContain(invitation.id);
  });

  test('gives no other role and no other address, whatever is sent with it', async () => {
    const invitation = await invite('viewer');
    const answer = await accept(await readToken(invitation), {
      role: 'admin',
      email: 'boss@acme.test',
      workspaceId: api.otherWorkspaceId,
    });
    const caller = createCaller(api.app, readCookies(answer));
    expect(await (await caller.get('/api/session')).json()).toMatchObject({
      role: 'viewer',
      user: { email: invitation.email },
      workspace: { slug: 'acme' },
    });
  });

  test('of ten who take it at once one gets in, with one account', async () => {
    const invitation = await invite();
    const token = await readToken(invitation);
    const statuses = (await Promise.all(Array.from({ length: 10 }, () => accept(token)))).map(
      ({ status }) => status,
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status >= 500)).toHaveLength(0);
    const { rowCount } = await api.db.systemPool.query('SELECT FROM users WHERE email = $1', [
      invitation.email,
    ]);
    expect(rowCount).toBe(1);
  });

  test('keeps its link out of every table, answer and log', async () => {
    const invitation = await invite();
    const token = await readToken(invitation);
    const secret = token.split('.')[1]!;
    expect(secret.length).toBeGreaterThan(30);
    const { rows } = await api.db.systemPool.query<{ kept: string }>(
      `SELECT to_jsonb(i)::text AS kept FROM invitations i UNION ALL SELECT to_jsonb(j)::text FROM jobs.job j
       UNION ALL SELECT to_jsonb(a)::text FROM activities a UNION ALL SELECT to_jsonb(k)::text FROM idempotency_keys k`,
    );
    expect(rows.filter(({ kept }) => kept.includes(secret))).toEqual([]);
    expect(await (await admin.get('/api/invitations')).text()).not.toContain(secret);
  });

  test.each(['', 'x', `${crypto.randomUUID()}.guess`, `${crypto.randomUUID()}.`, '.'.repeat(3000)])(
    'is not guessed: %j',
    async (token) => {
      expect(await refusal(accept(token))).toBe('invitation_invalid');
      expect(await refusal(api.stranger.post('/api/auth/read-invitation', { token }))).toBe(
        'invitation_invalid',
      );
    },
  );

  test('keeps its form’s rules', async () => {
    const token = await readToken(await invite());
    const { fields } = await readErrorBody(await accept(token, { firstName: ' ', password: 'short' }));
    expect(Object.keys(fields).toSorted()).toEqual(['firstName', 'password']);
    expect((await accept(token)).status).toBe(200);
  });

  test('ends after seven days, and works again once it is sent again', async () => {
    const invitation = await invite();
    const token = await readToken(invitation);
    const pass = (interval: string) =>
      api.db.systemPool.query(
        `UPDATE invitations SET expires_at = expires_at - $2::interval, sent_at = sent_at - $2::interval WHERE id = $1`,
        [invitation.id, interval],
      );
    await pass('7 days');
    expect(await refusal(accept(token))).toBe('invitation_invalid');
    const again = await admin.post(`/api/invitations/${invitation.id}/send`, {});
    expect(await again.json()).toMatchObject({ isExpired: false });
    await expect.poll(() => mailedTokens(api, invitation.email, 'invitation').length).toBe(2);
    expect(await codeOf(admin.post(`/api/invitations/${invitation.id}/send`, {}))).toBe('too_many_mails');
    expect((await accept(token)).status).toBe(200);
  });

  test('opens nothing once it is taken back', async () => {
    const invitation = await invite();
    const token = await readToken(invitation);
    expect((await admin.delete(`/api/invitations/${invitation.id}`)).status).toBe(200);
    expect(await refusal(accept(token))).toBe('invitation_invalid');
    expect(await codeOf(admin.delete(`/api/invitations/${invitation.id}`))).toBe('invitation_not_found');
    // The address can be invited anew.
    await invite('viewer', admin, invitation.email);
  });

  test('falls with whoever sent it, until somebody else answers for it', async () => {
    const boss = await addCaller(api, 'admin', 'Boss');
    const invitation = await invite('admin', boss.caller);
    const token = await readToken(invitation);
    await admin.post(`/api/users/${boss.id}/deactivate`, {});
    expect(await refusal(accept(token))).toBe('invitation_invalid');
    const listed = async () =>
      (await (await admin.get('/api/invitations?limit=200')).json<{ items: Invitation[] }>()).items.find(
        ({ id }) => id === invitation.id,
      );
    expect(await listed()).toMatchObject({ isVoid: true });
    await api.db.systemPool.query(
      `UPDATE invitations SET sent_at = sent_at - interval '1 hour' WHERE id = $1`,
      [invitation.id],
    );
    await admin.post(`/api/invitations/${invitation.id}/send`, {});
    expect(await listed()).toMatchObject({ isVoid: false });
    expect((await accept(token)).status).toBe(200);
  });
});

test('an invitation to a team leads into it, unless the team is gone by then', async () => {
  const makeTeam = async (name: string) => (await admin.post('/api/teams', { name })).json<{ id: string }>();
  const [team, gone] = [await makeTeam('Arrivals'), await makeTeam('Gone')];
  const inviteTo = async (teamId: string) =>
    (await admin.post('/api/invitations', { email: newEmail(), role: 'agent', teamId })).json<Invitation>();
  const [one, other] = [await inviteTo(team.id), await inviteTo(gone.id)];
  expect(one).toMatchObject({ team: { name: 'Arrivals' } });
  await admin.delete(`/api/teams/${gone.id}`);
  for (const invitation of [one, other]) expect((await accept(await readToken(invitation))).status).toBe(200);
  await api.facts.catchUp();
  const { members } = await (
    await admin.get(`/api/teams/${team.id}`)
  ).json<{ members: { email: string; role: string }[] }>();
  expect(members).toContainEqual(expect.objectContaining({ email: one.email, role: 'member' }));
  expect(
    await codeOf(admin.post('/api/invitations', { email: newEmail(), role: 'agent', teamId: gone.id })),
  ).toBe('team_not_found');
});

describe('inviting', () => {
  test('asks for a right address that is neither here nor invited', async () => {
    const person = await addPerson(api, 'viewer');
    const open = await invite();
    const send = (email: string) => codeOf(admin.post('/api/invitations', { email, role: 'viewer' }));
    expect(await send('ann@')).toBe('email_invalid');
    expect(await send(person.email.toUpperCase())).toBe('user_exists');
    expect(await send(` ${open.email.toUpperCase()} `)).toBe('user_invited');
    // Whether somebody has an account elsewhere is nobody's business.
    await invite('viewer', admin, 'admin@other.test');
  });

  test('an address with an account elsewhere hears so only from its own link', async () => {
    const { items } = await (await admin.get('/api/invitations?limit=200')).json<{ items: Invitation[] }>();
    const token = await readToken(items.find(({ email }) => email === 'admin@other.test')!);
    expect(await refusal(accept(token))).toBe('invitation_signed_out');
  });

  test.each(['manager', 'agent', 'viewer'] as const)('is not for a %s', async (role) => {
    const caller = await api.as(role);
    expect((await caller.post('/api/invitations', { email: newEmail(), role: 'viewer' })).status).toBe(403);
  });

  test('nobody invites to a role above their own', async () => {
    const set = (matrix: object) =>
      api.db.systemPool.query('UPDATE workspaces SET role_permissions = $2 WHERE id = $1', [
        api.workspaceId,
        JSON.stringify(matrix),
      ]);
    await set({ manager: ['users:create', 'users:read', 'contacts:manage'] });
    const manager = await api.as('manager');
    const send = (role: string) => codeOf(manager.post('/api/invitations', { email: newEmail(), role }));
    expect(await send('admin')).toBe('role_too_high');
    // An agent may do things that these managers may not.
    expect(await send('agent')).toBe('role_too_high');
    await set({});
  });
});

describe('an account that waits under the address of somebody invited', () => {
  test('becomes theirs with a new password, whoever had made it', async () => {
    const invitation = await invite('agent');
    const squatter = { firstName: 'Squat', lastName: 'Ter', email: invitation.email, phoneNumber: '' };
    const theirs = 'Squatter123';
    await api.stranger.post('/api/auth/sign-up/email', { ...squatter, password: theirs, role: 'admin' });
    expect((await accept(await readToken(invitation), { password: 'Rightful123' })).status).toBe(200);
    await expect(signIn(api.app, invitation.email, theirs)).rejects.toThrow('invalid_credentials');
    const caller = await signIn(api.app, invitation.email, 'Rightful123');
    expect(await (await caller.get('/api/session')).json()).toMatchObject({
      role: 'agent',
      user: { firstName: 'Gia' },
    });
  });

  test('of who is let in a mail tells', async () => {
    const email = newEmail();
    const person = { firstName: 'Ida', lastName: 'Berg', email, phoneNumber: '', password: PASSWORD };
    await api.stranger.post('/api/auth/sign-up/email', { ...person, role: 'agent' });
    await admin.post(`/api/users/${await api.userId(email)}/activate`, {});
    await expect.poll(() => api.mails.find(({ to }) => to === email)?.text).toContain('/login');
  });
});
