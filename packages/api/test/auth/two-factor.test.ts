import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import {
  createCaller,
  openApiFixture,
  PASSWORD,
  readCookies,
  readErrorBody,
  signIn,
  type ApiCaller,
  type ApiFixture,
  type ApiResponse,
} from '../api-fixture.ts';
import { mailedToken } from './mailed-links.ts';
import { addPerson } from './people.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await openApiFixture();
});
afterAll(() => api.close());

const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: api.parts.clock().getTime() });
/** Every code counts once, so the next one needs a later time. */
const nextCode = (secret: string) => {
  api.advance(31_000);
  return codeOf(secret);
};

type Owner = { email: string; caller: ApiCaller; secret: string; recoveryCodes: string[] };

async function withSecondFactor(): Promise<Owner> {
  const email = await addPerson(api);
  const caller = await signIn(api.app, email);
  const begun = await caller.post('/api/two-factor/begin', {});
  const { secret } = await begun.json<{ secret: string }>();
  const enabled = await caller.post('/api/two-factor/enable', { code: codeOf(secret) });
  expect(enabled.status).toBe(200);
  const { recoveryCodes } = await enabled.json<{ recoveryCodes: string[] }>();
  return { email, caller, secret, recoveryCodes };
}

const signInAs = (email: string, { password = PASSWORD, cookie = '' } = {}) =>
  createCaller(api.app, cookie).post('/api/auth/sign-in/email', { email, password, rememberMe: true });
const sendCode = (step: ApiResponse, code: string, more: object = {}) =>
  createCaller(api.app, readCookies(step)).post('/api/auth/two-factor', { code, ...more });

describe('setting it up', () => {
  test('shows a secret as text and picture, and switches on with a code of it', async () => {
    const email = await addPerson(api);
    const caller = await signIn(api.app, email);
    const begun = await (
      await caller.post('/api/two-factor/begin', {})
    ).json<{ secret: string; address: string; picture: string }>();
    expect(begun.address).toMatch(/^otpauth:\/\/totp\/.*secret=/);
    expect(decodeURIComponent(begun.address)).toContain(email);
    expect(begun.picture).toMatch(/^data:image\/svg\+xml;base64,/);
    // Nothing is asked for before a first code was shown.
    expect(await (await signInAs(email)).json()).toHaveProperty('session.role', 'agent');
    const wrong = await caller.post('/api/two-factor/enable', { code: '000000' });
    expect((await readErrorBody(wrong)).code).toBe('code_wrong');
    const code = codeOf(begun.secret);
    const enabled = await caller.post('/api/two-factor/enable', { code });
    const { recoveryCodes } = await enabled.json<{ recoveryCodes: string[] }>();
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const recovery of recoveryCodes) expect(recovery).toMatch(/^[a-z2-9]{5}-[a-z2-9]{5}$/);
    expect(await (await caller.get('/api/two-factor')).json()).toMatchObject({
      ...{ isEnabled: true, recoveryCodesLeft: 10, isRequired: false },
    });
    const again = await caller.post('/api/two-factor/begin', {});
    expect((await readErrorBody(again)).code).toBe('two_factor_on');
  });

  test('neither secret nor recovery codes stand in the database, nor in any answer after that', async () => {
    const { caller, secret, recoveryCodes } = await withSecondFactor();
    const { rows } = await api.db.systemPool.query(
      `SELECT to_jsonb(f) AS row FROM two_factor f UNION ALL SELECT to_jsonb(r) FROM recovery_codes r
       UNION ALL SELECT to_jsonb(e) FROM events e UNION ALL SELECT to_jsonb(k) FROM idempotency_keys k`,
    );
    const stored = JSON.stringify(rows) + (await (await caller.get('/api/two-factor')).text());
    expect(stored).not.toContain(secret);
    for (const code of recoveryCodes)
      for (const written of [code, code.replace('-', '')]) expect(stored).not.toContain(written);
  });

  test('asks for the password again when the last proof is old', async () => {
    const email = await addPerson(api);
    const caller = await signIn(api.app, email);
    api.advance(16 * 60_000);
    const refused = await caller.post('/api/two-factor/begin', {});
    expect([refused.status, (await readErrorBody(refused)).code]).toEqual([403, 'password_needed']);
    const wrong = await caller.post('/api/profile/confirm-password', { password: 'Wrong1234' });
    expect((await readErrorBody(wrong)).code).toBe('password_wrong');
    expect((await caller.post('/api/two-factor/begin', {})).status).toBe(403);
    expect((await caller.post('/api/profile/confirm-password', { password: PASSWORD })).status).toBe(200);
    expect((await caller.post('/api/two-factor/begin', {})).status).toBe(200);
  });

  test('a session has ten guesses at its own password', async () => {
    const caller = await signIn(api.app, await addPerson(api));
    const guess = (password: string) => caller.post('/api/profile/confirm-password', { password });
    for (let count = 0; count < 10; count += 1)
      expect((await readErrorBody(await guess(`Wrong${count}234`))).code).toBe('password_wrong');
    const locked = await guess(PASSWORD);
    expect([locked.status, (await readErrorBody(locked)).code]).toEqual([429, 'account_locked']);
  });
});

