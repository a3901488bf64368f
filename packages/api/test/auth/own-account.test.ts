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
} from '../api-fixture.ts';
import { addPerson } from './people.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await openApiFixture({
    findPlace: (ip) => (ip === '192.0.2.1' ? { city: 'Lyon', country: 'FR' } : null),
  });
});
afterAll(() => api.close());

type Listed = {
  items: { id: string; isActive: boolean; isCurrent: boolean; device: object; place: object | null }[];
};
const listSessions = async (caller: ApiCaller, state = 'active') =>
  (await (await caller.get(`/api/profile/sessions?state=${state}`)).json<Listed>()).items;
const isSignedIn = async (caller: ApiCaller) => (await (await caller.get('/api/session')).json()) !== null;

async function countOver(caller: ApiCaller): Promise<{ open: number; over: number }> {
  const listed = await listSessions(caller, 'all');
  const open = listed.filter(({ isActive }) => isActive).length;
  return { open, over: listed.length - open };
}

async function openStream(caller: ApiCaller): Promise<() => Promise<void>> {
  const stream = await caller.get('/api/events');
  const reader = stream.body!.getReader(); // a 200 of this route always has a body
  return async () => {
    let isOver = false;
    while (!isOver) isOver = (await reader.read()).done;
  };
}

describe('sessions of one’s own', () => {
  test('are listed with device and place, and end one by one, the present one excepted', async () => {
    const email = await addPerson(api);
    const [here, there] = [await signIn(api.app, email), await signIn(api.app, email)];
    const listed = await listSessions(here);
    expect(listed.map(({ isCurrent }) => isCurrent).toSorted()).toEqual([false, true]);
    expect(listed[0]).toMatchObject({ isActive: true, place: { city: 'Lyon', country: 'FR' } });
    expect(JSON.stringify(listed)).not.toMatch(/token/i);
    const other = listed.find(({ isCurrent }) => !isCurrent)!;
    const own = listed.find(({ isCurrent }) => isCurrent)!;
    const isOver = await openStream(there);
    expect(await (await here.post(`/api/profile/sessions/${other.id}/end`, {})).json()).toEqual({ ended: 1 });
    await isOver();
    expect(await isSignedIn(there)).toBe(false);
    expect((await there.get('/api/contacts')).status).toBe(401);
    const refused = await here.post(`/api/profile/sessions/${own.id}/end`, {});
    expect((await readErrorBody(refused)).code).toBe('session_is_current');
    expect((await listSessions(here)).length).toBe(1);
    expect(await countOver(here)).toEqual({ open: 1, over: 1 });
    expect(await (await here.post(`/api/profile/sessions/${other.id}/end`, {})).json()).toEqual({ ended: 0 });
  });

  test('of a colleague are none of one’s own, not even for an admin', async () => {
    const admin = await api.as('admin');
    const colleague = await signIn(api.app, await addPerson(api));
    const [session] = await listSessions(colleague);
    const refused = await admin.post(`/api/profile/sessions/${session!.id}/end`, {});
    expect((await readErrorBody(refused)).code).toBe('session_not_found');
    expect(await isSignedIn(colleague)).toBe(true);
    expect((await listSessions(admin)).map(({ id }) => id)).not.toContain(session!.id);
  });

  test('end together, but for the present one', async () => {
    const email = await addPerson(api);
    const callers = [
      await signIn(api.app, email),
      await signIn(api.app, email),
      await signIn(api.app, email),
    ];
    const here = callers[0]!;
    expect(await (await here.post('/api/profile/sessions/end-others', {})).json()).toEqual({ ended: 2 });
    expect(await Promise.all(callers.map(isSignedIn))).toEqual([true, false, false]);
  });

  test('that somebody signed out of stay in the list, over', async () => {
    const email = await addPerson(api);
    const [here, there] = [await signIn(api.app, email), await signIn(api.app, email)];
    await there.post('/api/auth/sign-out', {});
    expect(await countOver(here)).toEqual({ open: 1, over: 1 });
  });
});

describe('changing the password', () => {
  const change = (caller: ApiCaller, body: object) => caller.post('/api/profile/password', body);

  test('asks for the present one, ends all others and their streams, and leaves this session', async () => {
    const email = await addPerson(api);
    const [here, there] = [await signIn(api.app, email), await signIn(api.app, email)];
    const isOver = await openStream(there);
    const wrong = await change(here, { currentPassword: 'Wrong1234', newPassword: 'Another1234' });
    expect([wrong.status, (await readErrorBody(wrong)).code]).toEqual([422, 'password_wrong']);
    expect(await isSignedIn(there)).toBe(true);
    const changed = await change(here, { currentPassword: PASSWORD, newPassword: 'Another1234' });
    expect(await changed.json()).toEqual({ ended: 1 });
    await isOver();
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, false]);
    const old = await api.stranger.post('/api/auth/sign-in/email', { email, password: PASSWORD });
    expect(old.status).toBe(401);
    await signIn(api.app, email, 'Another1234');
  });

  test('leaves the others when told so', async () => {
    const email = await addPerson(api);
    const [here, there] = [await signIn(api.app, email), await signIn(api.app, email)];
    const asked = { currentPassword: PASSWORD, newPassword: 'Another1234', endsOtherSessions: false };
    expect(await (await change(here, asked)).json()).toEqual({ ended: 0 });
    expect(await isSignedIn(there)).toBe(true);
  });

  test.each([
    ['', 'passwordMissing'],
    ['Short1', 'passwordTooShort'],
    ['alllowercase1', 'passwordTooPlain'],
    [`A1${'x'.repeat(127)}`, 'passwordTooLong'],
  ])('refuses %j', async (newPassword, problem) => {
    const here = await api.as('manager');
    const refused = await change(here, { currentPassword: PASSWORD, newPassword });
    expect([refused.status, (await readErrorBody(refused)).fields]).toEqual([422, { newPassword: problem }]);
  });
});

