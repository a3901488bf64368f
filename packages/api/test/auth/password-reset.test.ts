import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openApiFixture,
  PASSWORD,
  readCookies,
  readErrorBody,
  signIn,
  type ApiFixture,
  type ApiResponse,
} from '../api-fixture.ts';
import { mailedToken, mailedTokens } from './mailed-links.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await openApiFixture();
});
afterAll(() => api.close());

const askFor = (email: string, { address = '192.0.2.1', cookie = '' } = {}) =>
  api.stranger.request('/api/auth/request-password-reset', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-test-address': address, cookie },
    body: JSON.stringify({ email }),
  });
const choose = (token: string, password: string) =>
  api.stranger.post('/api/auth/reset-password', { token, password });

const tokensOf = (email: string) => mailedTokens(api, email, 'forgot-password');
const readToken = (email: string) => mailedToken(api, email, 'forgot-password');

test('every address leaves the same job, and nothing is looked up before the answer', async () => {
  const waiting = await openApiFixture({}, { isWorking: false });
  const client = await waiting.db.systemPool.connect();
  try {
    // Whoever looked for an account or made a link would wait here for ever.
    await client.query('BEGIN; LOCK TABLE users, accounts, verifications IN ACCESS EXCLUSIVE MODE');
    const emails = ['other@acme.test', 'admin@other.test', 'else@acme.test'];
    const answers = [];
    for (const email of emails)
      answers.push(await waiting.stranger.post('/api/auth/request-password-reset', { email }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { rows } = await waiting.db.systemPool.query(
      `SELECT name, data, state, priority FROM jobs.job ORDER BY created_on`,
    );
    const same = { name: 'reset-link-mail', state: 'created', priority: 0 };
    expect(rows).toEqual(emails.map((email) => ({ ...same, data: { email, language: 'en' } })));
  } finally {
    await client.query('ROLLBACK');
    client.release();
    await waiting.close();
  }
});

test('a mailed link changes the password once and ends every session', async () => {
  const session = await signIn(api.app, 'agent@acme.test');
  expect((await askFor(' Agent@acme.test ')).status).toBe(200);
  const token = await readToken('agent@acme.test');

  const weak = await choose(token, 'short');
  expect((await readErrorBody(weak)).fields).toEqual({
    password: 'Password must be at least 8 characters long',
  });
  const chosen = await choose(token, 'Another123');
  expect(chosen.status).toBe(200);
  // Who reads the mail of an address owns it: strangers who guess do not hold this browser up.
  expect(readCookies(chosen)).toMatch(/^messaging\.device=/);
  expect(await (await session.get('/api/session')).json()).toBeNull();
  await expect(signIn(api.app, 'agent@acme.test', PASSWORD)).rejects.toThrow('invalid_credentials');
  await signIn(api.app, 'agent@acme.test', 'Another123');

  const again = await choose(token, 'Further123');
  expect(again.status).toBe(422);
  expect((await readErrorBody(again)).code).toBe('reset_link_invalid');
});

test('the table of links holds nothing that opens an account', async () => {
  await askFor('manager@acme.test');
  const token = await readToken('manager@acme.test');
  const { rows } = await api.db.systemPool.query('SELECT * FROM verifications');
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain(token);
});

test('an address without account gets the same answer and no mail', async () => {
  const known = await askFor('viewer@acme.test');
  const unknown = await askFor('nobody@acme.test');
  expect(unknown.status).toBe(known.status);
  expect(await unknown.text()).toBe(await known.text());
  await readToken('viewer@acme.test');
  expect(tokensOf('nobody@acme.test')).toEqual([]);
});

test('what is no address, an invented token and floods are refused', async () => {
  expect((await readErrorBody(await askFor('x'))).fields).toEqual({
    email: 'Please enter a valid email address',
  });
  expect((await choose('invented', 'Welcome123')).status).toBe(422);
  expect((await api.stranger.post('/api/auth/reset-password', { token: ['x'] })).status).toBe(422);
  const answers: ApiResponse[] = [];
  for (let attempt = 0; attempt < 31; attempt += 1)
    answers.push(await askFor(`x${attempt}@acme.test`, { address: '203.0.113.9' }));
  expect(answers.slice(0, 30).map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200));
  expect(await readErrorBody(answers[30]!)).toMatchObject({ code: 'too_many_attempts' });
});

test('a reset ends every other link of the account, and no link of anybody else', async () => {
  await askFor('admin@acme.test', { address: '203.0.113.30' });
  await askFor('admin@acme.test', { address: '203.0.113.31' });
  await askFor('manager@acme.test', { address: '203.0.113.32' });
  await expect.poll(() => tokensOf('admin@acme.test').length).toBe(2);
  const [first = '', second = ''] = tokensOf('admin@acme.test');
  expect((await choose(second, 'Another123')).status).toBe(200);
  const other = await choose(first, 'Stolen1234');
  expect((await readErrorBody(other)).code).toBe('reset_link_invalid');
  expect((await choose(await readToken('manager@acme.test'), PASSWORD)).status).toBe(200);
});

test('of links that are used at the same moment one wins', async () => {
  for (const address of ['203.0.113.40', '203.0.113.41', '203.0.113.42'])
    await askFor('viewer@acme.test', { address });
  const before = tokensOf('viewer@acme.test').length;
  await expect.poll(() => tokensOf('viewer@acme.test').length).toBeGreaterThanOrEqual(Math.max(before, 3));
  const tokens = tokensOf('viewer@acme.test').slice(-3);
  const answers = await Promise.all(
    [...tokens, ...tokens].map((token, index) => choose(token, `Another${index}23`)),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422, 422, 422]);
  await signIn(api.app, 'viewer@acme.test', `Another${answers.findIndex(({ ok }) => ok)}23`);
});

