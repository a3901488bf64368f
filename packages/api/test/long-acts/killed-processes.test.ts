import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { newId } from '@app/database/new-id';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { countLockWaits } from '../lock-waits.ts';

vi.setConfig({ testTimeout: 240_000 });

type Act = { id: string; state: string; done: number; total: number; wasInterrupted: boolean };

let api: ApiFixture;
let admin: ApiCaller;
let processes: ChildProcess[] = [];
beforeAll(async () => {
  // This process leaves everything to those that are begun and killed here.
  api = await openApiFixture({}, { isWorking: false });
  admin = await api.as('admin');
});
afterAll(() => api.close());
beforeEach(() => api.db.systemPool.query('DELETE FROM contacts'));
afterEach(() => {
  for (const one of processes) one.kill('SIGKILL');
  processes = [];
});

async function startProcess(): Promise<ChildProcess> {
  const started = fork(fileURLToPath(new URL('worker-process.ts', import.meta.url)), [api.databaseUrl]);
  processes.push(started);
  await new Promise((resolve) => started.once('message', resolve));
  return started;
}

async function kill(one: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => one.once('exit', resolve));
  one.kill('SIGKILL');
  await gone;
}

const readAct = async (id: string) => (await admin.get(`/api/long-acts/${id}`)).json<Act>();
const readDone = async (id: string) =>
  (await api.db.systemPool.query('SELECT done::int FROM long_acts WHERE id = $1', [id])).rows[0]?.done;
const count = async () =>
  Number((await api.db.systemPool.query('SELECT count(*) AS n FROM contacts')).rows[0].n);
const told = async (id: string) =>
  (await api.db.systemPool.query(`SELECT type FROM events WHERE subject_id = $1 ORDER BY id`, [id])).rows.map(
    ({ type }) => type,
  );

async function addMany(n: number): Promise<void> {
  await api.db.systemPool.query(
    `INSERT INTO contacts (id, workspace_id, name, phone, created_at)
     SELECT gen_random_uuid(), $1, 'Contact ' || n, '+1415' || (2000000 + n), now() - interval '1 minute' FROM generate_series(1, $2) n`,
    [api.workspaceId, n],
  );
}

async function expectDone(id: string): Promise<void> {
  await expect
    .poll(() => readAct(id), { timeout: 100_000, interval: 250 })
    .toMatchObject({ state: 'done', wasInterrupted: true });
}

test('an import whose process is killed is finished by another one, once', async () => {
  const holder = new pg.Client({ connectionString: api.databaseUrl });
  await holder.connect();
  const first = await startProcess();
  const id = newId();
  const rows = Array.from({ length: 3_000 }, (_, n) => `Person ${n},+1415${3_000_000 + n}`);
  try {
    await holder.query('BEGIN; LOCK TABLE contact_aliases IN ACCESS EXCLUSIVE MODE');
    const leaving = new AbortController();
    const sent = admin
      .request(`/api/contacts/imports?importId=${id}`, {
        ...{ method: 'POST', body: ['name,phone', ...rows].join('\n'), signal: leaving.signal },
        headers: { prefer: 'wait=50', 'content-type': 'text/csv' },
      })
      .catch(() => undefined);
    // Its file is read, and its process waits with the rows in hand.
    await expect.poll(() => countLockWaits(holder, 'contact_aliases'), { timeout: 90_000 }).toBe(1);
    await kill(first);
    leaving.abort();
    await sent;
    await startProcess();
    await holder.query('COMMIT');
  } finally {
    await holder.end();
  }
  await expectDone(id);
  expect(await count()).toBe(3_000);
  expect(await told(id)).toEqual(['contacts.imported', 'long_act.ended']);
  expect((await api.db.systemPool.query('SELECT FROM long_act_parts WHERE act_id = $1', [id])).rowCount).toBe(
    0,
  );
});

test('a deletion whose process is killed goes on in another one where it was, and is told once', async () => {
  await addMany(24_000);
  const first = await startProcess();
  const id = newId();
  await admin.post('/api/contacts/removals', { removalId: id, choice: { filter: {} } });
  await expect.poll(() => readDone(id), { timeout: 60_000, interval: 10 }).toBeGreaterThan(1_000);
  await kill(first);
  const { done } = await readAct(id);
  expect(done).toBeLessThan(24_000);
  expect(await count()).toBe(24_000 - done);
  await startProcess();
  await expectDone(id);
  expect(await readAct(id)).toMatchObject({ done: 24_000, total: 24_000 });
  expect(await count()).toBe(0);
  expect(await told(id)).toEqual(['contacts.deleted', 'long_act.ended']);
});
test('an export whose process is killed goes on in another one, and its file is whole', async () => {
  await addMany(24_000);
  const first = await startProcess();
  const begun = await admin.post('/api/contacts/exports', { format: 'csv', choice: { filter: {} } });
  const { id } = await begun.json<Act>();
  await expect.poll(() => readDone(id), { timeout: 60_000, interval: 10 }).toBeGreaterThan(1_000);
  await kill(first);
  expect((await readAct(id)).state).not.toBe('done');
  await startProcess();
  await expectDone(id);
  const lines = (await (await admin.get(`/api/long-acts/${id}/file`)).text()).trim().split('\r\n');
  expect(lines).toHaveLength(24_001);
  expect(new Set(lines).size).toBe(24_001);
});
