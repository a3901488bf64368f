import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, type Database } from '../src/database.ts';
import { keepListening, LISTENER_NAME, type ListeningOptions } from '../src/keep-listening.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing/test-database.ts';

let testDatabase: TestDatabase;
let db: Database;
let admin: pg.Client;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  db = await openDatabase({ url: testDatabase.url, poolSize: 3 });
  admin = new pg.Client({ connectionString: testDatabase.url });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await db.close();
  await testDatabase.drop();
});

async function listen(overrides: Partial<ListeningOptions> = {}) {
  const heard: string[] = [];
  const seen = { gaps: 0, troubles: 0 };
  const listening = await keepListening({
    pool: db.systemPool,
    channels: ['one', 'two'],
    onNotification: (channel, payload) => heard.push(`${channel} ${payload}`),
    onGap: () => (seen.gaps += 1),
    onTrouble: () => (seen.troubles += 1),
    ...overrides,
  });
  return { ...listening, heard, seen };
}

/** How long the pool lets callers wait for a connection while `work` runs. */
async function withWaiting(ms: number, work: () => Promise<unknown>): Promise<void> {
  const { options } = db.systemPool;
  const ofProduct = options.connectionTimeoutMillis;
  options.connectionTimeoutMillis = ms;
  await work();
  options.connectionTimeoutMillis = ofProduct;
}

async function endConnections(where: string): Promise<void> {
  await admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND ${where}`,
  );
}

async function countListeners(): Promise<number> {
  const { rows } = await admin.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1`,
    [LISTENER_NAME],
  );
  return rows[0]?.n ?? 0;
}

test('whatever ends the connection, however often, one other takes its place and the gap is told', async () => {
  const { heard, seen, close } = await listen();
  for (let loss = 1; loss <= 4; loss += 1) {
    await endConnections(`application_name = '${LISTENER_NAME}'`);
    await expect.poll(() => seen.gaps).toBe(loss);
  }
  expect(await countListeners()).toBe(1);
  await admin.query(`NOTIFY one, 'after'; NOTIFY two, 'all'`);
  await expect.poll(() => heard).toEqual(['one after', 'two all']);
  await close();
  await expect.poll(countListeners).toBe(0);
});

test('a server that cannot be reached for a while is asked again, and keeps no connection of a failed try', async () => {
  const { seen, close } = await listen();
  const server = new URL(testDatabase.url);
  const name = server.pathname.slice(1);
  server.pathname = '/postgres';
  const outside = new pg.Client({ connectionString: server.href });
  await outside.connect();
  try {
    await outside.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await endConnections(`application_name = '${LISTENER_NAME}'`);
    await expect.poll(() => seen.troubles).toBeGreaterThan(3);
  } finally {
    await outside.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await outside.end();
  }
  await expect.poll(() => seen.gaps).toBe(1);
  expect(await countListeners()).toBe(1);
  await close();
});

test('a step that fails after the connection gives the connection back', async () => {
  let isBroken = false;
  const { seen, close } = await listen({
    beat: async (client) => {
      await client.query(isBroken ? 'SELECT nothing' : 'SELECT 1');
    },
    beatMs: 20,
  });
  isBroken = true;
  // More tries than the pool has connections.
  await expect.poll(() => seen.troubles).toBeGreaterThan(4);
  isBroken = false;
  await expect.poll(() => seen.gaps).toBe(1);
  expect(db.systemPool.totalCount).toBeLessThanOrEqual(2);
  await close();
});

test('closing while the server cannot be had ends at once', async () => {
  const { seen, close } = await listen();
  const held = await Promise.all([db.systemPool.connect(), db.systemPool.connect()]);
  await endConnections(`application_name = '${LISTENER_NAME}'`);
  const third = await db.systemPool.connect();
  await expect.poll(() => seen.troubles).toBe(1);
  // Far longer than a test may take: closing does not wait for this connection.
  await withWaiting(600_000, async () => {
    await expect.poll(() => db.systemPool.waitingCount).toBe(1);
    await close();
  });
  for (const client of [...held, third]) client.release();
  await expect.poll(() => db.systemPool.waitingCount).toBe(0);
});

test('the first connection that cannot be had is told to who asks', async () => {
  const held = await Promise.all([1, 2, 3].map(() => db.systemPool.connect()));
  await withWaiting(50, () => expect(listen()).rejects.toMatchObject({ code: 'no_connection_free' }));
  for (const client of held) client.release();
});
