import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { scryptHasher } from '../../src/auth/passwords/password-hasher.ts';
import { seedSampleAccounts } from '../../src/auth/seed-accounts.ts';
import {
  createCaller,
  openApiFixture,
  PASSWORD,
  readCookies,
  readErrorBody,
  type ApiFixture,
} from '../api-fixture.ts';

let api: ApiFixture;
/** The accounts of the sample have the product's own hashes. */
const open = async (options = {}) => {
  api = await openApiFixture(options, { passwords: scryptHasher });
};

const person = { firstName: 'New', lastName: 'Person', password: 'Welcome123' };
const signUp = (form: object) => api.stranger.post('/api/auth/sign-up/email', { ...person, ...form });
const signInFrom = (address: string, email: string, password = 'Wrong1234') =>
  api.stranger.request('/api/auth/sign-in/email', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-test-address': address },
    body: JSON.stringify({ email, password }),
  });
type SessionBody = { session: object };
const readHints = async () =>
  (await api.stranger.get('/api/sign-in-hints')).json<{
    sampleSignIn: object | null;
    isFirstAccount: boolean;
  }>();
const readMembership = async (email: string) => {
  const { rows } = await api.db.systemPool.query(
    `SELECT m.role, m.requested_role, m.is_active, w.slug, w.trial_ends_at
     FROM users u JOIN memberships m ON m.user_id = u.id JOIN workspaces w ON w.id = m.workspace_id WHERE email = $1`,
    [email],
  );
  return rows[0];
};

describe('signing up on an empty installation', () => {
  beforeEach(async () => {
    await open();
    await api.db.systemPool.query('DELETE FROM workspaces');
    await api.db.systemPool.query('DELETE FROM users');
  });
  afterEach(() => api.close());

  test('makes the first account admin of a new workspace, signed in; the second one waits', async () => {
    expect(await readHints()).toEqual({
      sampleSignIn: null,
      companySignIn: null,
      isFirstAccount: true,
    });
    const first = await signUp({ email: 'First@Example.com', role: 'agent' });
    expect(first.status).toBe(200);
    expect((await first.json<SessionBody>()).session).toMatchObject({
      role: 'admin',
      workspace: { slug: 'main' },
    });
    const session = await createCaller(api.app, readCookies(first)).get('/api/session');
    expect(await session.json()).toMatchObject({ user: { email: 'first@example.com' } });
    const { trial_ends_at: trialEnds } = await readMembership('first@example.com');
    expect(Math.round((trialEnds.getTime() - Date.now()) / 86_400_000)).toBe(14);

    const second = await signUp({ email: 'second@example.com', role: 'admin' });
    expect(await second.json()).toEqual({ session: null, isPending: true, mustConfirmAddress: false });
    expect(second.headers.getSetCookie()).toEqual([]);
    expect(await readMembership('second@example.com')).toMatchObject({
      role: 'viewer',
      requested_role: 'admin',
      is_active: false,
      slug: 'main',
    });
  });

  longTest('makes one admin of two who come at the same moment', async () => {
    const answers = await Promise.all([
      signUp({ email: 'a@example.com' }),
      signUp({ email: 'b@example.com' }),
    ]);
    const bodies = await Promise.all(answers.map((answer) => answer.json<{ isPending: boolean }>()));
    expect(bodies.filter(({ isPending }) => isPending)).toHaveLength(1);
  });

  longTest('knows the sample workspace only while nobody else can reach the server', async () => {
    await seedSampleAccounts(api.db);
    await seedSampleAccounts(api.db);
    expect((await readHints()).sampleSignIn).toEqual({
      email: 'admin@example.com',
      password: 'Welcome123',
    });
    expect((await signUp({ email: 'try@example.com', role: 'viewer' })).headers.getSetCookie()).not.toEqual(
      [],
    );
    expect((await readMembership('try@example.com')).role).toBe('viewer');
    expect(await (await signUp({ email: 'boss@example.com', role: 'admin' })).json()).toMatchObject({
      isPending: true,
      mustConfirmAddress: false,
    });
    const taken = await signUp({ email: 'try@example.com', role: 'viewer' });
    expect(taken.status).toBe(409);
  });
});

describe('the sample workspace on a server that others reach', () => {
  beforeAll(async () => {
    await open({ isLocalOnly: false });
    await seedSampleAccounts(api.db);
  });
  afterAll(() => api.close());

  test('is locked and not spoken of', async () => {
    expect((await readHints()).sampleSignIn).toBeNull();
    const answer = await signInFrom('192.0.2.9', 'admin@example.com', 'Welcome123');
    expect(answer.status).toBe(403);
    expect((await readErrorBody(answer)).code).toBe('sample_locked');
    expect(answer.headers.getSetCookie()).toEqual([]);
  });
});

describe('a chosen role', () => {
  beforeAll(() => open());
  afterAll(() => api.close());

  test('gives nothing in a workspace at work until an admin agrees', async () => {
    const answer = await signUp({
      email: 'mallory@example.com',
      role: 'admin',
      isActive: true,
      workspaceId: 'x',
    });
    expect(await answer.json()).toEqual({ session: null, isPending: true, mustConfirmAddress: false });
    const attempt = await signInFrom('192.0.2.1', 'mallory@example.com', person.password);
    expect(attempt.status).toBe(403);
    expect((await readErrorBody(attempt)).code).toBe('account_inactive');
    expect((await signUp({ email: 'm2@example.com', role: 'owner' })).status).toBe(422);
  });

  test('a request for an address that has an account is answered like any other, and changes nothing', async () => {
    const answer = await signUp({ email: 'admin@acme.test', role: 'viewer', password: 'Another123' });
    expect(await answer.json()).toEqual({ session: null, isPending: true, mustConfirmAddress: false });
    expect((await signInFrom('192.0.2.1', 'admin@acme.test', PASSWORD)).status).toBe(200);
  });

  test('bad fields come back with the sentence of each', async () => {
    const answer = await signUp({ email: 'x', firstName: '', password: 'short', phoneNumber: 'abc' });
    expect(answer.status).toBe(422);
    expect((await readErrorBody(answer)).fields).toEqual({
      firstName: 'First name is required',
      email: 'Please enter a valid email address',
      phoneNumber: 'Please enter a valid phone number',
      password: 'Password must be at least 8 characters long',
    });
    expect(
      (await api.stranger.post('/api/auth/sign-up/email', { firstName: 'x'.repeat(20_000) })).status,
    ).toBe(413);
  });
});
