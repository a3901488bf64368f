import { newId } from '@app/database/new-id';
import { roles } from '@app/domain/auth/permissions';
import { SAMPLE_PASSWORD } from '@app/domain/auth/sample-addresses';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { addAccount, SAMPLE_ACCOUNTS } from '../../src/auth/seed-accounts.ts';
import { enqueuedJobs } from '../../src/features.ts';
import { openJobs } from '../../src/platform/jobs/open-jobs.ts';
import {
  openApiFixture,
  PASSWORD,
  quickHasher,
  readErrorBody,
  signIn,
  type ApiFixture,
} from '../api-fixture.ts';

type Operation = { id: string; state: string };

let api: ApiFixture;
beforeAll(async () => {
  // What goes on behind an answer waits, as if the process had died there, until a test goes on.
  api = await openApiFixture({}, { isWorking: false });
});
afterAll(() => api.close());

const query = (text: string, values: unknown[] = []) => api.db.systemPool.query(text, values);
const [demoAdmin, demoManager] = SAMPLE_ACCOUNTS;
const owner = { firstName: 'Ada', lastName: 'Real', email: 'Ada@Real.test', password: 'Truly-mine-1' };
const wish = { name: 'Sample Business', businessName: 'Ada & Co', owner };
const count = async (table: string) =>
  (await query(`SELECT count(*)::integer AS n FROM ${table} WHERE workspace_id = $1`, [api.workspaceId]))
    .rows[0].n as number;
const accounts = async () =>
  (
    await query(
      'SELECT u.email, m.role FROM users u JOIN memberships m ON m.user_id = u.id WHERE m.workspace_id = $1 ORDER BY u.email',
      [api.workspaceId],
    )
  ).rows as { email: string; role: string }[];

/** A team of the sample's admin, one with a second member, a role that was changed, a picture, and money that was spent. */
async function tryOut(demoId: string, realId: string): Promise<void> {
  const { workspaceId } = api;
  for (const [name, people] of [
    ['Tried', [demoId]],
    ['Real', [demoId, realId]],
  ] as const) {
    const id = newId();
    await query(
      'INSERT INTO teams (id, workspace_id, name, created_at, updated_at) VALUES ($1, $2, $3, now(), now())',
      [...[id, workspaceId, name]],
    );
    await query(
      `INSERT INTO team_members (workspace_id, team_id, user_id, role, joined_at) SELECT $1, $2, p, 'member', now() FROM unnest($3::uuid[]) AS p`,
      [workspaceId, id, people],
    );
  }
  await query(`UPDATE workspaces SET role_permissions = '{"agent":["contacts:read"]}' WHERE id = $1`, [
    workspaceId,
  ]);
  await query(`UPDATE users SET image = '/api/avatars/x' WHERE id = $1`, [demoId]);
  await query(`INSERT INTO avatars (user_id, content, updated_at) VALUES ($1, '\\x00', now())`, [demoId]);
  await query(`INSERT INTO budget_months (workspace_id, month, used) VALUES ($1, '2026-11-01', 500)`, [
    workspaceId,
  ]);
}

/** A sample with its accounts alone, and more contacts than one step takes. */
beforeEach(async () => {
  const { workspaceId } = api;
  await query(
    `DELETE FROM users WHERE id IN (SELECT user_id FROM memberships WHERE workspace_id = $1) AND email NOT LIKE '%@acme.test'`,
    [workspaceId],
  );
  await query('DELETE FROM contacts WHERE workspace_id = $1', [workspaceId]);
  await query('DELETE FROM channels WHERE workspace_id = $1', [workspaceId]);
  await query(
    `UPDATE workspaces SET is_sample = true, plan = 'professional', trial_ends_at = NULL,
            settings = settings || '{"businessName":"Sample Business"}' WHERE id = $1`,
    [workspaceId],
  );
  const hash = await quickHasher.hash(SAMPLE_PASSWORD);
  const ownHash = await quickHasher.hash(PASSWORD);
  await api.db.inSystem(async (tx) => {
    for (const account of SAMPLE_ACCOUNTS) await addAccount(tx, workspaceId, account, hash);
    // People who came in with an account of their own, also those whom an earlier test made leave.
    for (const role of roles)
      await addAccount(
        tx,
        workspaceId,
        { email: `${role}@acme.test`, firstName: 'Own', lastName: role, role },
        ownHash,
      );
  });
  await query(
    `INSERT INTO contacts (id, workspace_id, name, phone, created_at)
     SELECT gen_random_uuid(), $1, 'Ann', '+4915' || (10000000 + n), now() - interval '1 minute' FROM generate_series(1, 2500) AS n`,
    [workspaceId],
  );
});

