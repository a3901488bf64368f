import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readErrorBody } from '../api-fixture.ts';
import { mailedToken } from '../auth/mailed-links.ts';
import { countLockWaits } from '../lock-waits.ts';
import { openCompanyFixture, type CompanyFixture } from './company-fixture.ts';

let api: CompanyFixture;
beforeAll(async () => {
  api = await openCompanyFixture({ rules: { claim: 'groups', roles: { agent: ['staff'] }, teams: {} } });
  await api.addPerson({ sub: 'eve', email: 'eve@company.test', groups: ['staff'] });
});
afterAll(() => api.close());

const honest = { lie: null, isAway: false, isTerse: false, person: 'eve' };
const countUsers = async () => (await api.db.systemPool.query('SELECT FROM users')).rowCount;
const countSessions = async () => (await api.db.systemPool.query('SELECT FROM sessions')).rowCount;

describe('an answer that the provider did not give for this sign-in', () => {
  test.each([
    'nonce',
    'no-nonce',
    'audience',
    'issuer',
    'expired',
    'alg-none',
    'alg-hmac',
    'signature',
    'unknown-key',
    'no-id-token',
    'answer-issuer',
  ])('is refused: %s', async (lie) => {
    await api.provider({ ...honest, lie });
    const before = await countSessions();
    const answer = await api.newBrowser().signIn();
    expect((await readErrorBody(answer)).code).toBe('company_sign_in_refused');
    expect(await countSessions()).toBe(before);
    await api.provider(honest);
  });

  test('also where it says the rest of somebody else', async () => {
    await api.provider({ ...honest, lie: 'userinfo-subject', isTerse: true });
    expect((await api.newBrowser().signIn()).status).not.toBe(200);
    await api.provider(honest);
  });
});

describe('the way back', () => {
  test('works once: neither callback nor end is done again', async () => {
    await api.provider(honest);
    const browser = api.newBrowser();
    const callback = await browser.visit(await browser.begin());
    const page = await browser.comeBack(callback);
    expect(await browser.comeBack(callback)).toEqual(page);
    const kept = new Map(browser.cookies);
    expect((await browser.finish(page)).status).toBe(200);
    expect((await readErrorBody(await browser.finish(page))).code).toBe('sign_in_expired');
    // With the cookies of before.
    const copy = api.newBrowser();
    for (const [name, cookie] of kept) copy.cookies.set(name, cookie);
    await copy.comeBack(callback);
    expect((await readErrorBody(await copy.finish(page))).code).toBe('sign_in_expired');
    const tokens = (await api.asked()).filter(({ call }) => call === 'token');
    expect(tokens.filter(({ outcome }) => outcome === 'invalid_grant')).toEqual([]);
  });

  test('taken five times at once shows the code to the provider once, and opens one session', async () => {
    await api.provider({ ...honest, latencyMs: 100 });
    const browser = api.newBrowser();
    const callback = await browser.visit(await browser.begin());
    const [granted, sessions] = [await countGranted(), (await countSessions()) ?? 0];
    const pages = await Promise.all([1, 2, 3, 4, 5].map(() => browser.comeBack(callback)));
    const answers = await Promise.all(pages.map((page) => browser.finish(page)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422, 422]);
    expect(await countGranted()).toBe(granted + 1);
    expect(await countSessions()).toBe(sessions + 1);
    await api.provider({ ...honest, latencyMs: 0 });
  });

  test('of another browser signs nobody in, and ends nothing of theirs', async () => {
    const [attacker, victim] = [api.newBrowser(), api.newBrowser()];
    const callback = await attacker.visit(await attacker.begin());
    const theirs = await victim.visit(await victim.begin());
    const page = await victim.comeBack(callback);
    expect((await readErrorBody(await victim.finish(page))).code).toBe('sign_in_expired');
    expect(victim.cookies.has('messaging.session_token')).toBe(false);
    expect((await victim.finish(await victim.comeBack(theirs))).status).toBe(200);
    // Nothing was taken from the attacker's own browser either: the code was never shown.
    expect((await attacker.finish(await attacker.comeBack(callback))).status).toBe(200);
  });

  test('with a code of another attempt is refused (PKCE)', async () => {
    const [attacker, victim] = [api.newBrowser(), api.newBrowser()];
    const stolen = new URL(await victim.visit(await victim.begin()), 'http://x').searchParams.get('code');
    const own = new URL(await attacker.visit(await attacker.begin()), 'http://x');
    own.searchParams.set('code', stolen ?? '');
    const page = await attacker.comeBack(own.pathname + own.search);
    expect((await readErrorBody(await attacker.finish(page))).code).toBe('company_sign_in_refused');
  });

  test.each([
    '',
    '?state=',
    '?state=x&code=y',
    `?state=${crypto.randomUUID()}.forged&code=y`,
    `?error=access_denied&state=${'a'.repeat(3000)}`,
    '?state=%00&state=2',
  ])('with the parameters %s leads to the sign-in page', async (search) => {
    const page = await api.newBrowser().comeBack(`/api/auth/company/callback${search}`);
    expect(page.href).toBe('http://localhost:3000/login?company=unknown');
    expect((await readErrorBody(await api.newBrowser().finish(page))).code).toBe('sign_in_expired');
  });

  test('after ten minutes is too late', async () => {
    const browser = api.newBrowser();
    const callback = await browser.visit(await browser.begin());
    api.advance(10 * 60_000 + 1000);
    expect((await readErrorBody(await browser.finish(await browser.comeBack(callback)))).code).toBe(
      'sign_in_expired',
    );
  });

  test('of somebody who gave up is said, and nothing of it is in the log but a code', async () => {
    await api.provider({ ...honest, person: 'nobody-there' });
    const answer = await api.newBrowser().signIn();
    expect((await readErrorBody(answer)).code).toBe('company_sign_in_refused');
    expect(api.warnings()).toContain('access_denied');
    expect(api.warnings()).not.toMatch(/code=|eyJ|secret|@company/);
    await api.provider(honest);
  });
});

