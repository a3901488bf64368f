import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openApiFixture,
  PASSWORD,
  readErrorBody,
  signIn,
  type ApiCaller,
  type ApiFixture,
} from '../api-fixture.ts';
import { addCaller, addPerson } from './add-person.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await openApiFixture();
});
afterAll(() => api.close());

const query = (text: string, values: unknown[] = []) => api.db.systemPool.query(text, values);
const isSignedIn = async (caller: ApiCaller) => (await (await caller.get('/api/session')).json()) !== null;
const reset = (caller: ApiCaller, userId: string, removesPasskeys = false) =>
  caller.post(`/api/users/${userId}/reset-factors`, { removesPasskeys });

async function addFactors(userId: string): Promise<void> {
  await query(
    `INSERT INTO two_factor (user_id, secret_sealed, enabled_at, created_at) VALUES ($1, 'sealed', now(), now())`,
    [userId],
  );
  await query(`INSERT INTO trusted_devices VALUES ($1, 'a browser', now() + interval '1 day')`, [userId]);
  await query(
    `INSERT INTO passkeys (id, user_id, credential_id, public_key, name, created_at) VALUES ($1, $2, $3, '', 'Phone', now())`,
    [crypto.randomUUID(), userId, crypto.randomUUID()],
  );
}

async function countFactors(userId: string): Promise<number[]> {
  const { rows } = await query(
    `SELECT (SELECT count(*)::int FROM two_factor WHERE user_id = $1) AS a,
            (SELECT count(*)::int FROM trusted_devices WHERE user_id = $1) AS b,
            (SELECT count(*)::int FROM passkeys WHERE user_id = $1) AS c`,
    [userId],
  );
  return [rows[0].a, rows[0].b, rows[0].c];
}

describe('the second factor of somebody who lost it', () => {
  test('goes with the browsers that needed none; they are out everywhere and hear of it', async () => {
    const admin = await api.as('admin');
    const { id, email, caller } = await addCaller(api, 'agent');
    await addFactors(id);
    const listed = await (await admin.get(`/api/users/${id}/factors`)).json<{ passkeys: object[] }>();
    expect(listed).toMatchObject({ hasSecondFactor: true, passkeys: [{ name: 'Phone', lastUsedAt: null }] });
    expect(await (await reset(admin, id)).json()).toEqual({ passkeys: 0 });
    expect(await countFactors(id)).toEqual([0, 0, 1]);
    expect(await isSignedIn(caller)).toBe(false);
    await signIn(api.app, email);
    // Beside the one that tells of the new browser.
    const isTold = () =>
      api.mails.some(({ to, text }) => to === email && text.includes('admin Acme has reset'));
    await expect.poll(isTold).toBe(true);
    expect((await readErrorBody(await reset(admin, id))).code).toBe('factors_missing');
    const { rows } = await query(
      `SELECT "values" FROM events WHERE type = 'user.factors_reset' AND subject_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ values: { name: 'Noor Haddad', passkeys: 0 } }]);
  });

  test('takes the passkeys with it where that is wanted, once under one key', async () => {
    const admin = await api.as('admin');
    const { id } = await addPerson(api, 'agent');
    await addFactors(id);
    const twice = () =>
      admin.post(`/api/users/${id}/reset-factors`, { removesPasskeys: true }, `lost-phone-${id}`);
    expect(await (await twice()).json()).toEqual({ passkeys: 1 });
    expect(await (await twice()).json()).toEqual({ passkeys: 1 });
    expect(await countFactors(id)).toEqual([0, 0, 0]);
  });

  test('is not one’s own, nor somebody’s of elsewhere, nor for who does not manage users', async () => {
    const admin = await api.as('admin');
    const { id } = await addPerson(api, 'agent');
    await addFactors(id);
    expect((await readErrorBody(await reset(admin, await api.userId('admin@acme.test')))).code).toBe(
      'user_is_self',
    );
    expect((await readErrorBody(await reset(await api.asOther(), id))).code).toBe('user_not_found');
    expect((await (await api.asOther()).get(`/api/users/${id}/factors`)).status).toBe(404);
    expect((await reset(await api.as('manager'), id)).status).toBe(403);
    expect(await countFactors(id)).toEqual([1, 1, 1]);
  });
});

describe('what is dangerous on others', () => {
  const refusedWithout = async (send: () => Promise<Parameters<typeof readErrorBody>[0]>) =>
    (await readErrorBody(await send())).code;

  test('asks for a recent proof, and goes on under its key after it', async () => {
    const { caller: admin } = await addCaller(api, 'admin');
    const { id } = await addPerson(api, 'manager');
    await addFactors(id);
    api.advance(20 * 60_000);
    const remove = () =>
      admin.request(`/api/users/${id}`, { method: 'DELETE', headers: { 'idempotency-key': `gone-${id}` } });
    for (const send of [
      () => reset(admin, id),
      () => admin.patch(`/api/users/${id}`, { version: 1, role: 'admin' }),
      () => admin.post(`/api/users/${id}/deactivate`, {}),
      () => admin.post('/api/invitations', { email: 'boss@acme.test', role: 'admin' }),
      () => admin.put('/api/role-permissions', { version: 1, changes: [] }),
      () => admin.put(`/api/users/${id}/email`, { email: 'else@acme.test' }),
      () => admin.get('/api/contacts/export?format=csv'),
      () => admin.post('/api/contacts/exports', { format: 'csv', choice: { filter: {} } }),
      remove,
    ])
      expect(await refusedWithout(send)).toBe('password_needed');
    expect((await admin.patch(`/api/users/${id}`, { version: 1, role: 'agent' })).status).toBe(200);
    expect((await admin.post('/api/profile/confirm-password', { password: PASSWORD })).status).toBe(200);
    expect((await remove()).status).toBe(200);
    expect((await admin.get('/api/contacts/export?format=csv')).status).toBe(200);
  });
});

describe('the address of somebody', () => {
  test('is theirs to change where mail is sent, and an admin’s where none is', async () => {
    const { id } = await addPerson(api, 'agent');
    const change = (caller: ApiCaller, userId: string, email: string) =>
      caller.put(`/api/users/${userId}/email`, { email });
    expect(
      (await readErrorBody(await change((await addCaller(api, 'admin')).caller, id, 'x@acme.test'))).code,
    ).toBe('email_by_owner');
    const quiet = await openApiFixture({ sendsMail: false });
    try {
      const admin = await quiet.as('admin');
      const agent = await quiet.userId('agent@acme.test');
      expect((await readErrorBody(await change(admin, agent, 'viewer@acme.test'))).code).toBe('email_taken');
      expect((await readErrorBody(await change(admin, agent, 'nothing'))).code).toBe('email_invalid');
      expect(await (await change(admin, agent, ' New@acme.test')).json()).toMatchObject({
        email: 'new@acme.test',
      });
      await signIn(quiet.app, 'new@acme.test');
      const own = await quiet.userId('admin@acme.test');
      expect((await readErrorBody(await change(admin, own, 'x@acme.test'))).code).toBe('user_is_self');
    } finally {
      await quiet.close();
    }
  });
});
