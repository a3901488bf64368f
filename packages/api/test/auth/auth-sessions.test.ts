import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import {
  createCaller,
  openApiFixture,
  PASSWORD,
  readCookies,
  readErrorBody,
  signIn,
  type ApiFixture,
} from '../api-fixture.ts';

type SessionBody = { session: { role: string; permissions: string[]; expiresAt: string } };

let api: ApiFixture;
beforeAll(async () => {
  api = await openApiFixture();
});
afterAll(() => api.close());

const signInAs = (email: string, password: string, more: object = {}, address = '192.0.2.1') =>
  api.stranger.request('/api/auth/sign-in/email', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-test-address': address },
    body: JSON.stringify({ email, password, ...more }),
  });

describe('signing in', () => {
  test('answers who is signed in, with role, permissions and end, and sets a cookie that scripts cannot read', async () => {
    const response = await signInAs(' Manager@Acme.test ', PASSWORD, { rememberMe: true });
    expect(response.status).toBe(200);
    const { session } = await response.json<SessionBody>();
    expect(session).toMatchObject({
      user: { email: 'manager@acme.test', firstName: 'manager' },
      workspace: { slug: 'acme', isSample: false },
      role: 'manager',
    });
    expect(session.permissions).toContain('campaigns:manage');
    expect(new Date(session.expiresAt).getTime() - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
    const cookie = response.headers
      .getSetCookie()
      .find((entry) => entry.startsWith('messaging.session_token='));
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Lax/);
    expect(cookie).toMatch(/Max-Age=86400/);
    expect(cookie).not.toMatch(/Secure/);
  });

  test('keeps the token out of every answer', async () => {
    const response = await signInAs('agent@acme.test', PASSWORD);
    const token = decodeURIComponent(readCookies(response)).match(/session_token=([^.;]+)\./)?.[1];
    expect(token).toMatch(/.{20,}/);
    expect(await response.text()).not.toContain(token);
    const session = await createCaller(api.app, readCookies(response)).get('/api/session');
    expect(await session.text()).not.toContain(token);
  });

  test('without Remember me the cookie ends with the browser', async () => {
    const cookies = (
      await signInAs('agent@acme.test', PASSWORD, { rememberMe: false })
    ).headers.getSetCookie();
    expect(cookies.find((entry) => entry.startsWith('messaging.session_token='))).not.toMatch(
      /Max-Age|Expires/,
    );
  });

  test('says the same to a wrong password and to an unknown address', async () => {
    const answers = [
      await signInAs('agent@acme.test', 'Wrong1234'),
      await signInAs('nobody@acme.test', 'Wrong1234'),
      await signInAs('no address', 'Wrong1234'),
      await signInAs('agent@acme.test', 'x'.repeat(5000)),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(await answer.json()).toEqual({
        error: { code: 'invalid_credentials', message: 'Invalid email or password' },
      });
    }
  });

  test('names what is missing', async () => {
    const answer = await api.stranger.post('/api/auth/sign-in/email', { email: ['a@b.c'], password: '' });
    expect(answer.status).toBe(422);
    expect((await readErrorBody(answer)).fields).toEqual({
      email: 'Email is required',
      password: 'Password is required',
    });
    const noJson = await api.stranger.request('/api/auth/sign-in/email', { method: 'POST', body: 'no json' });
    expect(noJson.status).toBe(422);
  });

  test('is refused to a page of another site', async () => {
    const answer = await api.stranger.request('/api/auth/sign-in/email', {
      method: 'POST',
      headers: { origin: 'https://evil.example', 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'agent@acme.test', password: PASSWORD }),
    });
    expect(answer.status).toBe(403);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test('writes to the audit log', async () => {
    await signInAs('viewer@acme.test', PASSWORD);
    const { rows } = await api.db.systemPool.query(
      `SELECT type, user_name, ip_address FROM activities WHERE workspace_id = $1 AND user_name = 'viewer Acme'`,
      [api.workspaceId],
    );
    expect(rows[0]).toEqual({ type: 'login', user_name: 'viewer Acme', ip_address: '192.0.2.1' });
  });
});

describe('a session', () => {
  test('is null for strangers and for cookies with a forged or cut signature', async () => {
    const cookie = readCookies(await signInAs('agent@acme.test', PASSWORD, { rememberMe: true }));
    const [token = ''] = /messaging\.session_token=[^;]+/.exec(cookie) ?? [];
    for (const forged of [
      '',
      'messaging.session_token=abc.def',
      token.slice(0, -8),
      token.replace('.session_token=', '.session_token=x'),
    ]) {
      const answer = await createCaller(api.app, forged).get('/api/session');
      expect(answer.status).toBe(200);
      expect(await answer.json()).toBeNull();
    }
  });

  test('ends with signing out, on the server too', async () => {
    const caller = await signIn(api.app, 'agent@acme.test');
    const answer = await caller.post('/api/auth/sign-out');
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie().join()).toMatch(/session_token=;.*Max-Age=0/);
    expect(await (await caller.get('/api/session')).json()).toBeNull();
  });

  test('ends at once when the person is deactivated, and signing in says why only after the right password', async () => {
    const caller = await signIn(api.app, 'viewer@acme.test');
    await api.db.systemPool.query(
      `UPDATE memberships SET is_active = false WHERE user_id = (SELECT id FROM users WHERE email = 'viewer@acme.test')`,
    );
    try {
      expect(await (await caller.get('/api/session')).json()).toBeNull();
      expect((await caller.get('/api/events')).status).toBe(401);
      const wrong = await signInAs('viewer@acme.test', 'Wrong1234');
      expect((await readErrorBody(wrong)).code).toBe('invalid_credentials');
      const right = await signInAs('viewer@acme.test', PASSWORD);
      expect(right.status).toBe(403);
      expect((await readErrorBody(right)).code).toBe('account_inactive');
      expect(right.headers.getSetCookie()).toEqual([]);
    } finally {
      await api.db.systemPool.query(
        `UPDATE memberships SET is_active = true WHERE user_id = (SELECT id FROM users WHERE email = 'viewer@acme.test')`,
      );
    }
  });

  test('ends at once when the membership or the person is deleted', async () => {
    const role = { email: 'leaver@acme.test', password: PASSWORD };
    await api.stranger.post('/api/auth/sign-up/email', { ...role, firstName: 'Lea', lastName: 'Ver' });
    await api.db.systemPool.query(
      'UPDATE memberships SET is_active = true WHERE user_id = (SELECT id FROM users WHERE email = $1)',
      [role.email],
    );
    const caller = await signIn(api.app, role.email);
    expect(await (await caller.get('/api/session')).json()).toMatchObject({ user: { email: role.email } });
    await api.db.systemPool.query(
      'DELETE FROM memberships m USING users u WHERE u.id = m.user_id AND email = $1',
      [role.email],
    );
    expect(await (await caller.get('/api/session')).json()).toBeNull();
  });

  test('follows a change of the matrix at once, but nobody can narrow the admin role', async () => {
    const change = (matrix: object) =>
      api.db.systemPool.query('UPDATE workspaces SET role_permissions = $2 WHERE id = $1', [
        api.workspaceId,
        matrix,
      ]);
    const readPermissions = async (role: 'admin' | 'manager') =>
      (await (await (await api.as(role)).get('/api/session')).json<SessionBody['session']>()).permissions;
    await change({ manager: ['contacts:read'], admin: [] });
    expect(await readPermissions('manager')).toEqual(['contacts:read']);
    expect(await readPermissions('admin')).toContain('users:manage');
    await change({});
    expect(await readPermissions('manager')).toContain('campaigns:manage');
  });

  test('is refreshed for another 24 hours with a new cookie', async () => {
    const cookie = readCookies(await signInAs('agent@acme.test', PASSWORD, { rememberMe: true }));
    const refreshed = await createCaller(api.app, cookie).post('/api/auth/refresh-session');
    expect(refreshed.status).toBe(200);
    expect(refreshed.headers.getSetCookie().join()).toMatch(/session_token=.*Max-Age=86400/);
    expect((await refreshed.json<SessionBody>()).session.role).toBe('agent');
    const stranger = await api.stranger.post('/api/auth/refresh-session');
    expect(stranger.status).toBe(401);
  });
});

