import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import {
  openApiFixture,
  PASSWORD,
  readErrorBody,
  signIn,
  type ApiCaller,
  type ApiFixture,
} from '../api-fixture.ts';
import { callWithKey, makeApiKey } from '../api-keys/key-caller.ts';
import { addPasskey } from './add-passkey.ts';
import { mailedToken } from './mailed-links.ts';
import { addPerson } from './people.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await openApiFixture();
});
afterAll(() => api.close());

let count = 0;
const newAddress = () => `moved${(count += 1)}@acme.test`;
const ask = (caller: ApiCaller, email: string) => caller.post('/api/profile/email', { email });
const confirm = (token: string) => api.stranger.post('/api/auth/confirm-email', { token });
const undo = (token: string) => api.stranger.post('/api/auth/undo-email-change', { token });
const isSignedIn = async (caller: ApiCaller) => (await (await caller.get('/api/session')).json()) !== null;
const mailsTo = (email: string, kind: 'confirm' | 'undo') =>
  api.mails
    .filter(({ to }) => to === email)
    .flatMap(({ text }) => new RegExp(`email-link\\?${kind}=(\\S+)`).exec(text)?.[1] ?? [])
    .map(decodeURIComponent);

async function mailed(email: string, kind: 'confirm' | 'undo', which = 1): Promise<string> {
  await expect.poll(() => mailsTo(email, kind).length).toBeGreaterThanOrEqual(which);
  return mailsTo(email, kind)[which - 1]!; // polled for above
}

async function settle(): Promise<void> {
  const waits = `SELECT FROM jobs.job WHERE state IN ('created', 'retry', 'active') AND name LIKE 'email-%'`;
  await expect.poll(async () => (await api.db.systemPool.query(waits)).rowCount).toBe(0);
}

