import { newId } from '@app/database/new-id';
import { roles, type Role } from '@app/domain/auth/permissions';
import { Secret, TOTP } from 'otpauth';
import { createCaller, PASSWORD, readCookies, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { addPerson } from '../users/add-person.ts';
import { permissionsIn, specification } from './spec-matrix.ts';

/** Somebody at the door, and what they hold; null for whoever has no session that counts. */
export type AccessCaller = {
  caller: ApiCaller;
  holds: readonly string[] | null;
  /** The last proof of this person is old, or they must set up a second factor first. */
  standing?: 'old proof' | 'must set up';
};

type Opening = (api: ApiFixture) => Promise<AccessCaller>;

/** Each has an account of their own, because some acts end the other sessions of an account. */
async function signUpAs(api: ApiFixture, role: Role): Promise<{ id: string; cookie: string }> {
  const { id, email } = await addPerson(api, role);
  const answer = await api.stranger.post('/api/auth/sign-in/email', { email, password: PASSWORD });
  if (!answer.ok) throw new Error(`${email} cannot sign in: ${await answer.text()}`);
  return { id, cookie: readCookies(answer) };
}

/** An admin, whose session then ends in this way. */
function closedBy(end: (api: ApiFixture, person: { id: string; cookie: string }) => Promise<unknown>) {
  return async (api: ApiFixture): Promise<AccessCaller> => {
    const person = await signUpAs(api, 'admin');
    const caller = createCaller(api.app, person.cookie);
    if (!(await caller.get('/api/profile')).ok) throw new Error('The session was never open.');
    await end(api, person);
    return { caller, holds: null };
  };
}

const query = (api: ApiFixture, text: string, values: unknown[]) => api.db.systemPool.query(text, values);

async function must(answering: ReturnType<ApiCaller['get']>): Promise<void> {
  const answer = await answering;
  if (!answer.ok) throw new Error(await answer.text());
}

async function sessionOf(api: ApiFixture, userId: string): Promise<string> {
  const { rows } = await query(api, 'SELECT id FROM sessions WHERE user_id = $1', [userId]);
  return rows[0].id;
}

const tokenIn = (cookie: string) => /messaging\.session_token=[^;]+/.exec(cookie)?.[0] ?? '';

/** Everybody to whom every door but the public ones is closed. */
export const closedCallers: Record<string, Opening> = {
  'a stranger': async (api) => ({ caller: api.stranger, holds: null }),
  'a session token without our signature': async (api) => {
    const cookie = tokenIn((await signUpAs(api, 'admin')).cookie);
    return { caller: createCaller(api.app, `${cookie.slice(0, -9)}AAAAAAAA=`), holds: null };
  },
  'the signature of another session': async (api) => {
    const [one, other] = [await signUpAs(api, 'admin'), await signUpAs(api, 'admin')];
    const parts = [one, other].map(({ cookie }) => decodeURIComponent(tokenIn(cookie)).split('.'));
    const [token, signature] = [parts[0]!.slice(0, -1).join('.'), parts[1]!.at(-1)!];
    const mixed = token.replace(
      /=(.*)/s,
      (_, value: string) => `=${encodeURIComponent(`${value}.${signature}`)}`,
    );
    return { caller: createCaller(api.app, mixed), holds: null };
  },
  'half a sign-in, whose code is still to come': async (api) => {
    const { id, email } = await addPerson(api, 'admin');
    const signIn = () => api.stranger.post('/api/auth/sign-in/email', { email, password: PASSWORD });
    const first = createCaller(api.app, readCookies(await signIn()));
    const { secret } = await (await first.post('/api/two-factor/begin', {})).json<{ secret: string }>();
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: api.parts.clock().getTime(),
    });
    await must(first.post('/api/two-factor/enable', { code }));
    await query(api, 'DELETE FROM sessions WHERE user_id = $1', [id]);
    const half = readCookies(await signIn());
    if (!half.includes('second_step')) throw new Error('No second step was asked for.');
    return { caller: createCaller(api.app, half), holds: null };
  },
  'an expired session': closedBy((api, { id }) =>
    query(api, `UPDATE sessions SET expires_at = now() - interval '1 second' WHERE user_id = $1`, [id]),
  ),
  'a session that was signed out': closedBy((api, { cookie }) =>
    must(createCaller(api.app, cookie).post('/api/auth/sign-out')),
  ),
  'a session that an admin revoked': closedBy(async (api, { id }) =>
    must((await api.as('admin')).post(`/api/sessions/${await sessionOf(api, id)}/end`, {})),
  ),
  'a session whose owner ended it elsewhere': closedBy(async (api, { id }) => {
    const sessionId = await sessionOf(api, id);
    const { rows } = await query(api, 'SELECT email FROM users WHERE id = $1', [id]);
    const elsewhere = await api.stranger.post('/api/auth/sign-in/email', {
      ...{ email: rows[0].email, password: PASSWORD },
    });
    await must(
      createCaller(api.app, readCookies(elsewhere)).post(`/api/profile/sessions/${sessionId}/end`, {}),
    );
  }),
  'a deactivated person': closedBy(async (api, { id }) =>
    must((await api.as('admin')).post(`/api/users/${id}/deactivate`, {})),
  ),
  'a person who waits to be let in': closedBy(async (api, { id }) => {
    await query(api, `UPDATE memberships SET requested_role = 'admin', role = 'viewer' WHERE user_id = $1`, [
      id,
    ]);
    await query(api, 'UPDATE memberships SET is_active = false WHERE user_id = $1', [id]);
  }),
  'a deleted person': closedBy(async (api, { id }) =>
    must((await api.as('admin')).delete(`/api/users/${id}`, {})),
  ),
  'a person who was taken out of the workspace': closedBy((api, { id }) =>
    query(api, 'DELETE FROM memberships WHERE user_id = $1', [id]),
  ),
};

/** Everybody with a session that counts. */
export const openCallers: Record<string, Opening> = {
  ...Object.fromEntries(
    roles.map((role) => [
      `the role ${role}`,
      async (api: ApiFixture): Promise<AccessCaller> => ({
        caller: createCaller(api.app, (await signUpAs(api, role)).cookie),
        holds: permissionsIn(specification[role]),
      }),
    ]),
  ),
  'the admin of another workspace': async (api) => ({
    caller: await api.asOther(),
    holds: permissionsIn(specification.admin),
  }),
  'an admin whose last proof is old': async (api) => {
    const { id, cookie } = await signUpAs(api, 'admin');
    await query(api, `UPDATE sessions SET proven_at = now() - interval '16 minutes' WHERE user_id = $1`, [
      id,
    ]);
    return {
      caller: createCaller(api.app, cookie),
      holds: permissionsIn(specification.admin),
      standing: 'old proof',
    };
  },
  'an admin who must set up a second factor': async (api) => {
    const workspaceId = newId();
    const { id, cookie } = await signUpAs(api, 'admin');
    await query(
      api,
      `INSERT INTO workspaces (id, slug, name, requires_two_factor) VALUES ($1, $2, 'Strict', true)`,
      [workspaceId, `strict-${workspaceId}`],
    );
    await query(api, 'UPDATE memberships SET workspace_id = $2 WHERE user_id = $1', [id, workspaceId]);
    return {
      caller: createCaller(api.app, cookie),
      holds: permissionsIn(specification.admin),
      standing: 'must set up',
    };
  },
};