describe('signing in again in the same browser', () => {
  const signInWith = (cookie: string, email: string, password = PASSWORD) =>
    api.stranger.request('/api/auth/sign-in/email', {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify({ email, password }),
    });
  const isOpen = async (cookie: string) =>
    (await (await createCaller(api.app, cookie).get('/api/session')).json()) !== null;

  longTest.each(['agent@acme.test', 'manager@acme.test', 'admin@other.test'])(
    'as %s ends the session and the streams that it had, and no other',
    async (email) => {
      const [earlier, elsewhere] = [
        readCookies(await signInWith('', 'agent@acme.test')),
        readCookies(await signInWith('', 'agent@acme.test')),
      ];
      const stream = await createCaller(api.app, earlier).get('/api/events');
      const reader = stream.body!.getReader(); // a 200 of this route always has a body
      expect((await signInWith(earlier, email, 'Wrong1234')).status).toBe(401);
      expect(await isOpen(earlier)).toBe(true);

      const answer = await signInWith(earlier, email);
      expect(answer.status).toBe(200);
      expect(readCookies(answer)).not.toContain(/session_token=[^.]+/.exec(earlier)![0]);
      let isOver = false;
      while (!isOver) isOver = (await reader.read()).done;
      expect(await isOpen(earlier)).toBe(false);
      expect(await isOpen(readCookies(answer))).toBe(true);
      expect(await isOpen(elsewhere)).toBe(true);
    },
  );

  test('with Remember me keeps the cookie when it is refreshed, though it was not remembered before', async () => {
    const earlier = readCookies(await signInAs('agent@acme.test', PASSWORD, { rememberMe: false }));
    expect(earlier).toContain('dont_remember');
    const again = await api.stranger.request('/api/auth/sign-in/email', {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: earlier },
      body: JSON.stringify({ email: 'agent@acme.test', password: PASSWORD, rememberMe: true }),
    });
    expect(again.headers.getSetCookie().join()).toMatch(/dont_remember=;[^,]*Max-Age=0/);
  });
});