describe('an address of somebody else', () => {
  test.each([
    ['verified', true, 'admin@acme.test'],
    ['not verified', false, 'admin@acme.test'],
    ['written otherwise', true, ' Admin@ACME.test '],
    ['of another workspace', true, 'admin@other.test'],
  ])('%s opens no account and links to none', async (_, emailVerified, email) => {
    await api.addPerson({ sub: `thief-${email}-${emailVerified}`, email, emailVerified, groups: ['staff'] });
    await api.provider({ ...honest, person: `thief-${email}-${emailVerified}` });
    const before = await countUsers();
    const answer = await api.newBrowser().signIn();
    expect((await readErrorBody(answer)).code).toBe('company_sign_in_unlinked');
    expect(await countUsers()).toBe(before);
    expect(
      (await api.db.systemPool.query(`SELECT FROM company_identities WHERE subject LIKE 'thief-%'`)).rowCount,
    ).toBe(0);
    await api.provider(honest);
  });

  test('another person of the provider with the same address stays another person', async () => {
    await api.newBrowser().signIn();
    await api.addPerson({ sub: 'eve-again', email: 'eve@company.test', groups: ['staff'] });
    await api.provider({ ...honest, person: 'eve-again' });
    expect((await readErrorBody(await api.newBrowser().signIn())).code).toBe('company_sign_in_unlinked');
    await api.provider(honest);
  });

  test('that waited under an invitation goes with everything that the provider had for it', async () => {
    const [admin, email] = [await api.as('admin'), 'squat@company.test'];
    expect((await admin.post('/api/invitations', { email, role: 'manager' })).status).toBe(200);
    await api.addPerson({ sub: 'squatter', email, emailVerified: false, groups: [] });
    await api.provider({ ...honest, person: 'squatter' });
    const browser = api.newBrowser();
    expect(await (await browser.signIn()).json()).toMatchObject({ isPending: true });
    const token = await mailedToken(api, email, 'invitation');
    const form = { token, firstName: 'Sam', lastName: 'Own', password: 'Welcome123' };
    expect((await api.stranger.post('/api/auth/accept-invitation', form)).status).toBe(200);
    expect((await readErrorBody(await browser.signIn())).code).toBe('company_sign_in_unlinked');
    await api.provider(honest);
  });
});

