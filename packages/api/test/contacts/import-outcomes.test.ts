import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { newId } from '@app/database/new-id';
import { openDatabase } from '@app/database/database';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { settleLostUploads } from '../../src/contact-imports/begin-upload.ts';
import { contactImport } from '../../src/contact-imports/import-operation.ts';
import { openApiFixture, type ApiCaller, type ApiFixture, type ApiResponse } from '../api-fixture.ts';
import { countLockWaits } from '../lock-waits.ts';

type Result = {
  id: string;
  state: string;
  successful: number;
  reason: string | null;
};

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture({
    // What fails in these tests is meant to.
    logger: { info() {}, warn() {}, error() {} },
  });
  admin = await api.as('admin');
});
afterAll(() => api.close());
beforeEach(() => api.db.systemPool.query('DELETE FROM contacts'));

const FILE = 'name,phone\nAnn,+447700900001\nBob,+447700900002\n';

const send = (importId: string, query = '', body: RequestInit['body'] = FILE): Promise<ApiResponse> =>
  admin.request(`/api/contacts/imports?importId=${importId}${query}`, {
    method: 'POST',
    body,
    headers: { prefer: 'wait=50', 'content-type': 'text/plain' },
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  });

const read = async (importId: string) =>
  (await admin.get(`/api/contacts/imports/${importId}`)).json<Result>();

const countContacts = async () =>
  (await (await admin.get('/api/contacts?limit=200')).json<{ items: object[] }>()).items.length;

async function expectDone(importId: string, answer: ApiResponse): Promise<void> {
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ state: 'done', successful: 2 });
  expect(await read(importId)).toMatchObject({ state: 'done', successful: 2, reason: null });
  expect(await (await admin.get(`/api/operations/${importId}`)).json()).toMatchObject({
    ...{ state: 'done', done: 2, total: 2 },
    result: { successful: 2, failed: 0, isDryRun: 0 },
  });
  const undone = await admin.post(`/api/contacts/imports/${importId}/undo`);
  expect(await undone.json()).toEqual({ removed: 2, restored: 0, kept: 0 });
}

/** Runs `work` while every connection of imports is lost as soon as its import is to be tidied up after. */
async function whileTidyingLosesTheConnection(work: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: api.databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query(
      `SELECT pg_get_functiondef('fold_contact_counts'::regproc) AS source`,
    );
    await client.query(`CREATE OR REPLACE FUNCTION fold_contact_counts(folded uuid) RETURNS void LANGUAGE plpgsql
      AS $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); END $$ SECURITY DEFINER`);
    await work();
    await client.query(`${rows[0].source} SECURITY INVOKER`);
  } finally {
    await client.end();
  }
}

test('an import that is committed stays done when the connection is lost in the tidying after it', async () => {
  await whileTidyingLosesTheConnection(async () => {
    const importId = newId();
    const answer = await send(importId);
    expect(await countContacts()).toBe(2);
    await expectDone(importId, answer);
  });
});

