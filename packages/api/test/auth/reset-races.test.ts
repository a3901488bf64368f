import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiFixture, PASSWORD, readErrorBody, signIn, type ApiFixture } from '../api-fixture.ts';
import { countLockWaits } from '../lock-waits.ts';
import { mailedToken } from './mailed-links.ts';
import { addPerson } from './people.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await openApiFixture();
});
afterAll(() => api.close());

async function askForToken(email: string): Promise<string> {
  await api.stranger.post('/api/auth/request-password-reset', { email });
  return mailedToken(api, email, 'forgot-password');
}

const reset = (token: string) =>
  api.stranger.post('/api/auth/reset-password', { token, password: 'Another123' });
const withOldPassword = (email: string) =>
  api.stranger.post('/api/auth/sign-in/email', { email, password: PASSWORD });

async function holding(sql: string, values: unknown[], work: (client: pg.PoolClient) => Promise<void>) {
  const client = await api.db.systemPool.connect();
  try {
    await client.query('BEGIN');
    await client.query(sql, values);
    await work(client);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}
/** Asked by who holds up the others, whose connections they may have used up. */
async function waiting(client: pg.PoolClient, count: number): Promise<void> {
  await expect.poll(() => countLockWaits(client)).toBe(count);
}

const openSessionsOf = async (email: string) =>
  (
    await api.db.systemPool.query(
      'SELECT FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1 AND s.ended_at IS NULL',
      [email],
    )
  ).rowCount;

test('a sign-in whose password was right before a reset opens nothing after it', async () => {
  const email = await addPerson(api);
  const token = await askForToken(email);
  let late: ReturnType<typeof withOldPassword> | undefined;
  await holding('LOCK TABLE two_factor IN ACCESS EXCLUSIVE MODE', [], async (client) => {
    late = withOldPassword(email);
    await waiting(client, 1);
    expect((await reset(token)).status).toBe(200);
  });
  expect((await readErrorBody((await late)!)).code).toBe('invalid_credentials');
  expect(await openSessionsOf(email)).toBe(0);
});

test('nor does it wait for a code then', async () => {
  const email = await addPerson(api);
  const token = await askForToken(email);
  await api.db.systemPool.query(
    `INSERT INTO two_factor (user_id, secret_sealed, enabled_at, created_at) SELECT id, 'x', now(), now() FROM users WHERE email = $1`,
    [email],
  );
  let late: ReturnType<typeof withOldPassword> | undefined;
  await holding('LOCK TABLE two_factor IN ACCESS EXCLUSIVE MODE', [], async (client) => {
    late = withOldPassword(email);
    await waiting(client, 1);
    expect((await reset(token)).status).toBe(200);
  });
  expect((await readErrorBody((await late)!)).code).toBe('invalid_credentials');
});

test('a change of the password by a session that a reset ends does not undo the reset', async () => {
  const email = await addPerson(api);
  const token = await askForToken(email);
  const thief = await signIn(api.app, email);
  const answers: ReturnType<typeof reset>[] = [];
  const accountOf = `SELECT FROM accounts a JOIN users u ON u.id = a.user_id WHERE u.email = $1 FOR UPDATE OF a`;
  await holding(accountOf, [email], async (client) => {
    answers.push(reset(token));
    await waiting(client, 1);
    answers.push(
      thief.post('/api/profile/password', { currentPassword: PASSWORD, newPassword: 'Thief12345' }),
    );
    await waiting(client, 2);
  });
  const [ofOwner, ofThief] = await Promise.all(answers);
  expect(ofOwner?.status).toBe(200);
  expect((await readErrorBody(ofThief!)).code).toBe('signed_out');
  await signIn(api.app, email, 'Another123');
});
