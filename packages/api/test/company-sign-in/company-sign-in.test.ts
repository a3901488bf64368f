import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { readErrorBody, type ApiCaller } from '../api-fixture.ts';
import { openCompanyFixture, type CompanyFixture } from './company-fixture.ts';

let api: CompanyFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openCompanyFixture();
  admin = await api.as('admin');
});
afterAll(() => api.close());

let count = 0;
/** Somebody new at the provider, who signs in there next. */
async function newColleague(person: Record<string, unknown> = {}): Promise<{ sub: string; email: string }> {
  const sub = `colleague-${(count += 1)}`;
  const email = `${sub}@company.test`;
  await api.addPerson({ sub, email, givenName: 'Kim', familyName: `Nr${count}`, ...person });
  await api.provider({ person: sub, lie: null, isTerse: false, saysNoVerified: false, isAway: false });
  return { sub, email };
}

const activate = async (email: string, role = 'agent') =>
  admin.post(`/api/users/${await api.userId(email)}/activate`, { role });

/** Somebody who came by the company and was let in. */
async function letIn(person: Record<string, unknown> = {}) {
  const colleague = await newColleague(person);
  const browser = api.newBrowser();
  expect(await (await browser.signIn()).json()).toMatchObject({ session: null, isPending: true });
  expect((await activate(colleague.email)).status).toBe(200);
  return { ...colleague, browser };
}

describe('the first time', () => {
  test('makes an account that waits, is let in by an admin, and then works', async () => {
    const { email, sub } = await newColleague();
    const browser = api.newBrowser();
    const first = await browser.signIn();
    expect(await first.json()).toEqual({
      session: null,
      isPending: true,
      mustConfirmAddress: false,
      rememberMe: false,
    });
    // Again, while nobody has looked.
    expect(await (await browser.signIn()).json()).toMatchObject({ isPending: true });
    expect((await browser.get('/api/profile')).status).toBe(401);
    const { items } = await (await admin.get(`/api/users?search=${sub}`)).json<{ items: object[] }>();
    expect(items).toMatchObject([{ firstName: 'Kim', status: 'waiting', requestedRole: 'agent' }]);
    expect((await activate(email)).status).toBe(200);
    const signedIn = await browser.signIn({ rememberMe: true });
    expect(await signedIn.json()).toMatchObject({
      session: { user: { email }, role: 'agent', mustSetUpTwoFactor: false },
      rememberMe: true,
    });
    expect(await (await browser.get('/api/profile')).json()).toMatchObject({
      ...{ email, hasPassword: false, signedInBy: 'company' },
    });
    const { rows } = await api.db.systemPool.query<{ type: string }>(
      'SELECT type FROM events WHERE subject_id = $1 ORDER BY id',
      [await api.userId(email)],
    );
    expect(rows.map(({ type }) => type)).toEqual(['user.asked_to_join', 'user.approved', 'user.signed_in']);
  });

  test('twice at once makes one account', async () => {
    const { email } = await newColleague();
    const [one, two] = [api.newBrowser(), api.newBrowser()];
    const pages = await Promise.all([one, two].map(async (b) => b.comeBack(await b.visit(await b.begin()))));
    const answers = await Promise.all([one.finish(pages[0]!), two.finish(pages[1]!)]);
    for (const answer of answers) expect(await answer.json()).toMatchObject({ isPending: true });
    const { rows } = await api.db.systemPool.query('SELECT FROM users WHERE email = $1', [email]);
    expect(rows).toHaveLength(1);
  });

  test('takes an invitation to the address that the provider calls theirs', async () => {
    const { email } = await newColleague();
    expect((await admin.post('/api/invitations', { email, role: 'manager' })).status).toBe(200);
    expect(await (await api.newBrowser().signIn()).json()).toMatchObject({ session: { role: 'manager' } });
  });

  test('leaves an invitation alone when the provider does not say that the address is theirs', async () => {
    const { email } = await newColleague({ emailVerified: false });
    await admin.post('/api/invitations', { email, role: 'manager' });
    expect(await (await api.newBrowser().signIn()).json()).toMatchObject({ isPending: true });
    const { items } = await (await admin.get('/api/invitations')).json<{ items: { email: string }[] }>();
    expect(items.map((one) => one.email)).toContain(email);
  });

  test('without a usable address is refused, and by a provider that says it elsewhere is not', async () => {
    await newColleague({ email: 'no address' });
    expect((await readErrorBody(await api.newBrowser().signIn())).code).toBe('company_email_missing');
    const { email } = await newColleague();
    await api.provider({ isTerse: true });
    expect(await (await api.newBrowser().signIn()).json()).toMatchObject({ isPending: true });
    expect(await api.userId(email)).toBeTruthy();
  });
});