describe('another address', () => {
  test('counts once its link was used; sessions stay, and the former address hears of it', async () => {
    const from = await addPerson(api);
    const to = newAddress();
    const [here, there] = [await signIn(api.app, from), await signIn(api.app, from)];
    expect(await (await ask(here, ` ${to.toUpperCase()} `)).json()).toMatchObject({
      email: from,
      newEmail: to,
    });
    const token = await mailed(to, 'confirm');
    await signIn(api.app, from);
    expect(await (await confirm(token)).json()).toEqual({ email: to });
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, true]);
    expect(await (await here.get('/api/profile')).json()).toMatchObject({ email: to, newEmail: null });
    await signIn(api.app, to);
    const former = await api.stranger.post('/api/auth/sign-in/email', { email: from, password: PASSWORD });
    expect(former.status).toBe(401);
    await mailed(from, 'undo');
    expect((await readErrorBody(await confirm(token))).code).toBe('email_link_invalid');
  });

  test('needs a recent proof, and is a good one', async () => {
    const caller = await signIn(api.app, await addPerson(api));
    const bad = await ask(caller, 'no address');
    const { error } = await bad.json<{ error: { code: string; details: object } }>();
    expect(error).toMatchObject({ code: 'profile_invalid', details: { issues: [{ field: 'email' }] } });
    api.advance(20 * 60_000);
    expect((await readErrorBody(await ask(caller, newAddress()))).code).toBe('password_needed');
  });

  test('that has an account is told so in its own mail box alone', async () => {
    const [one, other] = [await addPerson(api), await addPerson(api)];
    const caller = await signIn(api.app, one);
    expect(await (await ask(caller, other)).json()).toMatchObject({ newEmail: other });
    await settle();
    expect(api.mails.filter(({ to }) => to === other).map(({ subject }) => subject)).toEqual([
      'Your email address was asked for',
    ]);
    expect(mailsTo(other, 'confirm')).toEqual([]);
  });

  test('asked for twice at once is one mail; asked for often it is refused', async () => {
    const caller = await signIn(api.app, await addPerson(api));
    const to = newAddress();
    await Promise.all([ask(caller, to), ask(caller, to), ask(caller, to)]);
    await settle();
    expect(mailsTo(to, 'confirm').length).toBe(1);
    const codes = [];
    for (let i = 0; i < 5; i += 1) codes.push((await ask(caller, newAddress())).status);
    expect(codes).toEqual([200, 200, 200, 200, 429]);
  });

  test.each(['another wish', 'a new password', 'a reset', 'twenty-four hours'])(
    'opens nothing after %s',
    async (what) => {
      const email = await addPerson(api);
      const caller = await signIn(api.app, email);
      const to = newAddress();
      await ask(caller, to);
      const token = await mailed(to, 'confirm');
      if (what === 'another wish') await ask(caller, newAddress());
      if (what === 'a new password')
        await caller.post('/api/profile/password', { currentPassword: PASSWORD, newPassword: 'Another1234' });
      if (what === 'a reset') {
        await api.stranger.post('/api/auth/request-password-reset', { email });
        const form = { token: await mailedToken(api, email, 'forgot-password'), password: 'Another1234' };
        expect((await api.stranger.post('/api/auth/reset-password', form)).status).toBe(200);
      }
      if (what === 'twenty-four hours') api.advance(24 * 3_600_000 + 1000);
      expect((await readErrorBody(await confirm(token))).code).toBe('email_link_invalid');
    },
  );

  test.each([
    ['by withdrawing it', (caller: ApiCaller) => caller.delete('/api/profile/email', {})],
    ['by asking for the present one', (caller: ApiCaller, email: string) => ask(caller, email)],
  ])('is taken back %s, which is told', async (_, takeBack) => {
    const email = await addPerson(api);
    const caller = await signIn(api.app, email);
    const to = newAddress();
    await ask(caller, to);
    const token = await mailed(to, 'confirm');
    expect(await (await takeBack(caller, email)).json()).toMatchObject({ email, newEmail: null });
    expect((await readErrorBody(await confirm(token))).code).toBe('email_link_invalid');
    const { rows } = await api.db.systemPool.query(
      `SELECT FROM events WHERE type = 'account.email_change_withdrawn' AND subject_id = $1`,
      [await api.userId(email)],
    );
    expect(rows.length).toBe(1);
  });

  test('that two people confirm at once is the first one’s', async () => {
    const people = [await addPerson(api), await addPerson(api)];
    const to = newAddress();
    for (const email of people) await ask(await signIn(api.app, email), to);
    const tokens = [await mailed(to, 'confirm', 1), await mailed(to, 'confirm', 2)];
    const answers = await Promise.all(tokens.map(confirm));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const { rows } = await api.db.systemPool.query('SELECT FROM users WHERE email = $1', [to]);
    expect(rows.length).toBe(1);
  });

  test('is no link of another kind', async () => {
    const caller = await signIn(api.app, await addPerson(api));
    const to = newAddress();
    await ask(caller, to);
    const token = await mailed(to, 'confirm');
    for (const wrong of [token.replace(/.$/, 'x'), '', 'x'.repeat(300), `${crypto.randomUUID()}.x`])
      expect((await confirm(wrong)).status).toBe(422);
    expect((await undo(token)).status).toBe(422);
  });
});