describe('signing in with it', () => {
  test('opens no session before the code', async () => {
    const { email, secret } = await withSecondFactor();
    const step = await signInAs(email);
    expect(step.status).toBe(200);
    expect(await step.json()).toEqual({ session: null, isSecondStep: true });
    expect(readCookies(step)).not.toContain('session_token');
    expect(await (await createCaller(api.app, readCookies(step)).get('/api/session')).json()).toBeNull();
    const done = await sendCode(step, nextCode(secret));
    expect(await done.json()).toHaveProperty('session.user.email', email);
    expect(done.headers.getSetCookie().join()).toMatch(/session_token=.*Max-Age=86400/);
    const session = await createCaller(api.app, readCookies(done)).get('/api/session');
    expect(await session.json()).toMatchObject({ user: { email } });
  });

  test('takes no code twice, and no step twice', async () => {
    const { email, secret } = await withSecondFactor();
    const [first, second] = [await signInAs(email), await signInAs(email)];
    const code = nextCode(secret);
    expect((await sendCode(first, code)).status).toBe(200);
    expect((await readErrorBody(await sendCode(second, code))).code).toBe('code_wrong');
    expect((await readErrorBody(await sendCode(first, nextCode(secret)))).code).toBe('sign_in_expired');
    // A right code given at the same moment by many counts for one.
    const steps = await Promise.all(Array.from({ length: 4 }, () => signInAs(email)));
    const last = nextCode(secret);
    const answers = await Promise.all(steps.map((step) => sendCode(step, last)));
    expect(answers.filter(({ status }) => status === 200).length).toBe(1);
  });

  test('a step is over after ten minutes, and without its cookie there is none', async () => {
    const { email, secret } = await withSecondFactor();
    const step = await signInAs(email);
    const without = await api.stranger.post('/api/auth/two-factor', { code: nextCode(secret) });
    expect((await readErrorBody(without)).code).toBe('sign_in_expired');
    api.advance(10 * 60_000);
    expect((await readErrorBody(await sendCode(step, codeOf(secret)))).code).toBe('sign_in_expired');
  });

  longTest('200 codes over 20 sign-ins lock the account, which then takes not even a right one', async () => {
    const { email, secret, recoveryCodes } = await withSecondFactor();
    const steps: ApiResponse[] = [];
    for (let count = 0; count < 20; count += 1) steps.push(await signInAs(email));
    const outcomes = await Promise.all(
      steps.flatMap((step) =>
        Array.from(
          { length: 10 },
          async (_, guess) => (await readErrorBody(await sendCode(step, String(100_000 + guess)))).code,
        ),
      ),
    );
    expect(outcomes.filter((code) => code === 'code_wrong').length).toBe(5);
    expect(outcomes.filter((code) => code === 'two_factor_locked').length).toBe(195);
    const right = await sendCode(steps[0]!, nextCode(secret));
    expect(right.status).toBe(429);
    expect((await readErrorBody(right)).retryAfterSeconds).toBeGreaterThan(800);
    // Nobody guesses a recovery code: the owner has a way in meanwhile.
    expect((await sendCode(steps[1]!, recoveryCodes[0]!)).status).toBe(200);
    api.advance(15 * 60_000);
    expect((await sendCode(await signInAs(email), codeOf(secret))).status).toBe(200);
  });

  test('a recovery code works once, however it is written, and new ones end the old', async () => {
    const { email, recoveryCodes, caller } = await withSecondFactor();
    const [first = '', second = ''] = recoveryCodes;
    expect((await sendCode(await signInAs(email), ` ${first.toUpperCase().replace('-', ' ')} `)).status).toBe(
      200,
    );
    expect((await readErrorBody(await sendCode(await signInAs(email), first))).code).toBe('code_wrong');
    expect(await (await caller.get('/api/two-factor')).json()).toMatchObject({ recoveryCodesLeft: 9 });
    const made = await caller.post('/api/two-factor/recovery-codes', {});
    const { recoveryCodes: fresh } = await made.json<{ recoveryCodes: string[] }>();
    expect((await readErrorBody(await sendCode(await signInAs(email), second))).code).toBe('code_wrong');
    expect((await sendCode(await signInAs(email), fresh[0]!)).status).toBe(200);
  });

  test('a browser that is trusted is asked for no code for 30 days, and again after a reset by mail', async () => {
    const { email, secret } = await withSecondFactor();
    const done = await sendCode(await signInAs(email), nextCode(secret), { trustsDevice: true });
    let cookie = readCookies(done);
    const again = await signInAs(email, { cookie });
    expect(await again.json()).toHaveProperty('session.user.email', email);
    cookie = readCookies(again);
    expect(await (await signInAs(email)).json()).toMatchObject({ isSecondStep: true });

    await api.stranger.post('/api/auth/request-password-reset', { email });
    const token = await mailedToken(api, email, 'forgot-password');
    const password = 'Another1234';
    const reset = await createCaller(api.app, cookie).post('/api/auth/reset-password', { token, password });
    expect(reset.status).toBe(200);
    const afterReset = await signInAs(email, { password, cookie: `${cookie}; ${readCookies(reset)}` });
    expect(await afterReset.json()).toEqual({ session: null, isSecondStep: true });
  });

  test('a step that waits for its code ends with a reset of the password', async () => {
    const { email, secret } = await withSecondFactor();
    const step = await signInAs(email);
    await api.stranger.post('/api/auth/request-password-reset', { email });
    const token = await mailedToken(api, email, 'forgot-password');
    const form = { token, password: 'Another1234' };
    expect((await api.stranger.post('/api/auth/reset-password', form)).status).toBe(200);
    expect((await readErrorBody(await sendCode(step, nextCode(secret)))).code).toBe('sign_in_expired');
  });

  test('is over once it is switched off', async () => {
    const { email, caller } = await withSecondFactor();
    expect((await caller.post('/api/two-factor/disable', {})).status).toBe(200);
    expect(await (await signInAs(email)).json()).toHaveProperty('session.user.email', email);
    const off = await caller.post('/api/two-factor/disable', {});
    expect((await readErrorBody(off)).code).toBe('two_factor_off');
  });
});

