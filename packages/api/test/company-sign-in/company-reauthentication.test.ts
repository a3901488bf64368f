import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD, readErrorBody } from '../api-fixture.ts';
import { mailedToken } from '../auth/mailed-links.ts';
import { addPerson } from '../auth/people.ts';
import { openCompanyFixture, type Browser, type CompanyFixture } from './company-fixture.ts';

let api: CompanyFixture;
beforeAll(async () => {
  api = await openCompanyFixture();
});
afterAll(() => api.close());

let count = 0;

/** Somebody with a password, signed in, whom the provider knows under another address. */
async function newOwner(): Promise<{ email: string; sub: string; browser: Browser }> {
  const email = await addPerson(api);
  const sub = `owner-${(count += 1)}`;
  await api.addPerson({ sub, email: `${sub}@elsewhere.test` });
  await api.provider({ person: sub, lie: null });
  const browser = api.newBrowser();
  await browser.post('/api/auth/sign-in/email', { email, password: PASSWORD });
  return { email, sub, browser };
}

async function go(browser: Browser, what: 'link' | 'proof'): Promise<string> {
  const begun = await browser.post(`/api/company-sign-in/${what}`);
  expect(begun.status).toBe(200);
  return browser.visit((await begun.json<{ address: string }>()).address);
}

const link = async (browser: Browser) =>
  (await browser.comeBack(await go(browser, 'link'))).searchParams.get('company');
const prove = async (browser: Browser) =>
  (await browser.comeBack(await go(browser, 'proof'))).searchParams.get('proof');
const stateOf = async (browser: Browser) =>
  (await browser.get('/api/company-sign-in')).json<{ link: object | null; provenAt: string | null }>();
/** Something dangerous. */
const change = (browser: Browser) =>
  browser.request('/api/profile/login-alerts', {
    method: 'PUT',
    body: JSON.stringify({ isOn: true }),
    headers: { 'content-type': 'application/json' },
  });

describe('connecting', () => {
  test('makes the account open by the company as well, whatever address the provider has', async () => {
    const { email, browser } = await newOwner();
    expect(await link(browser)).toBe('done');
    expect((await stateOf(browser)).link).not.toBeNull();
    expect(await (await api.newBrowser().signIn()).json()).toMatchObject({ session: { user: { email } } });
    const again = await browser.post('/api/company-sign-in/link');
    expect((await readErrorBody(again)).code).toBe('company_account_taken');
  });

  test('needs a recent proof', async () => {
    const { browser } = await newOwner();
    api.advance(16 * 60_000);
    expect((await readErrorBody(await browser.post('/api/company-sign-in/link'))).code).toBe(
      'password_needed',
    );
    expect((await readErrorBody(await browser.delete('/api/company-sign-in/link'))).code).toBe(
      'password_needed',
    );
  });

  test("takes nobody else's", async () => {
    const first = await newOwner();
    expect(await link(first.browser)).toBe('done');
    const second = await newOwner();
    await api.provider({ person: first.sub });
    expect(await link(second.browser)).toBe('company_account_taken');
    expect((await stateOf(second.browser)).link).toBeNull();
  });

  test('that another session began, or one that has ended, connects nothing', async () => {
    const [victim, attacker] = [await newOwner(), await newOwner()];
    // The attacker's way back, opened in the victim's browser.
    const callback = await go(attacker.browser, 'link');
    expect((await victim.browser.comeBack(callback)).search).toBe('?company=unknown');
    expect((await stateOf(victim.browser)).link).toBeNull();
    const own = await go(victim.browser, 'link');
    await victim.browser.post('/api/auth/sign-out');
    expect((await victim.browser.comeBack(own)).search).toBe('?company=unknown');
    const { rowCount } = await api.db.systemPool.query(
      'SELECT FROM company_identities WHERE subject = ANY ($1)',
      [[victim.sub, attacker.sub]],
    );
    expect(rowCount).toBe(0);
  });

  test.each([true, false])(
    'is named by a reset of the password, which ends it: %s',
    async (removesCompanyLink) => {
      const { email, browser } = await newOwner();
      expect(await link(browser)).toBe('done');
      await api.stranger.post('/api/auth/request-password-reset', { email });
      const token = await mailedToken(api, email, 'forgot-password');
      const answer = await api.stranger.post('/api/auth/read-reset-link', { token });
      expect(await answer.json()).toMatchObject({ companyLink: { provider: 'Acme' } });
      const form = { token, password: 'Another123', removesCompanyLink };
      expect((await api.stranger.post('/api/auth/reset-password', form)).status).toBe(200);
      const again = await (await api.newBrowser().signIn()).json();
      // Without the link the provider's person is a stranger.
      expect(again).toMatchObject(
        removesCompanyLink ? { isPending: true } : { session: { user: { email } } },
      );
    },
  );

  test('ends with a press, but for the last way in', async () => {
    const { browser, sub } = await newOwner();
    await link(browser);
    expect((await browser.delete('/api/company-sign-in/link')).status).toBe(200);
    expect((await readErrorBody(await browser.delete('/api/company-sign-in/link'))).code).toBe(
      'company_not_linked',
    );
    // Now the provider's person is a stranger again.
    expect(await (await api.newBrowser().signIn()).json()).toMatchObject({ isPending: true });
    await (
      await api.as('admin')
    ).post(`/api/users/${await api.userId(`${sub}@elsewhere.test`)}/activate`, {
      role: 'agent',
    });
    const only = api.newBrowser();
    // The clock of the provider is that of this machine, which the tests leave behind.
    await api.provider({ lie: 'no-auth-time' });
    await only.signIn();
    expect((await readErrorBody(await only.delete('/api/company-sign-in/link'))).code).toBe(
      'company_only_way_in',
    );
  });
});