test('a token that somebody else chose opens nothing, before or after signing in', async () => {
  const planted = 'messaging.session_token=planted.token; messaging.session_token=x';
  const answer = await api.stranger.request('/api/auth/sign-in/email', {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: planted },
    body: JSON.stringify({ email: 'agent@acme.test', password: PASSWORD }),
  });
  expect(answer.status).toBe(200);
  expect(readCookies(answer)).not.toContain('planted');
  expect(await (await createCaller(api.app, planted).get('/api/session')).json()).toBeNull();
});

test('a name of the browser is kept, and cut where nobody reads on', async () => {
  const answer = await api.stranger.request('/api/auth/sign-in/email', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': `Long browser ${'x'.repeat(12_000)}` },
    body: JSON.stringify({ email: 'manager@acme.test', password: PASSWORD }),
  });
  expect(answer.status).toBe(200);
  const caller = createCaller(api.app, readCookies(answer));
  await caller.request('/api/contacts', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': `Long browser ${'y'.repeat(12_000)}` },
    body: JSON.stringify({ name: 'Ann', phone: '+14155552671' }),
  });
  const { rows } = await api.db.systemPool.query<{ length: number }>(
    `SELECT length(user_agent) FROM sessions WHERE user_agent LIKE 'Long browser%'
     UNION ALL SELECT length(user_agent) FROM activities WHERE user_agent LIKE 'Long browser%'`,
  );
  expect(rows.map(({ length }) => length)).toEqual([500, 500, 500]);
});

test('under https every cookie is sent over https only', async () => {
  const secure = await openApiFixture({ publicUrl: 'https://messages.example.com' });
  try {
    const answer = await secure.stranger.post('/api/auth/sign-in/email', {
      email: 'agent@acme.test',
      password: PASSWORD,
      rememberMe: false,
    });
    expect(answer.status).toBe(200);
    const cookies = answer.headers.getSetCookie();
    expect(cookies.map((cookie) => cookie.slice(0, cookie.indexOf('='))).toSorted()).toEqual([
      '__Secure-messaging.device',
      '__Secure-messaging.dont_remember',
      '__Secure-messaging.session_token',
    ]);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/; HttpOnly/);
      expect(cookie).toMatch(/; Secure/);
      expect(cookie).toMatch(/; SameSite=(Lax|Strict)/);
      expect(cookie).not.toMatch(/Domain=/);
    }
    const session = await createCaller(secure.app, readCookies(answer)).get('/api/session');
    expect(await session.json()).toMatchObject({ user: { email: 'agent@acme.test' } });
  } finally {
    await secure.close();
  }
});

test('a live stream is cut when the person behind it is deactivated', async () => {
  const caller = await signIn(api.app, 'viewer@acme.test');
  const stream = await caller.get('/api/events');
  expect(stream.status).toBe(200);
  const reader = stream.body!.getReader(); // a 200 of this route always has a body
  await api.db.systemPool.query(
    `UPDATE memberships SET is_active = false WHERE user_id = (SELECT id FROM users WHERE email = 'viewer@acme.test')`,
  );
  await api.liveEvents.publish(api.workspaceId, 'users');
  let isOver = false;
  while (!isOver) isOver = (await reader.read()).done;
  expect(isOver).toBe(true);
  await api.db.systemPool.query(
    `UPDATE memberships SET is_active = true WHERE user_id = (SELECT id FROM users WHERE email = 'viewer@acme.test')`,
  );
});

test('the engine below offers nothing that is not listed', async () => {
  const admin = await api.as('admin');
  for (const path of [
    '/api/auth/list-sessions',
    '/api/auth/get-session',
    '/api/auth/ok',
    '/api/auth/update-user',
  ])
    expect((await admin.get(path)).status).toBe(404);
});