/** Hands everything on to the database, until somebody says COMMIT: that is carried out, and its answer is lost. */
async function openDatabaseThatLosesAnswers() {
  const target = new URL(api.databaseUrl);
  // The embedded server listens on a socket in a folder.
  const port = Number(target.port || 5432);
  const folder = target.searchParams.get('host');
  const sockets = new Set<Socket>();
  let isLosing = false;
  const server = createServer((near) => {
    const far = folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, target.hostname);
    let isLost = false;
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => near.destroy());
      socket.on('close', () => far.destroy());
    }
    near.on('data', (bytes) => {
      isLost ||= isLosing && bytes.includes('COMMIT');
      far.write(bytes);
    });
    far.on('data', (bytes) => (isLost ? near.destroy() : near.write(bytes)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.searchParams.delete('host');
  url.port = String((server.address() as AddressInfo).port); // a TCP server has no other kind
  const db = await openDatabase({ url: url.href, poolSize: 2 });
  return {
    importPool: db.importPool,
    lose: () => (isLosing = true),
    async close() {
      await db.close();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('an import whose commit was carried out is done, even if its answer was lost', async () => {
  const losing = await openDatabaseThatLosesAnswers();
  const { importPool } = api.db;
  try {
    api.db.importPool = losing.importPool;
    losing.lose();
    const importId = newId();
    const answer = await send(importId);
    expect(await countContacts()).toBe(2);
    await expectDone(importId, answer);
  } finally {
    api.db.importPool = importPool;
    await losing.close();
  }
});

/** Runs `work` while the third contact that is written by an import gives way to somebody else, once. */
async function whileOneGivesWay(work: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: api.databaseUrl });
  await client.connect();
  try {
    await client.query(`CREATE SEQUENCE written; GRANT USAGE ON written TO PUBLIC;
      CREATE FUNCTION give_way() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('written') = 3 THEN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END IF;
        RETURN NEW; END $$;
      CREATE TRIGGER give_way BEFORE INSERT OR UPDATE ON contacts FOR EACH ROW EXECUTE FUNCTION give_way()`);
    await work();
    const { rows } = await client.query('SELECT last_value::int AS written FROM written');
    expect(rows[0].written).toBeGreaterThan(3);
  } finally {
    await client.query(
      'DROP TRIGGER IF EXISTS give_way ON contacts; DROP FUNCTION IF EXISTS give_way; DROP SEQUENCE IF EXISTS written',
    );
    await client.end();
  }
}

test('an import that gives way to somebody else in the database is done all the same, and counted once', async () => {
  expect((await send(newId())).status).toBe(200);
  await whileOneGivesWay(async () => {
    const importId = newId();
    const file =
      'name,phone\nAnne,+447700900001\nBo,1\nBea,+447700900003\nCy,+447700900004\nBea,+447700900003\n';
    const answer = await send(importId, '&duplicates=update', file);
    expect(await answer.json()).toMatchObject({ state: 'done', successful: 3, updated: 1, failed: 2 });
    const { rows } = await api.db.systemPool.query(
      'SELECT row_number FROM contact_import_errors WHERE import_id = $1 ORDER BY row_number',
      [importId],
    );
    expect(rows).toEqual([{ row_number: 2 }, { row_number: 5 }]);
  });
  expect(await countContacts()).toBe(4);
});

longTest(
  'an import takes the contacts that it changes in the order of all, whatever the order of its file',
  async () => {
    const add = async (phone: string) =>
      (await (await admin.post('/api/contacts', { name: 'Ann', phone })).json<{ id: string }>()).id;
    const [first, second] = [await add('+447700900001'), await add('+447700900002')].toSorted();
    const phoneOf = async (id: string | undefined) =>
      (await api.db.systemPool.query('SELECT phone FROM contacts WHERE id = $1', [id])).rows[0].phone;
    // More rows than are saved at once lie between the two.
    const file = `name,phone\nBo,${await phoneOf(second)}\n${'F,\n'.repeat(20_000)}Al,${await phoneOf(first)}\n`;
    const holder = await api.db.systemPool.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM contacts WHERE id = $1 FOR UPDATE', [first]);
      const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const imported = send(newId(), '&duplicates=update', file);
      await expect
        .poll(
          async () =>
            (
              await api.db.systemPool.query(
                'SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))',
                [rows[0]?.pid],
              )
            ).rowCount,
        )
        .toBe(1);
      await holder.query('SELECT FROM contacts WHERE id = $1 FOR UPDATE NOWAIT', [second]);
      await holder.query('COMMIT');
      expect(await (await imported).json()).toMatchObject({ state: 'done', updated: 2 });
    } finally {
      holder.release(true);
    }
  },
);

/** What a process leaves behind that was killed a while ago, while a file arrived. */
async function leaveReceiving(state: 'queued' | 'cancelling', silentMs: number): Promise<string> {
  const importId = newId();
  const { systemPool } = api.db;
  await systemPool.query(
    `INSERT INTO operations (id, workspace_id, kind, state, phase, heartbeat_at) VALUES ($1, $2, 'contact-import', $3, 'receiving', $4)`,
    [importId, api.workspaceId, state, new Date(Date.now() - silentMs)],
  );
  await systemPool.query('INSERT INTO contact_imports (id, workspace_id) VALUES ($1, $2)', [
    importId,
    api.workspaceId,
  ]);
  await systemPool.query(
    'INSERT INTO operation_parts (operation_id, workspace_id, part, bytes) VALUES ($1, $2, 0, $3)',
    [importId, api.workspaceId, Buffer.from('name,phone\nZoe,+4477')],
  );
  return importId;
}

const settle = (after = 0) =>
  settleLostUploads({ ...api.parts, clock: () => new Date(Date.now() + after) }, contactImport);

const countParts = async (importId: string) =>
  (await api.db.systemPool.query('SELECT FROM operation_parts WHERE operation_id = $1', [importId])).rowCount;

test('an upload whose process died is settled, one that is heard of is not', async () => {
  const [lost, cancelled, alive] = [
    await leaveReceiving('queued', 61_000),
    await leaveReceiving('cancelling', 61_000),
    await leaveReceiving('queued', 50_000),
  ];
  await settle();
  expect(await read(lost)).toMatchObject({
    state: 'failed',
    problem: { code: 'upload_lost' },
    reason: expect.stringContaining('Nothing was imported'),
  });
  expect(await read(cancelled)).toMatchObject({ state: 'cancelled', problem: null });
  expect(await read(alive)).toMatchObject({ state: 'queued' });
  expect(await Promise.all([lost, cancelled, alive].map(countParts))).toEqual([0, 0, 1]);
  expect((await send(alive)).status).toBe(409);
});

test.each([
  ['before', false],
  ['after', true],
])('the id of a lost upload begins anew %s it is settled', async (_, isSettled) => {
  const importId = await leaveReceiving('queued', 61_000);
  if (isSettled) await settle();
  await expectDone(importId, await send(importId));
  expect((await send(importId)).status).toBe(409);
});

test('a process that only slept adds nothing once its import was given up, or begun anew', async () => {
  const importId = newId();
  let wake = () => {};
  const asleep = new Promise<void>((resolve) => (wake = resolve));
  const first = send(
    importId,
    '',
    new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode('name,phone\nCarl,+447700900003\n'));
        await asleep;
        controller.close();
      },
    }),
  );
  await expect.poll(async () => (await read(importId)).state).toBe('queued');
  await settle(120_000);
  expect(await read(importId)).toMatchObject({ state: 'failed' });
  const anew = await send(importId);
  wake();
  // The row says what became of this import: it was given up, or is done by the one that began anew.
  expect([200, 422]).toContain((await first).status);
  await expectDone(importId, anew);
  expect(await countContacts()).toBe(0);
});