test('a connection that was made since goes when the former address takes the account back', async () => {
  const { browser, email, sub } = await newOwner();
  const mailed = async (to: string, kind: RegExp) => {
    const find = () => api.mails.find((mail) => mail.to === to && kind.test(mail.text));
    await expect.poll(() => find() !== undefined).toBe(true);
    return decodeURIComponent(kind.exec(find()?.text ?? '')?.[1] ?? '');
  };
  await browser.post('/api/profile/email', { email: 'thief@elsewhere.test' });
  const token = await mailed('thief@elsewhere.test', /email-link\?confirm=(\S+)/);
  expect((await api.stranger.post('/api/auth/confirm-email', { token })).status).toBe(200);
  expect(await link(browser)).toBe('done');
  const undo = { token: await mailed(email, /email-link\?undo=(\S+)/) };
  expect((await api.stranger.post('/api/auth/undo-email-change', undo)).status).toBe(200);
  const { rowCount } = await api.db.systemPool.query('SELECT FROM company_identities WHERE subject = $1', [
    sub,
  ]);
  expect(rowCount).toBe(0);
});

describe('a proof by the company', () => {
  test('lets one go on with what is dangerous, and asks the provider to ask anew', async () => {
    const { browser } = await newOwner();
    await link(browser);
    api.advance(16 * 60_000);
    expect((await readErrorBody(await change(browser))).code).toBe('password_needed');
    expect(await prove(browser)).toBe('done');
    expect((await change(browser)).status).toBe(200);
    const [asked] = (await api.asked()).filter(({ call }) => call === 'authorize').slice(-1);
    expect(asked).toMatchObject({ prompt: 'login', maxAge: '0' });
  });

  test.each(['another person', 'old-auth-time', 'no-auth-time'])(
    'of another person, or of an hour ago, proves nothing: %s',
    async (what) => {
      const { browser } = await newOwner();
      await link(browser);
      api.advance(16 * 60_000);
      await api.provider(what === 'another person' ? { person: 'ada' } : { lie: what });
      const before = (await stateOf(browser)).provenAt;
      expect(await prove(browser)).toBe('company_sign_in_refused');
      expect((await stateOf(browser)).provenAt).toBe(before);
      expect((await readErrorBody(await change(browser))).code).toBe('password_needed');
    },
  );

  test('is nothing for an account that is not connected, nor in another session', async () => {
    const { browser, email } = await newOwner();
    expect((await readErrorBody(await browser.post('/api/company-sign-in/proof'))).code).toBe(
      'company_not_linked',
    );
    await link(browser);
    const callback = await go(browser, 'proof');
    const other = api.newBrowser();
    await other.post('/api/auth/sign-in/email', { email, password: PASSWORD });
    expect((await other.comeBack(callback)).search).toBe('?company=unknown');
    expect((await browser.comeBack(callback)).search).toBe('?proof=done');
    expect((await browser.comeBack(callback)).search).toBe('?company=unknown');
  });
});