describe('afterwards', () => {
  test('the name of the provider decides, whatever the address becomes', async () => {
    const { sub, email, browser } = await letIn();
    await api.addPerson({ sub, email: 'admin@acme.test' });
    expect(await (await browser.signIn()).json()).toMatchObject({
      session: { user: { email }, role: 'agent' },
    });
  });

  test('whoever was deactivated stays out, and whoever was deleted asks anew', async () => {
    const { email, browser } = await letIn();
    const userId = await api.userId(email);
    await browser.signIn();
    await admin.post(`/api/users/${userId}/deactivate`, { handOverTo: null });
    expect((await browser.get('/api/profile')).status).toBe(401);
    expect((await readErrorBody(await browser.signIn())).code).toBe('account_inactive');
    expect((await admin.delete(`/api/users/${userId}`, { handOverTo: null })).status).toBe(200);
    expect(await (await browser.signIn()).json()).toMatchObject({ isPending: true });
  });

  test('a browser is known the second time: one mail, no more', async () => {
    const { email, browser } = await letIn();
    await browser.signIn();
    await browser.signIn();
    await api.newBrowser().signIn();
    const alerts = () => api.mails.filter(({ to }) => to === email).length;
    await expect.poll(alerts).toBeGreaterThan(0);
    // One for the letting in, one for the other browser.
    const subjects = api.mails.filter(({ to }) => to === email).map(({ subject }) => subject);
    expect(new Set(subjects).size).toBe(subjects.length);
  });

  test('an account with a second factor is asked for its code', async () => {
    const { browser } = await letIn();
    await browser.signIn();
    const { Secret, TOTP } = await import('otpauth');
    const code = (secret: string) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: api.parts.clock().getTime() });
    const { secret } = await (await browser.post('/api/two-factor/begin')).json<{ secret: string }>();
    expect((await browser.post('/api/two-factor/enable', { code: code(secret) })).status).toBe(200);
    api.advance(31_000);
    const step = await browser.signIn({ rememberMe: true });
    expect(await step.json()).toEqual({ session: null, rememberMe: true, isSecondStep: true });
    const done = await browser.post('/api/auth/two-factor', { code: code(secret) });
    expect(await done.json()).toHaveProperty('session.role', 'agent');
    expect(await (await browser.get('/api/profile')).json()).toMatchObject({ signedInBy: 'company' });
  });

  test('a sign-in of an hour ago at the provider is no recent proof here', async () => {
    const { browser } = await letIn();
    const change = () =>
      browser.request('/api/profile/login-alerts', {
        method: 'PUT',
        body: JSON.stringify({ isOn: true }),
        headers: { 'content-type': 'application/json' },
      });
    await browser.signIn();
    expect((await change()).status).toBe(200);
    await api.provider({ lie: 'old-auth-time' });
    await browser.signIn();
    expect((await readErrorBody(await change())).code).toBe('password_needed');
    // A provider that does not say when.
    await api.provider({ lie: 'no-auth-time' });
    await browser.signIn();
    expect((await change()).status).toBe(200);
  });

  test('a workspace that asks for a second factor leaves that to the provider', async () => {
    const { browser } = await letIn();
    await api.db.systemPool.query('UPDATE workspaces SET requires_two_factor = true WHERE id = $1', [
      api.workspaceId,
    ]);
    try {
      expect(await (await browser.signIn()).json()).toHaveProperty('session.mustSetUpTwoFactor', false);
    } finally {
      await api.db.systemPool.query('UPDATE workspaces SET requires_two_factor = false');
    }
  });
});

