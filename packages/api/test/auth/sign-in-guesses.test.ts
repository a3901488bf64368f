import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { scryptHasher } from '../../src/auth/passwords/password-hasher.ts';
import { openApiFixture, PASSWORD, readCookies, readErrorBody, type ApiFixture } from '../api-fixture.ts';

/** So many that most of them wait: two are hashed at a time. */
const BURST = 24;

let api: ApiFixture;
beforeAll(async () => {
  api = await openApiFixture();
});
beforeEach(async () => {
  await api.db.systemPool.query('DELETE FROM sign_in_failures');
  api.advance(3_600_000); // past every limit that is counted in memory
});
afterAll(() => api.close());

const signInFrom = (address: string, email: string, password = 'Wrong1234', cookie = '', by = api.stranger) =>
  by.request('/api/auth/sign-in/email', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-test-address': address, cookie },
    body: JSON.stringify({ email, password }),
  });
const signUpFrom = (cookie: string, email: string) =>
  api.stranger.request('/api/auth/sign-up/email', {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ firstName: 'New', lastName: 'Person', email, password: PASSWORD }),
  });

/** The cookie that stays in a browser in which this person signed in once, without the session's. */
async function leaveDevice(email: string, cookie = ''): Promise<string> {
  const answer = await signInFrom('192.0.2.200', email, PASSWORD, cookie);
  expect(answer.status).toBe(200);
  return readDevice(readCookies(answer));
}

function readDevice(cookies: string): string {
  return /messaging\.device=[^;]+/.exec(cookies)?.[0] ?? '';
}

/** As after `count` wrong passwords from as many networks, the last of them just now: hashing all would take long. */
async function guessFromManyNetworks(email: string, count: number): Promise<void> {
  for (const address of ['198.51.100.11', '198.51.100.12'])
    expect((await signInFrom(address, email)).status).toBe(401);
  // Only the row of all strangers together stands at two.
  const raised = await api.db.systemPool.query(
    'UPDATE sign_in_failures SET failures = $1 WHERE failures = 2',
    [count - 1],
  );
  expect(raised.rowCount).toBe(1);
  expect((await signInFrom('198.51.100.13', email)).status).toBe(401);
}

/** As after so many wrong passwords that every stranger has to wait, this one for good. */
async function lockStrangersOut(email: string, address: string): Promise<void> {
  expect((await signInFrom(address, email)).status).toBe(401);
  await api.db.systemPool.query(`UPDATE sign_in_failures SET locked_until = '2100-01-01' WHERE failures > 0`);
  expect((await signInFrom(address, email, PASSWORD)).status).toBe(429);
}

async function readFailures(): Promise<number[]> {
  const { rows } = await api.db.systemPool.query(
    'SELECT failures FROM sign_in_failures WHERE failures > 0 ORDER BY 1',
  );
  return rows.map(({ failures }) => failures);
}