test('a stranger cannot use up the links of somebody else', async () => {
  await choose(await readToken('agent@acme.test'), PASSWORD);
  const signedIn = await api.stranger.post('/api/auth/sign-in/email', {
    email: 'admin@other.test',
    password: PASSWORD,
  });
  const cookie = readCookies(signedIn);
  for (let attempt = 0; attempt < 40; attempt += 1)
    expect((await askFor('admin@other.test', { address: `198.51.100.${attempt}` })).status).toBe(200);
  // The mail box is not flooded either, and every link in it works for longer than the next one is held up.
  const mailed = 5;
  await expect.poll(() => tokensOf('admin@other.test').length).toBe(mailed);
  await askFor('admin@other.test', { address: '198.51.100.1', cookie });
  await expect.poll(() => tokensOf('admin@other.test').length).toBe(mailed + 1);

  api.advance(16 * 60_000);
  await askFor('admin@other.test', { address: '198.51.100.1' });
  await expect.poll(() => tokensOf('admin@other.test').length).toBe(mailed + 2);
  expect((await choose(tokensOf('admin@other.test')[0]!, 'Another123')).status).toBe(200);
});

test('a link goes to the address of the account, however the one who asks writes it', async () => {
  // The Kelvin sign becomes a k in small letters.
  for (const email of ['\u212aim@acme.test', 'KIM@acme.test', ' kim@acme.test\u2003'])
    await api.stranger.post('/api/auth/sign-up/email', {
      firstName: 'Kim',
      lastName: 'Kim',
      email,
      password: PASSWORD,
    });
  const { rows } = await api.db.systemPool.query(`SELECT email FROM users WHERE email LIKE '%im@acme.test'`);
  expect(rows).toEqual([{ email: 'kim@acme.test' }]);
  await askFor('\u212aim@acme.test', { address: '203.0.113.50' });
  await expect.poll(() => tokensOf('kim@acme.test').length).toBe(1);
  expect(api.mails.filter(({ to }) => to.includes('\u212a'))).toEqual([]);
});

test('the mail is in the language of its reader, and of the browser that asked where none was chosen', async () => {
  const { db, stranger } = api;
  const ask = (email: string, headers: Record<string, string>) =>
    stranger.request('/api/auth/request-password-reset', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-test-address': '192.0.2.77', ...headers },
      body: JSON.stringify({ email }),
    });
  const subjectsOf = (email: string) =>
    api.mails.filter(({ to }) => to === email).map(({ subject }) => subject);
  await db.systemPool.query(`UPDATE users SET language = 'fr' WHERE email = 'manager@acme.test'`);
  await ask('manager@acme.test', { 'accept-language': 'de' });
  await expect.poll(() => subjectsOf('manager@acme.test').at(-1)).toBe('Choisissez un nouveau mot de passe');
  await ask('viewer@acme.test', { 'accept-language': 'de-AT' });
  await expect.poll(() => subjectsOf('viewer@acme.test').at(-1)).toBe('Neues Passwort wählen');
  expect(tokensOf('viewer@acme.test').at(-1)).toMatch(/^[\w-]{32}$/);
});