test('asks for the name as it stands and for a person; refused, it leaves all as it was', async () => {
  const demo = await signIn(api.app, demoAdmin.email, SAMPLE_PASSWORD);
  const before = await accounts();
  const refused = async (body: object) => readErrorBody(await demo.post('/api/data/start-for-real', body));
  expect(await refused({ ...wish, name: 'sample business' })).toMatchObject({ code: 'data_name_different' });
  const { owner: _, ...nobody } = wish;
  expect(await refused(nobody)).toMatchObject({
    code: 'profile_invalid',
    fields: { 'owner.firstName': 'firstNameMissing', 'owner.password': 'passwordMissing' },
  });
  for (const email of [demoManager.email, 'agent@acme.test', 'admin@other.test'])
    expect(await refused({ ...wish, owner: { ...owner, email } }), email).toMatchObject({
      code: 'email_taken',
    });
  expect(await accounts()).toEqual(before);
  expect(await count('contacts')).toBe(2500);
  expect((await query('SELECT is_sample FROM workspaces WHERE id = $1', [api.workspaceId])).rows).toEqual([
    { is_sample: true },
  ]);
  const manager = await signIn(api.app, demoManager.email, SAMPLE_PASSWORD);
  expect((await manager.post('/api/data/start-for-real', wish)).status).toBe(403);
});

longTest(
  'whoever is signed in with a sample account becomes its real owner, once; killed behind the answer, the clearing is taken up',
  async () => {
    const demo = await signIn(api.app, demoAdmin.email, SAMPLE_PASSWORD);
    const elsewhere = await signIn(api.app, demoAdmin.email, SAMPLE_PASSWORD);
    const colleague = await signIn(api.app, demoManager.email, SAMPLE_PASSWORD);
    const id = await api.userId(demoAdmin.email);
    const channelId = await api.addChannel();
    await query(
      `INSERT INTO invitations (id, workspace_id, email, role, invited_by, invited_by_name, sent_at, expires_at, created_at)
     VALUES ($1, $2, 'somebody@x.test', 'admin', $3, 'Amara', now(), now() + interval '1 day', now())`,
      [newId(), api.workspaceId, id],
    );
    await query(
      `INSERT INTO activities (id, workspace_id, user_name, type, resource, description, metadata)
     VALUES ($1, $2, 'Amara', 'create', 'contacts', 'Added', '{"sample":true}')`,
      [newId(), api.workspaceId],
    );
    await tryOut(id, await api.userId('agent@acme.test'));
    const [first, second] = await Promise.all([
      demo.post('/api/data/start-for-real', wish, 'the-same-press'),
      demo.post('/api/data/start-for-real', wish, 'the-same-press'),
    ]);
    const operation = await first.json<Operation>();
    expect([first.status, second.status, (await second.json<Operation>()).id]).toEqual([
      200,
      200,
      operation.id,
    ]);
    expect(operation.state).toBe('running');

    expect(await accounts()).toEqual([{ email: 'ada@real.test', role: 'admin' }]);
    for (const { email } of SAMPLE_ACCOUNTS)
      await expect(signIn(api.app, email, SAMPLE_PASSWORD)).rejects.toThrow('cannot sign in');
    await expect(signIn(api.app, 'ada@real.test', SAMPLE_PASSWORD)).rejects.toThrow('cannot sign in');
    expect((await (await signIn(api.app, 'ada@real.test', owner.password)).get('/api/data')).status).toBe(
      200,
    );
    expect((await elsewhere.get('/api/data')).status).toBe(401);
    expect((await colleague.get('/api/data')).status).toBe(401);
    expect(await (await demo.get('/api/session')).text()).toContain(id);
    expect(await count('invitations')).toBe(0);
    const { rows } = await query(
      'SELECT is_sample, name, plan, trial_ends_at > now() AS tries, role_permissions AS roles FROM workspaces WHERE id = $1',
      [api.workspaceId],
    );
    expect(rows).toEqual([{ is_sample: false, name: 'Ada & Co', plan: 'starter', tries: true, roles: {} }]);
    expect(await count('contacts')).toBeGreaterThan(0);

    const again = await demo.post('/api/data/start-for-real', { ...wish, name: 'Sample Business' });
    expect(await readErrorBody(again)).toMatchObject({ code: 'sample_gone' });

    // Another process, which finds the act where that one left it.
    const jobs = openJobs({ db: api.db, logger: api.parts.logger, kinds: enqueuedJobs, isWorking: true });
    const working = jobs.work({ ...api.parts, jobs });
    await expect
      .poll(async () => (await demo.get(`/api/operations/${operation.id}`)).json())
      .toMatchObject({ state: 'done' });
    await working.stop();
    await jobs.close();
    expect(await count('contacts')).toBe(0);
    expect(await (await demo.get('/api/data')).json()).toMatchObject({ name: 'Ada & Co', contacts: 0 });
    // A number of a platform is somebody's: it is disconnected, and stays.
    expect((await query('SELECT is_connected FROM channels WHERE id = $1', [channelId])).rows).toEqual([
      { is_connected: false },
    ]);
    // Nobody of them is here any more.
    expect(await count('teams')).toBe(0);
    // That number may have cost real money.
    expect(await count('budget_months')).toBe(1);
    expect((await query('SELECT image FROM users WHERE id = $1', [id])).rows).toEqual([{ image: null }]);
    expect((await query('SELECT FROM avatars WHERE user_id = $1', [id])).rows).toEqual([]);
    const log = await query(`SELECT fact_type FROM activities WHERE workspace_id = $1`, [api.workspaceId]);
    const facts = log.rows.map(({ fact_type: type }) => type as string | null);
    expect(facts).toEqual(expect.arrayContaining(['data.started_for_real', 'data.cleared', 'user.deleted']));
    expect(facts).not.toContain(null);
  },
);