describe('the provider away', () => {
  test('is said, and the password goes on working', async () => {
    await api.provider({ ...honest, isAway: true });
    // What it said of itself is still known; the way back then fails.
    const browser = api.newBrowser();
    const address = await browser.begin();
    await api.provider(honest);
    const callback = await browser.visit(address);
    await api.provider({ ...honest, isAway: true });
    expect((await readErrorBody(await browser.finish(await browser.comeBack(callback)))).code).toBe(
      'company_sign_in_away',
    );
    expect((await api.as('viewer')).get).toBeTruthy();
    await api.provider(honest);
  });

  test('from the start, or with a secret that it does not know, refuses nothing else', async () => {
    const other = await openCompanyFixture({ secret: 'not the secret' });
    try {
      await other.provider({ isAway: true });
      const begun = await other.newBrowser().post('/api/auth/company/begin', {});
      expect([begun.status, (await readErrorBody(begun)).code]).toEqual([503, 'company_sign_in_away']);
      await other.provider({ isAway: false, person: 'ada' });
      expect((await readErrorBody(await other.newBrowser().signIn())).code).toBe('company_sign_in_away');
      expect(other.warnings()).toContain('invalid_client');
      expect(other.warnings()).not.toContain('not the secret');
    } finally {
      await other.close();
    }
  });
});

test('a name that goes from its account while it signs in opens no session', async () => {
  await api.addPerson({ sub: 'mal', email: 'mal@company.test', groups: ['staff'] });
  await api.provider({ ...honest, person: 'mal' });
  const browser = api.newBrowser();
  const page = await browser.comeBack(await browser.visit(await browser.begin()));
  const client = await api.db.systemPool.connect();
  let late: ReturnType<typeof browser.finish> | undefined;
  try {
    // The answer is judged; its session waits to be written.
    await client.query('BEGIN; LOCK TABLE sessions IN EXCLUSIVE MODE');
    late = browser.finish(page);
    await expect.poll(() => countLockWaits(client)).toBe(1);
    await client.query(`DELETE FROM company_identities WHERE subject = 'mal'`);
    await client.query('COMMIT');
  } finally {
    client.release();
    await api.provider(honest);
  }
  expect((await readErrorBody(await late)).code).toBe('company_sign_in_refused');
  const { rows } = await api.db.systemPool.query(
    `SELECT FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = 'mal@company.test' AND s.ended_at IS NULL`,
  );
  expect(rows).toEqual([]);
});

test('nobody begins without end', async () => {
  const browser = api.newBrowser();
  const begin = () =>
    browser.request('/api/auth/company/begin', {
      method: 'POST',
      body: '{}',
      headers: { 'x-test-address': '198.51.100.7', 'content-type': 'application/json' },
    });
  const statuses = [];
  for (let i = 0; i < 101; i += 1) statuses.push((await begin()).status);
  expect(statuses.slice(0, 100).every((status) => status === 200)).toBe(true);
  expect(statuses.at(-1)).toBe(429);
});

test('a page of another site cannot begin or finish', async () => {
  for (const path of ['begin', 'finish']) {
    const answer = await api.newBrowser().request(`/api/auth/company/${path}`, {
      method: 'POST',
      body: '{}',
      headers: { origin: 'https://evil.example', 'content-type': 'application/json' },
    });
    expect((await readErrorBody(answer)).code).toBe('cross_site_request');
  }
});

async function countGranted(): Promise<number> {
  return (await api.asked()).filter(({ call, outcome }) => call === 'token' && outcome === 'granted').length;
}