describe('a stranger', () => {
  test.each(['agent@acme.test', 'nobody@acme.test'])(
    'locks themselves out of %s after ten wrong passwords, however it is written, and nobody else',
    async (email) => {
      const [name = '', host] = email.split('@');
      const spellings = [email, email.toUpperCase(), ` ${email}`, `${email}\u00a0`, `${name}@ACME.test`];
      for (let guess = 0; guess < 10; guess += 1)
        expect((await signInFrom('198.51.100.1', spellings[guess % 5]!)).status).toBe(401);
      const locked = await signInFrom('198.51.100.1', email, PASSWORD);
      expect(locked.status).toBe(429);
      const { code, message, retryAfterSeconds } = await readErrorBody(locked);
      expect([code, message]).toEqual([
        'account_locked',
        'Too many failed sign-ins. Please try again later.',
      ]);
      expect(retryAfterSeconds).toBeGreaterThan(14 * 60);
      expect(locked.headers.get('retry-after')).toBe(String(retryAfterSeconds));
      expect(host).toBe('acme.test');
      const elsewhere = await signInFrom('198.51.100.2', email, PASSWORD);
      expect(elsewhere.status).toBe(name === 'agent' ? 200 : 401);

      api.advance(16 * 60_000);
      expect((await signInFrom('198.51.100.1', email, PASSWORD)).status).toBe(name === 'agent' ? 200 : 401);
    },
  );

  test('gets no further guess from the other half of an IPv6 address', async () => {
    for (let guess = 0; guess < 10; guess += 1)
      await signInFrom(`2001:db8:1:2::${guess + 1}`, 'agent@acme.test');
    expect((await signInFrom('2001:db8:1:2:aaaa::1', 'agent@acme.test', PASSWORD)).status).toBe(429);
    expect((await signInFrom('2001:db8:1:3::1', 'agent@acme.test', PASSWORD)).status).toBe(200);
  });

  longTest('has four hundred guesses in the networks of one IPv6 site together', async () => {
    const guess = (index: number) =>
      signInFrom(`2001:db8:77:${index.toString(16)}::1`, `x${index}@acme.test`, 'Wrong-guess-1');
    for (let index = 0; index < 400; index += 40)
      await Promise.all(Array.from({ length: 40 }, (_, place) => guess(index + place)));
    expect((await readErrorBody(await guess(400))).code).toBe('too_many_attempts');
    expect((await signInFrom('2001:db8:78::1', 'agent@acme.test', PASSWORD)).status).toBe(200);
    api.advance(6 * 60_000);
    expect((await guess(401)).status).toBe(401);
  });

  test('gets no further guess by asking many times at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => signInFrom('198.51.100.1', 'agent@acme.test')),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
  });

  test('is limited per network too, over any number of accounts', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => signInFrom('203.0.113.7', `x${index % 4}@acme.test`)),
    );
    expect(answers.some(({ status }) => status === 401)).toBe(true);
    const limited = await signInFrom('203.0.113.7', 'manager@acme.test', PASSWORD);
    expect((await readErrorBody(limited)).code).toBe('too_many_attempts');
    expect(limited.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await signInFrom('203.0.113.8', 'manager@acme.test', PASSWORD)).status).toBe(200);
  });

  test('with a right password begins anew, and takes nothing from what others have guessed', async () => {
    await guessFromManyNetworks('agent@acme.test', 18);
    expect((await signInFrom('192.0.2.77', 'agent@acme.test')).status).toBe(401);
    expect((await signInFrom('192.0.2.77', 'agent@acme.test', PASSWORD)).status).toBe(200);
    expect(await readFailures()).toEqual([1, 1, 1, 18]);
  });
});

describe('strangers from many networks', () => {
  test.each(['agent@acme.test', 'nobody@acme.test'])(
    'slow each other down at %s to one guess a minute, and lock nobody out',
    async (email) => {
      await guessFromManyNetworks(email, 40);
      const slowed = await signInFrom('203.0.113.2', email, PASSWORD);
      expect(slowed.status).toBe(429);
      const { code, retryAfterSeconds } = await readErrorBody(slowed);
      expect(code).toBe('sign_in_slowed');
      expect(retryAfterSeconds).toBeGreaterThan(30);
      expect(retryAfterSeconds).toBeLessThanOrEqual(60);
      // The refused one was not counted at its own network either.
      expect(await readFailures()).toEqual([1, 1, 1, 40]);
      api.advance(60_000);
      expect((await signInFrom('203.0.113.2', email, PASSWORD)).status).toBe(
        email.startsWith('agent') ? 200 : 401,
      );
    },
  );
});

