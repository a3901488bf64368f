import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  callBy,
  createCaller,
  openApiFixture,
  PUBLIC_URL,
  readCookies,
  readErrorBody,
  signIn,
  type ApiCaller,
  type ApiFixture,
  type ApiResponse,
} from '../api-fixture.ts';
import { countLockWaits } from '../lock-waits.ts';
import { addPasskey } from './add-passkey.ts';
import { mailedToken } from './mailed-links.ts';
import { addPerson } from './people.ts';
import { createSoftwarePasskey } from './software-passkey.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await openApiFixture();
});
afterAll(() => api.close());

type Options = { challenge: string; rpId: string; rp: { id: string } };

const begin = async () => (await api.stranger.post('/api/auth/passkey/begin', {})).json<Options>();
const finish = (response: object) => api.stranger.post('/api/auth/passkey/finish', { response });
const codeOf = async (answer: ApiResponse) => [answer.status, (await readErrorBody(answer)).code];
const idOf = async (caller: ApiCaller) =>
  (await (await caller.get('/api/passkeys')).json<{ items: { id: string }[] }>()).items[0]!.id;

test('a passkey is made with a recent proof and signs in without password and code', async () => {
  const email = await addPerson(api);
  const caller = await signIn(api.app, email);
  const passkey = await addPasskey(caller);
  const { items } = await (await caller.get('/api/passkeys')).json<{ items: object[] }>();
  expect(items).toMatchObject([{ name: 'Phone', isSynced: false, lastUsedAt: null }]);
  const signedIn = await finish(passkey.answer(await begin()));
  expect(await signedIn.json()).toMatchObject({ session: { user: { email } } });
  const here = createCaller(api.app, readCookies(signedIn));
  expect(await (await here.get('/api/profile')).json()).toMatchObject({ signedInBy: 'passkey' });
  const late = await signIn(api.app, await addPerson(api));
  api.advance(20 * 60_000);
  expect(await codeOf(await late.post('/api/passkeys/begin', {}))).toEqual([403, 'password_needed']);
});

test('an answer counts once, for our challenge, from our pages, and with finger, face or PIN', async () => {
  const caller = await signIn(api.app, await addPerson(api));
  const passkey = await addPasskey(caller);
  const answer = passkey.answer(await begin());
  expect((await finish(answer)).status).toBe(200);
  expect(await codeOf(await finish(answer))).toEqual([422, 'passkey_refused']);
  const own = { ...(await begin()), challenge: 'of-somebody-else' };
  expect(await codeOf(await finish(passkey.answer(own)))).toEqual([422, 'passkey_refused']);
  const unverified = passkey.answer(await begin(), { isVerified: false });
  expect(await codeOf(await finish(unverified))).toEqual([422, 'passkey_refused']);
  expect(await codeOf(await finish(createSoftwarePasskey(PUBLIC_URL).answer(await begin())))).toEqual([
    ...[422, 'passkey_refused'],
  ]);
  const elsewhere = createSoftwarePasskey('https://elsewhere.test');
  const options = await (await caller.post('/api/passkeys/begin', {})).json<Options>();
  const made = await caller.post('/api/passkeys', { name: 'Trick', response: elsewhere.make(options) });
  expect(await codeOf(made)).toEqual([422, 'passkey_refused']);
  // One that signs for other pages, by the name of one of ours.
  const stolen = { ...elsewhere.answer(await begin()), id: answer.id, rawId: answer.rawId };
  expect(await codeOf(await finish(stolen))).toEqual([422, 'passkey_refused']);
});

test('a challenge is of one person, and is answered in five minutes', async () => {
  const [one, other] = [
    await signIn(api.app, await addPerson(api)),
    await signIn(api.app, await addPerson(api)),
  ];
  const options = await (await one.post('/api/passkeys/begin', {})).json<Options>();
  const response = createSoftwarePasskey(PUBLIC_URL).make(options);
  expect(await codeOf(await other.post('/api/passkeys', { name: 'Mine', response }))).toEqual([
    ...[422, 'passkey_refused'],
  ]);
  const passkey = await addPasskey(one);
  const late = await begin();
  api.advance(5 * 60_000 + 1000);
  expect(await codeOf(await finish(passkey.answer(late)))).toEqual([422, 'passkey_refused']);
});

test('challenges have an end for each network, and whoever signed in makes room for the next', async () => {
  const passkey = await addPasskey(await signIn(api.app, await addPerson(api)));
  const office = callBy((path, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set('x-test-address', '198.51.100.20');
    return api.stranger.request(path, { ...init, headers });
  });
  const ask = () => office.post('/api/auth/passkey/begin', {});
  const response = passkey.answer(await (await ask()).json<Options>());
  expect((await office.post('/api/auth/passkey/finish', { response })).status).toBe(200);
  const statuses = [];
  for (let colleague = 0; colleague < 101; colleague += 1) statuses.push((await ask()).status);
  expect(new Set(statuses.slice(0, 100))).toEqual(new Set([200]));
  expect(statuses.at(-1)).toBe(429);
});

test('one that is removed while it signs in opens no session', async () => {
  const email = await addPerson(api);
  const caller = await signIn(api.app, email);
  const passkey = await addPasskey(caller);
  const passkeyId = await idOf(caller);
  const answer = passkey.answer(await begin());
  const client = await api.db.systemPool.connect();
  let late: ReturnType<typeof finish> | undefined;
  try {
    // The answer is judged; its session waits to be written.
    await client.query('BEGIN; LOCK TABLE sessions IN EXCLUSIVE MODE');
    late = finish(answer);
    await expect.poll(() => countLockWaits(client)).toBe(1);
    await client.query('DELETE FROM passkeys WHERE id = $1', [passkeyId]);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  expect(await codeOf(await late)).toEqual([422, 'passkey_refused']);
  const { rows } = await api.db.systemPool.query(
    `SELECT FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1 AND s.method = 'passkey' AND s.ended_at IS NULL`,
    [email],
  );
  expect(rows).toEqual([]);
});

test.each([true, false])(
  'a reset by mail names the passkeys, and removes them: %s',
  async (removesPasskeys) => {
    const email = await addPerson(api);
    const caller = await signIn(api.app, email);
    const passkey = await addPasskey(caller, 'Unknown phone');
    await api.stranger.post('/api/auth/request-password-reset', { email });
    const token = await mailedToken(api, email, 'forgot-password');
    const link = await api.stranger.post('/api/auth/read-reset-link', { token });
    expect(await link.json()).toMatchObject({ passkeys: [{ name: 'Unknown phone', lastUsedAt: null }] });
    const wrong = await api.stranger.post('/api/auth/read-reset-link', { token: 'x' });
    expect(await codeOf(wrong)).toEqual([422, 'reset_link_invalid']);
    const changed = await api.stranger.post('/api/auth/reset-password', {
      token,
      password: 'Another123',
      removesPasskeys,
    });
    expect(changed.status).toBe(200);
    expect((await finish(passkey.answer(await begin()))).status).toBe(removesPasskeys ? 422 : 200);
  },
);