test('an admin with an account of their own stays as they are, and every other account goes with its session and its request', async () => {
  const admin = await signIn(api.app, 'admin@acme.test');
  const agent = await signIn(api.app, 'agent@acme.test');
  await query(
    `UPDATE memberships SET is_active = false WHERE user_id = (SELECT id FROM users WHERE email = 'viewer@acme.test')`,
  );
  const { owner: _, ...plain } = wish;
  const asked = await (await admin.get('/api/data/start-for-real')).json<{ leaving: string[] }>();
  expect(asked.leaving.toSorted()).toEqual(['agent@acme.test', 'manager@acme.test', 'viewer@acme.test']);
  expect((await admin.post('/api/data/start-for-real', plain)).status).toBe(200);
  expect((await accounts()).map(({ email }) => email)).toEqual(['admin@acme.test']);
  expect((await admin.get('/api/data')).status).toBe(200);
  expect((await agent.get('/api/contacts')).status).toBe(401);
  await expect(signIn(api.app, 'agent@acme.test')).rejects.toThrow('cannot sign in');
});

test('an account with another address and the password of the sample is known too: its owner chooses another one, the others go', async () => {
  const moved = async (from: string, to: string) =>
    query('UPDATE users SET email = $2 WHERE email = $1', [from, to]);
  await moved(demoAdmin.email, 'ada@real.test');
  await moved(demoManager.email, 'mat@real.test');
  const ada = await signIn(api.app, 'ada@real.test', SAMPLE_PASSWORD);
  const mat = await signIn(api.app, 'mat@real.test', SAMPLE_PASSWORD);
  const asked = await (await ada.get('/api/data/start-for-real')).json<{ leaving: string[] }>();
  expect(asked).toMatchObject({ needsOwner: true, leaving: expect.arrayContaining(['mat@real.test']) });
  const { owner: _, ...nobody } = wish;
  const refused = async (body: object) => readErrorBody(await ada.post('/api/data/start-for-real', body));
  expect(await refused(nobody)).toMatchObject({ fields: { 'owner.password': 'passwordMissing' } });
  expect(await refused({ ...wish, owner: { ...owner, password: SAMPLE_PASSWORD } })).toMatchObject({
    ...{ code: 'profile_invalid', fields: { 'owner.password': 'passwordKnown' } },
  });
  expect((await ada.post('/api/data/start-for-real', wish)).status).toBe(200);
  expect((await ada.get('/api/data')).status).toBe(200);
  expect((await mat.get('/api/data')).status).toBe(401);
  expect((await accounts()).map(({ email }) => email)).toEqual(['ada@real.test']);
  await expect(signIn(api.app, 'ada@real.test', SAMPLE_PASSWORD)).rejects.toThrow('cannot sign in');
  expect((await (await signIn(api.app, 'ada@real.test', owner.password)).get('/api/data')).status).toBe(200);
});

test("an account with another address and another password is somebody's own", async () => {
  await query('UPDATE users SET email = $2 WHERE email = $1', [demoAdmin.email, 'ada@real.test']);
  await query(`UPDATE accounts SET password = $2 WHERE user_id = (SELECT id FROM users WHERE email = $1)`, [
    'ada@real.test',
    await quickHasher.hash(PASSWORD),
  ]);
  const ada = await signIn(api.app, 'ada@real.test');
  expect(await (await ada.get('/api/data/start-for-real')).json()).toMatchObject({ needsOwner: false });
  const { owner: _, ...plain } = wish;
  expect((await ada.post('/api/data/start-for-real', plain)).status).toBe(200);
  expect((await signIn(api.app, 'ada@real.test')).get).toBeDefined();
  expect(await readErrorBody(await ada.get('/api/data/start-for-real'))).toMatchObject({
    code: 'sample_gone',
  });
});

longTest('an error in the middle of it leaves the sample and its accounts', async () => {
  const demo = await signIn(api.app, demoAdmin.email, SAMPLE_PASSWORD);
  const before = await accounts();
  await query(
    `CREATE FUNCTION stop_here() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'cut'; END $$`,
  );
  await query(
    'CREATE TRIGGER stop_here BEFORE INSERT ON operations FOR EACH ROW EXECUTE FUNCTION stop_here()',
  );
  const failed = await demo.post('/api/data/start-for-real', wish);
  await query('DROP TRIGGER stop_here ON operations');
  expect(failed.status).toBe(500);
  expect(await accounts()).toEqual(before);
  expect((await demo.get('/api/data')).status).toBe(200);
  expect((await demo.post('/api/data/start-for-real', wish)).status).toBe(200);
});