describe('the profile', () => {
  test('changes what is named and leaves the rest', async () => {
    const caller = await signIn(api.app, await addPerson(api));
    const before = await (await caller.get('/api/profile')).json<Record<string, unknown>>();
    const changed = await caller.patch('/api/profile', {
      firstName: ' Noor ',
      phoneNumber: '+33 6 12 34',
      timezone: 'Asia/Tokyo',
    });
    const after = { ...before, firstName: 'Noor', phoneNumber: '+33 6 12 34', timezone: 'Asia/Tokyo' };
    expect(await changed.json()).toEqual(after);
    await caller.patch('/api/profile', { phoneNumber: '' });
    expect(await (await caller.get('/api/profile')).json()).toEqual({ ...after, phoneNumber: null });
    expect(await (await caller.get('/api/session')).json()).toMatchObject({ user: { firstName: 'Noor' } });
  });

  test('refuses what is no name or number, and what is not theirs to change', async () => {
    const caller = await api.as('viewer');
    const wrong = await caller.patch('/api/profile', { firstName: ' ', phoneNumber: 'call me' });
    expect((await readErrorBody(wrong)).fields).toEqual({
      firstName: 'firstNameMissing',
      phoneNumber: 'phoneNumberInvalid',
    });
    for (const body of [{ role: 'admin' }, { email: 'x@y.z' }, { timezone: 'Mars/Base' }, { isActive: true }])
      expect((await caller.patch('/api/profile', body)).status).toBe(422);
  });

  test('keeps preferences, whole, and hands them to the session', async () => {
    const caller = await signIn(api.app, await addPerson(api));
    const chosen = {
      theme: 'dark',
      notifications: { email: false, push: true, sms: true, inApp: true },
      dashboard: { layout: 'list', widgets: ['activity', 'stats'] },
    };
    expect(await (await caller.put('/api/profile/preferences', chosen)).json()).toEqual(chosen);
    expect(await (await caller.get('/api/session')).json()).toMatchObject({ user: { preferences: chosen } });
    for (const wrong of [
      { ...chosen, theme: 'pink' },
      { ...chosen, dashboard: { layout: 'grid', widgets: ['stats', 'stats'] } },
      { theme: 'dark' },
      { ...chosen, isAdmin: true },
    ])
      expect((await caller.put('/api/profile/preferences', wrong)).status).toBe(422);
  });
});

describe('login alerts', () => {
  const device = (cookie: string, email: string) =>
    createCaller(api.app, cookie).post('/api/auth/sign-in/email', { email, password: PASSWORD });
  const alertsTo = (email: string) =>
    api.mails.filter(({ to, subject }) => to === email && subject.startsWith('New sign-in')).length;

  test('go out for a browser that the account does not know, and for no other', async () => {
    const email = await addPerson(api);
    const cookie = readCookies(await device('', email));
    await device(cookie, email);
    await device('', email);
    await expect.poll(() => alertsTo(email)).toBe(1);
    const mail = api.mails.find(({ to }) => to === email);
    expect(mail?.text).toContain('192.0.2.1');
    expect(mail?.text).toContain('Lyon, France');
  });

  test('stay away once they are switched off', async () => {
    const email = await addPerson(api);
    const caller = await signIn(api.app, email);
    await caller.put('/api/profile/login-alerts', { isOn: false });
    await device('', email);
    const other = await addPerson(api);
    await device('', other);
    await device('', other);
    await expect.poll(() => alertsTo(other)).toBe(1);
    expect(alertsTo(email)).toBe(0);
  });
});

describe('where addresses are confirmed by mail', () => {
  test('a new account waits for its link and for an admin, and its answer tells nothing of known addresses', async () => {
    const own = await openApiFixture({ confirmsAddresses: true });
    try {
      const email = 'noor@acme.test';
      const form = { firstName: 'Noor', lastName: 'Haddad', password: PASSWORD };
      const answers = [email, 'agent@acme.test'].map(async (address) =>
        (await own.stranger.post('/api/auth/sign-up/email', { ...form, email: address })).json(),
      );
      const waiting = { session: null, isPending: true, mustConfirmAddress: true };
      expect(await Promise.all(answers)).toEqual([waiting, waiting]);
      await own.db.systemPool.query(
        'UPDATE memberships SET is_active = true WHERE user_id = (SELECT id FROM users WHERE email = $1)',
        [email],
      );
      const signInNow = async () =>
        own.stranger.post('/api/auth/sign-in/email', { email, password: PASSWORD });
      expect((await readErrorBody(await signInNow())).code).toBe('email_unverified');
      const links = () => own.mails.filter(({ to }) => to === email);
      // One with the sign-up, and one more with the refused sign-in.
      await expect.poll(() => links().length).toBe(2);
      expect(own.mails.some(({ to }) => to === 'agent@acme.test')).toBe(false);
      const confirm = (token: string) => own.stranger.post('/api/auth/confirm-address', { token });
      const token = decodeURIComponent(/confirm=([^\s]+)/.exec(links()[0]?.text ?? '')?.[1] ?? '');
      expect((await readErrorBody(await confirm('invented'))).code).toBe('address_link_invalid');
      expect((await confirm(token)).status).toBe(200);
      expect((await readErrorBody(await confirm(token))).code).toBe('address_link_invalid');
      expect((await signInNow()).status).toBe(200);
    } finally {
      await own.close();
    }
  });
});