test('the person comes back to where they wanted to go, and nowhere else', async () => {
  await letIn();
  const browser = api.newBrowser();
  const back = async (returnTo: unknown) =>
    (await browser.comeBack(await browser.visit(await browser.begin({ returnTo })))).searchParams.get(
      'redirect',
    );
  expect(await back('/dashboard/contacts?tag=vip#top')).toBe('/dashboard/contacts?tag=vip#top');
  for (const elsewhere of [
    'https://evil.example/dashboard',
    '//evil.example',
    '/dashboard.evil',
    '/login',
    7,
  ])
    expect(await back(elsewhere)).toBe('');
});

test('two windows of one browser can be on their way at once', async () => {
  await letIn();
  const browser = api.newBrowser();
  const [first, second] = [await browser.begin(), await browser.begin()];
  const pages = [
    await browser.comeBack(await browser.visit(first)),
    await browser.comeBack(await browser.visit(second)),
  ];
  for (const page of pages)
    expect(await (await browser.finish(page)).json()).toHaveProperty('session.role', 'agent');
});

test('the hints name the provider, and its secret stands nowhere', async () => {
  const hints = await (await api.stranger.get('/api/sign-in-hints')).text();
  expect(JSON.parse(hints)).toMatchObject({ companySignIn: { name: 'Acme' } });
  expect(hints).not.toContain('secret');
});

test('what the provider said is kept nowhere once somebody is in', async () => {
  const { browser, email } = await letIn();
  await browser.signIn();
  const { rows } = await api.db.systemPool.query(
    'SELECT FROM company_attempts a WHERE strpos(a::text, $1) > 0',
    [email],
  );
  expect(rows).toEqual([]);
  const { rows: accounts } = await api.db.systemPool.query(
    'SELECT FROM accounts WHERE access_token IS NOT NULL OR id_token IS NOT NULL OR refresh_token IS NOT NULL',
  );
  expect(accounts).toEqual([]);
});

longTest(
  'where addresses are confirmed by mail, one that the provider does not call verified is asked for',
  async () => {
    const own = await openCompanyFixture({ confirmsAddresses: true });
    try {
      await own.addPerson({ sub: 'new', email: 'new@company.test', emailVerified: false });
      await own.provider({ person: 'new' });
      const browser = own.newBrowser();
      expect(await (await browser.signIn()).json()).toMatchObject({
        isPending: true,
        mustConfirmAddress: true,
      });
      const links = () =>
        own.mails.filter(({ to, text }) => to === 'new@company.test' && text.includes('confirm='));
      await expect.poll(() => links().length).toBe(1);
      await (
        await own.as('admin')
      ).post(`/api/users/${await own.userId('new@company.test')}/activate`, { role: 'agent' });
      expect((await readErrorBody(await browser.signIn())).code).toBe('email_unverified');
      await expect.poll(() => links().length).toBe(2);
      // Once the provider says so, nobody asks any more.
      await own.addPerson({ sub: 'new', emailVerified: true });
      expect(await (await browser.signIn()).json()).toHaveProperty('session.role', 'agent');
    } finally {
      await own.close();
    }
  },
);

longTest(
  'whoever came back makes room for the next: a whole office signs in behind one address',
  async () => {
    const codes = new Set<string>();
    for (let person = 0; person < 120; person += 1) {
      const browser = api.newBrowser();
      const state = new URL(await browser.begin()).searchParams.get('state') ?? '';
      const givenUp = new URLSearchParams({ error: 'access_denied', state });
      const page = await browser.comeBack(`/api/auth/company/callback?${givenUp}`);
      codes.add((await readErrorBody(await browser.finish(page))).code);
    }
    expect([...codes]).toEqual(['company_sign_in_refused']);
  },
);