describe('a workspace that asks everybody for it', () => {
  test('lets nobody without one do anything but set it up', async () => {
    const other = await openApiFixture();
    try {
      const [admin, agent] = [await other.as('admin'), await other.as('agent')];
      const without = await admin.put('/api/two-factor/requirement', { isRequired: true });
      expect((await readErrorBody(without)).code).toBe('two_factor_off');
      expect((await agent.put('/api/two-factor/requirement', { isRequired: true })).status).toBe(403);
      const { secret } = await (await admin.post('/api/two-factor/begin', {})).json<{ secret: string }>();
      const generate = (key: string) => new TOTP({ secret: Secret.fromBase32(key) }).generate();
      await admin.post('/api/two-factor/enable', { code: generate(secret) });
      expect((await admin.put('/api/two-factor/requirement', { isRequired: true })).status).toBe(200);

      const exported = await (
        await admin.post('/api/contacts/exports', { format: 'csv' })
      ).json<{ id: string }>();
      for (const path of [
        '/api/contacts',
        '/api/profile/sessions',
        '/api/contacts/export?format=csv',
        `/api/operations/${exported.id}/file`,
      ]) {
        const refused = await agent.get(path);
        expect([path, refused.status, (await readErrorBody(refused)).code]).toEqual([
          path,
          403,
          'two_factor_needed',
        ]);
      }
      expect(await (await agent.get('/api/session')).json()).toMatchObject({ mustSetUpTwoFactor: true });
      const own = await (await agent.post('/api/two-factor/begin', {})).json<{ secret: string }>();
      await agent.post('/api/two-factor/enable', { code: generate(own.secret) });
      expect((await agent.get('/api/contacts')).status).toBe(200);
      expect((await admin.get('/api/contacts')).status).toBe(200);
    } finally {
      await other.close();
    }
  });
});
