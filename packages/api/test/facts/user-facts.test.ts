import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiFixture, PASSWORD, signIn, type ApiFixture } from '../api-fixture.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await openApiFixture();
});
afterAll(() => api.close());

const readEmitted = async () =>
  (
    await api.db.systemPool.query(
      `SELECT type, subject_id AS subject, actor->>'name' AS name, "values" FROM events
        WHERE subject_kind = 'user' ORDER BY id`,
    )
  ).rows;

test('who comes and goes is told in their own name, with where they came from', async () => {
  const agent = await signIn(api.app, 'agent@acme.test');
  await agent.post('/api/auth/sign-out', {});
  const subject = await api.userId('agent@acme.test');
  const own = { subject, name: 'agent Acme', values: {} };
  expect(await readEmitted()).toEqual([
    { type: 'user.signed_in', ...own },
    { type: 'user.signed_out', ...own },
  ]);
  const { rows } = await api.db.systemPool.query(
    'SELECT fact_type, type, resource, user_id, ip_address FROM activities ORDER BY id',
  );
  const entry = { resource: 'auth', user_id: subject, ip_address: '192.0.2.1' };
  expect(rows).toEqual([
    { fact_type: 'user.signed_in', type: 'login', ...entry },
    { fact_type: 'user.signed_out', type: 'logout', ...entry },
  ]);
});

test('an account that waits is told with the role that it asks for', async () => {
  const before = (await readEmitted()).length;
  const asked = await api.stranger.post('/api/auth/sign-up/email', {
    ...{ firstName: 'Noor', lastName: 'Haddad', email: 'noor@acme.test', phoneNumber: '' },
    ...{ password: PASSWORD, role: 'manager' },
  });
  expect(await asked.json()).toEqual({ session: null, isPending: true, mustConfirmAddress: false });
  const subject = await api.userId('noor@acme.test');
  expect((await readEmitted()).slice(before)).toEqual([
    { type: 'user.asked_to_join', subject, name: 'Noor Haddad', values: { role: 'manager' } },
  ]);
});

test('a stream that opens and closes is told as coming and going', async () => {
  const before = (await readEmitted()).length;
  const viewer = await api.as('viewer');
  const stream = await viewer.get('/api/events');
  const told = async () => (await readEmitted()).slice(before).map(({ type }) => type);
  await expect.poll(told).toEqual(['user.signed_in', 'user.came']);
  await viewer.post('/api/presence', { state: 'idle' });
  await viewer.post('/api/presence', { state: 'idle' });
  await viewer.post('/api/presence', { state: 'active' });
  await stream.body?.cancel();
  await expect
    .poll(told)
    .toEqual(['user.signed_in', 'user.came', 'user.went_idle', 'user.came_back', 'user.left']);
});
