import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiFixture, PASSWORD, readRefusal, signIn, type ApiFixture } from './api-fixture.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await openApiFixture();
});
afterAll(() => api.close());

const askFor = (email: string) => api.stranger.post('/api/auth/request-password-reset', { email });
const choose = (token: string, password: string) =>
  api.stranger.post('/api/auth/reset-password', { token, password });

async function readToken(email: string): Promise<string> {
  await expect.poll(() => api.mails.filter(({ to }) => to.includes(email)).length).toBeGreaterThan(0);
  const mail = api.mails.findLast(({ to }) => to.includes(email));
  return decodeURIComponent(/forgot-password\?token=(\S+)/.exec(mail?.text ?? '')?.[1] ?? '');
}

test('a mailed link changes the password once and ends every session', async () => {
  const session = await signIn(api.app, 'agent@acme.test');
  expect((await askFor(' Agent@acme.test ')).status).toBe(200);
  const token = await readToken('agent@acme.test');

  const weak = await choose(token, 'short');
  expect((await readRefusal(weak)).fields).toEqual({
    password: 'Password must be at least 8 characters long',
  });
  expect((await choose(token, 'Another123')).status).toBe(200);
  expect(await (await session.get('/api/session')).json()).toBeNull();
  await expect(signIn(api.app, 'agent@acme.test', PASSWORD)).rejects.toThrow('invalid_credentials');
  await signIn(api.app, 'agent@acme.test', 'Another123');

  const again = await choose(token, 'Further123');
  expect(again.status).toBe(422);
  expect((await readRefusal(again)).code).toBe('reset_link_invalid');
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
  expect(api.mails.filter(({ to }) => to.includes('nobody@acme.test'))).toEqual([]);
});

test('what is no address, an invented token and floods are refused', async () => {
  expect((await readRefusal(await askFor('x'))).fields).toEqual({
    email: 'Please enter a valid email address',
  });
  expect((await choose('invented', 'Welcome123')).status).toBe(422);
  expect((await api.stranger.post('/api/auth/reset-password', { token: ['x'] })).status).toBe(422);
  const answers = [];
  for (let attempt = 0; attempt < 11; attempt += 1) answers.push((await askFor('flood@acme.test')).status);
  expect(answers).toContain(429);
});