describe('a device that the account knows', () => {
  test('signs in while strangers guess from everywhere, from its own network too', async () => {
    const device = await leaveDevice('admin@acme.test');
    await guessFromManyNetworks('admin@acme.test', 200);
    for (let guess = 0; guess < 110; guess += 1) await signInFrom('192.0.2.200', 'admin@acme.test');
    const stranger = await signInFrom('192.0.2.200', 'admin@acme.test', PASSWORD);
    expect(stranger.status).toBe(429);
    expect((await signInFrom('192.0.2.200', 'admin@acme.test', PASSWORD, device)).status).toBe(200);
  });

  test('has ten guesses of its own, and is a stranger then', async () => {
    const device = await leaveDevice('admin@acme.test');
    for (let guess = 0; guess < 10; guess += 1)
      expect((await signInFrom('192.0.2.200', 'admin@acme.test', 'Wrong1234', device)).status).toBe(401);
    expect(await readFailures()).toEqual([10]);
    expect((await signInFrom('192.0.2.200', 'admin@acme.test', 'Wrong1234', device)).status).toBe(401);
    expect(await readFailures()).toEqual([1, 1, 10]);
    await lockStrangersOut('admin@acme.test', '192.0.2.200');
    expect((await signInFrom('192.0.2.200', 'admin@acme.test', PASSWORD, device)).status).toBe(429);
  });

  test('is none with a forged, cut or old note, nor with one for somebody else', async () => {
    const device = await leaveDevice('admin@acme.test');
    await lockStrangersOut('admin@acme.test', '192.0.2.200');
    const [, issuedAt = '', name = '', signature = ''] = /=(\d+)\.([\w-]+)\.([\w-]+)/.exec(device) ?? [];
    const asAdmin = async (cookie: string) =>
      (await signInFrom('192.0.2.200', 'admin@acme.test', PASSWORD, cookie)).status;
    for (const forged of [
      '',
      'messaging.device=',
      'messaging.device=%',
      `messaging.device=${'~'.repeat(5000)}`,
      `messaging.device=${Number(issuedAt) + 1}.${name}.${signature}`,
      `messaging.device=${issuedAt}.${name.slice(1)}x.${signature}`,
      device.slice(0, -1),
      await leaveDevice('agent@acme.test'),
    ])
      expect([forged, await asAdmin(forged)]).toEqual([forged, 429]);
    expect(await asAdmin(device)).toBe(200);
    api.advance(181 * 24 * 3_600_000);
    expect(await asAdmin(device)).toBe(429);
  });

  test('may be shared by several people, says nothing of them and stays after signing out', async () => {
    let device = '';
    for (const role of ['admin', 'manager', 'agent']) device = await leaveDevice(`${role}@acme.test`, device);
    expect(device).not.toMatch(/acme|admin/);
    const signedIn = await signInFrom('192.0.2.200', 'viewer@acme.test', PASSWORD, device);
    const attributes = signedIn.headers
      .getSetCookie()
      .find((cookie) => cookie.startsWith('messaging.device='));
    expect(attributes).toMatch(/; Max-Age=15552000; Path=\/api\/auth; HttpOnly; SameSite=Strict$/);
    const cookies = readCookies(signedIn);
    const signedOut = await api.stranger.request('/api/auth/sign-out', {
      method: 'POST',
      headers: { cookie: cookies },
    });
    expect(signedOut.headers.getSetCookie().join()).not.toContain('messaging.device');
    for (const role of ['admin', 'manager', 'agent', 'viewer']) {
      const email = `${role}@acme.test`;
      await lockStrangersOut(email, '198.51.100.9');
      expect((await signInFrom('198.51.100.9', email, PASSWORD, readDevice(cookies))).status).toBe(200);
    }
  });

  test('is not made by a sign-up that waits, nor by a wrong password', async () => {
    const pending = await signUpFrom('', 'new@acme.test');
    expect(pending.headers.getSetCookie()).toEqual([]);
    expect((await signInFrom('192.0.2.1', 'admin@acme.test')).headers.getSetCookie()).toEqual([]);
  });
});

longTest(
  'other requests are answered while many sign-ins wait for their turn',
  async ({ onTestFinished }) => {
    const hashing = await openApiFixture({}, { passwords: scryptHasher });
    onTestFinished(() => hashing.close());
    let answered = 0;
    const burst = Array.from({ length: BURST }, (_, index) =>
      signInFrom(
        `203.0.113.${index}`,
        index % 2 ? 'admin@acme.test' : `x${index}@acme.test`,
        PASSWORD,
        '',
        hashing.stranger,
      ).finally(() => {
        answered += 1;
      }),
    );
    for (const answer of await Promise.all([1, 2, 3].map(() => hashing.stranger.get('/api/sign-in-hints'))))
      expect(answer.status).toBe(200);
    expect(answered).toBeLessThan(BURST);
    const answers = await Promise.all(burst);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(BURST / 2);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(BURST / 2);
  },
);
