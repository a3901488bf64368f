import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PoolClient } from 'pg';
import { openApiFixture, quickHasher, type ApiFixture } from '../api-fixture.ts';
import { addPerson } from './people.ts';

/** Each hash is as slow as the other on purpose, and everything else is small beside it. */
type Work = { hashes: number; statements: string[] };

let api: ApiFixture;
const work: Work = { hashes: 0, statements: [] };

beforeAll(async () => {
  const passwords: typeof quickHasher = {
    hash: (password) => ((work.hashes += 1), quickHasher.hash(password)),
    verify: (password, hash) => ((work.hashes += 1), quickHasher.verify(password, hash)),
  };
  // What is left for later is no work of the answer.
  api = await openApiFixture({}, { isWorking: false, passwords });
  const watched = new WeakSet<PoolClient>();
  api.db.systemPool.on('acquire', (client) => {
    if (watched.has(client)) return;
    watched.add(client);
    const { query } = client;
    const noting = (asked: string | { text: string }, ...rest: unknown[]) => {
      const text = typeof asked === 'string' ? asked : asked.text;
      // Whoever reads facts looks for them whenever it likes.
      if (!text.includes('read_due_events')) work.statements.push(text);
      return Reflect.apply(query, client, [asked, ...rest]);
    };
    // The library has a dozen overloads of it.
    client.query = noting as typeof client.query;
  });
});
afterAll(() => api.close());

/** What a request makes the server do; its own count of guesses is begun anew before it. */
async function workOf(path: string, form: object, status: number): Promise<Work> {
  await api.db.systemPool.query('DELETE FROM sign_in_failures');
  await api.facts.catchUp();
  Object.assign(work, { hashes: 0, statements: [] });
  const answer = await api.stranger.post(path, form);
  expect(answer.status).toBe(status);
  return { hashes: work.hashes, statements: [...work.statements] };
}

async function addresses(): Promise<Record<string, string>> {
  const change = (email: string, what: string) => api.db.systemPool.query(what, [email]).then(() => email);
  return {
    'an active account': await addPerson(api),
    'a deactivated one': await change(
      await addPerson(api),
      'UPDATE memberships SET is_active = false WHERE user_id = (SELECT id FROM users WHERE email = $1)',
    ),
    'one that waits to be let in': await change(
      await addPerson(api),
      `UPDATE memberships SET is_active = false, requested_role = 'admin' WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
    ),
    'one without a password': await change(
      await addPerson(api),
      'DELETE FROM accounts a USING users u WHERE a.user_id = u.id AND u.email = $1',
    ),
    'one with a second factor': await change(
      await addPerson(api),
      `INSERT INTO two_factor (user_id, secret_sealed, enabled_at, created_at)
         SELECT id, 'sealed', now(), now() FROM users WHERE email = $1`,
    ),
    'an address of another workspace': 'admin@other.test',
    'no address at all': 'nobody',
  };
}

test('a wrong password costs one hash and the same queries, whoever the address belongs to', async () => {
  const wrong = (email: string) => workOf('/api/auth/sign-in/email', { email, password: 'Wrong1234' }, 401);
  await wrong('warms-up@acme.test');
  const unknown = await wrong('unknown@acme.test');
  expect(unknown.hashes).toBe(1);
  expect(unknown.statements.length).toBeGreaterThan(3);
  for (const [whose, email] of Object.entries(await addresses()))
    expect([whose, await wrong(email)]).toEqual([whose, unknown]);
});

test('asking for a reset costs the same queries and no hash, whoever the address belongs to', async () => {
  const ask = (email: string) => workOf('/api/auth/request-password-reset', { email }, 200);
  await ask('warms-up@acme.test');
  const unknown = await ask('unknown@acme.test');
  expect(unknown.hashes).toBe(0);
  const { 'no address at all': _, ...known } = await addresses();
  for (const [whose, email] of Object.entries(known))
    expect([whose, await ask(email)]).toEqual([whose, unknown]);
});

test('asking to join costs one hash, whether or not the address has an account', async () => {
  const join = (email: string) =>
    workOf(
      '/api/auth/sign-up/email',
      { email, firstName: 'New', lastName: 'Person', password: 'Welcome123', role: 'manager' },
      200,
    );
  expect((await join('unknown@acme.test')).hashes).toBe(1);
  expect((await join(await addPerson(api))).hashes).toBe(1);
});

test('a link that is none costs no hash', async () => {
  for (const token of ['', 'x', 'a'.repeat(5000)]) {
    const form = { token, password: 'Welcome123' };
    expect((await workOf('/api/auth/reset-password', form, 422)).hashes).toBe(0);
  }
});