describe('the former address', () => {
  test('takes a change back, whatever came after it, and ends every session', async () => {
    const first = await addPerson(api);
    const caller = await signIn(api.app, first);
    const [second, third] = [newAddress(), newAddress()];
    await ask(caller, second);
    await confirm(await mailed(second, 'confirm'));
    await ask(caller, third);
    await confirm(await mailed(third, 'confirm'));
    const later = await mailed(second, 'undo');
    expect(await (await undo(await mailed(first, 'undo'))).json()).toEqual({ email: first });
    expect(await isSignedIn(caller)).toBe(false);
    await signIn(api.app, first);
    expect((await undo(later)).status).toBe(422);
    expect((await undo(await mailed(first, 'undo'))).status).toBe(422);
  });

  longTest('ends the passkeys that were added since, and no others', async () => {
    const from = await addPerson(api);
    const caller = await signIn(api.app, from);
    await addPasskey(caller, 'Own');
    api.advance(1000);
    const to = newAddress();
    await ask(caller, to);
    await addPasskey(caller, 'Theirs');
    await confirm(await mailed(to, 'confirm'));
    await undo(await mailed(from, 'undo'));
    const { rows } = await api.db.systemPool.query(
      'SELECT p.name FROM passkeys p JOIN users u ON u.id = p.user_id WHERE u.email = $1',
      [from],
    );
    expect(rows).toEqual([{ name: 'Own' }]);
  });

  test('ends the API keys that were made since, which may be somebody else’s, and no others', async () => {
    const from = await addPerson(api);
    const caller = await signIn(api.app, from);
    const earlier = await makeApiKey(caller, { scopes: ['contacts:read'] });
    api.advance(1000);
    const to = newAddress();
    await ask(caller, to);
    await confirm(await mailed(to, 'confirm'));
    const since = await makeApiKey(caller, { scopes: ['contacts:read'] });
    await undo(await mailed(from, 'undo'));
    await api.facts.catchUp();
    const use = async (secret: string) => (await callWithKey(api, secret).get('/api/contacts')).status;
    expect([await use(earlier.secret), await use(since.secret)]).toEqual([200, 401]);
    const { rows } = await api.db.systemPool.query(
      `SELECT "values" FROM events WHERE type = 'api_key.revoked' AND subject_id = $1`,
      [since.id],
    );
    expect(rows).toMatchObject([{ values: { prefix: since.prefix } }]);
  });

  test('stays theirs for seven days: nobody who signs up with it is in the way', async () => {
    const from = await addPerson(api);
    const to = newAddress();
    await ask(await signIn(api.app, from), to);
    await confirm(await mailed(to, 'confirm'));
    const signUp = (email: string) =>
      api.stranger.post('/api/auth/sign-up/email', {
        ...{ firstName: 'Mallory', lastName: 'Blanc', email, password: 'Welcome123', role: 'agent' },
      });
    const [taken, other] = [await signUp(from), await signUp(newAddress())];
    expect([taken.status, await taken.json()]).toEqual([other.status, await other.json()]);
    expect(await (await undo(await mailed(from, 'undo'))).json()).toEqual({ email: from });
    const moved = await addPerson(api);
    const away = newAddress();
    await ask(await signIn(api.app, moved), away);
    await confirm(await mailed(away, 'confirm'));
    api.advance(7 * 24 * 3_600_000 + 1000);
    await signUp(moved);
    expect(await api.userId(moved)).toEqual(expect.any(String));
  });

  test('does so for seven days, and not once somebody else has it', async () => {
    const move = async () => {
      const from = await addPerson(api);
      const to = newAddress();
      await ask(await signIn(api.app, from), to);
      await confirm(await mailed(to, 'confirm'));
      return { from, token: await mailed(from, 'undo') };
    };
    const [late, taken] = [await move(), await move()];
    await ask(await signIn(api.app, await addPerson(api)), taken.from);
    await confirm(await mailed(taken.from, 'confirm'));
    expect((await readErrorBody(await undo(taken.token))).code).toBe('email_taken');
    api.advance(7 * 24 * 3_600_000 + 1000);
    expect((await undo(late.token)).status).toBe(422);
  });
});

describe('where no mail is sent', () => {
  test('an admin changes their own at once, and others ask one', async () => {
    const quiet = await openApiFixture({ sendsMail: false });
    try {
      const admin = await quiet.as('admin');
      expect(await (await ask(admin, 'chief@acme.test')).json()).toMatchObject({
        ...{ email: 'chief@acme.test', newEmail: null, emailChange: 'at-once' },
      });
      expect((await readErrorBody(await ask(admin, 'agent@acme.test'))).code).toBe('email_taken');
      const agent = await quiet.as('agent');
      expect(await (await agent.get('/api/profile')).json()).toMatchObject({ emailChange: 'others' });
      expect((await readErrorBody(await ask(agent, 'else@acme.test'))).code).toBe('mail_missing');
    } finally {
      await quiet.close();
    }
  });
});