/** Runs `work` once the first row of an import waits to be written, which it may not be until then. */
async function whileRowsWait(
  importId: string,
  file: string,
  work: () => Promise<void>,
): Promise<ApiResponse> {
  const holder = new pg.Client({ connectionString: api.databaseUrl });
  await holder.connect();
  try {
    await holder.query('BEGIN; LOCK TABLE contact_aliases IN ACCESS EXCLUSIVE MODE');
    const answer = send(importId, '', file);
    await expect.poll(() => countLockWaits(holder, 'contact_aliases')).toBe(1);
    await work();
    await holder.query('COMMIT');
    return await answer;
  } finally {
    await holder.end();
  }
}

test('of somebody who is erased while a file is read nothing comes back, also where a clock is behind', async () => {
  const importId = newId();
  const hash = api.parts.secrets.fingerprint(`${api.workspaceId} +447700900002`);
  const answer = await whileRowsWait(importId, FILE, async () => {
    api.advance(-60_000);
    await api.db.systemPool.query(
      'INSERT INTO erased_people (workspace_id, identifier_hash, erased_at) VALUES ($1, $2, clock_timestamp())',
      [api.workspaceId, hash],
    );
    api.advance(60_000);
  });
  // It was read a second time.
  expect(await answer.json()).toMatchObject({ state: 'done', successful: 1, failed: 1 });
  expect(await countContacts()).toBe(1);
  await api.db.systemPool.query('DELETE FROM erased_people');
});

test('a file is imported once under its idempotency key, and not at all without a name', async () => {
  const post = (key: string) =>
    admin.request('/api/contacts/imports', {
      method: 'POST',
      body: FILE,
      headers: { prefer: 'wait=50', 'content-type': 'text/plain', 'idempotency-key': key },
    });
  const first = await post('import-of-today');
  expect(first.status).toBe(200);
  const { id } = await first.json<{ id: string }>();
  const second = await post('import-of-today');
  expect(second.status).toBe(409);
  expect(await second.json()).toMatchObject({
    error: { code: 'contact_import_begun', details: { importId: id } },
  });
  expect(await read(id)).toMatchObject({ state: 'done', successful: 2 });
  expect(await (await post('another-import')).json()).toMatchObject({ state: 'done', failed: 2 });

  const nameless = await post('');
  expect(nameless.status).toBe(400);
  expect(await nameless.json()).toMatchObject({ error: { code: 'idempotency_key_required' } });
  expect(await countContacts()).toBe(2);
});
