import type { Socket } from 'node:net';
import { inspect } from 'node:util';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sessions } from '../src/auth/auth-tables.ts';
import { openDatabase, type Database } from '../src/database.ts';
import { newId } from '../src/new-id.ts';
import { openQueries } from '../src/open-queries.ts';
import { databaseCode, databaseTrouble, QueryError } from '../src/query-error.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing/test-database.ts';

const CANARY = 'canary-4477009009';

let testDatabase: TestDatabase;
let db: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  db = await openDatabase({ url: testDatabase.url, poolSize: 2 });
  await db.systemPool.query(
    `CREATE TABLE kept (id int PRIMARY KEY, name text UNIQUE NOT NULL, age int CHECK (age > 0), short varchar(3))`,
  );
  await db.systemPool.query(`INSERT INTO kept VALUES (1, $1, 1)`, [CANARY]);
  await db.systemPool.query(`CREATE FUNCTION complain(word text) RETURNS text LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'not %', word USING DETAIL = word, HINT = word; END $$`);
});
afterAll(async () => {
  await db.close();
  await testDatabase.drop();
});

const circle: Record<string, unknown> = { [CANARY]: CANARY };
circle.itself = circle;

/** What fails, the code that it must still have, and for a constraint its name. */
const failures: [
  what: string,
  code: string | undefined,
  text: string,
  values: unknown[],
  constraint?: string,
][] = [
  ['a unique name', '23505', 'INSERT INTO kept VALUES (2, $1, 1)', [CANARY], 'kept_name_key'],
  ['a check', '23514', 'INSERT INTO kept VALUES (3, $1, -1)', [`${CANARY}!`], 'kept_age_check'],
  ['a missing value', '23502', 'INSERT INTO kept (id, short, name) VALUES (4, $1, NULL)', ['ca']],
  ['an id', '22P02', 'SELECT $1::uuid', [CANARY]],
  ['a number', '22P02', 'SELECT $1::int', [CANARY]],
  ['JSON', '22P02', 'SELECT $1::jsonb', [`{"${CANARY}"`]],
  ['an array', '22P02', 'SELECT $1::int[]', [[CANARY]]],
  ['a time', '22007', 'SELECT $1::timestamptz', [CANARY]],
  ['a long text', '22001', 'UPDATE kept SET short = $1', [CANARY]],
  ['a NUL', '22021', 'SELECT $1::text', [`${CANARY}\0`]],
  ['a pattern', '2201B', `SELECT 'a' ~ $1`, [`(${CANARY}`]],
  ['an exception of a function', 'P0001', 'SELECT complain($1)', [CANARY]],
  ['values that cannot be sent', undefined, 'SELECT $1::jsonb', [circle]],
];

/** The ways of running a query; drizzle's own error would carry the values. */
const ways: Record<string, (text: string, values: unknown[]) => Promise<unknown>> = {
  'a connection': (text, values) => db.inSystem((_, client) => client.query(text, values)),
  'a callback': (text, values) =>
    db.inSystem(
      (_, client) =>
        new Promise((resolve, reject) => {
          client.query(text, values, (error, result) => (error ? reject(error) : resolve(result)));
        }),
    ),
  'a named statement': (text, values) => db.systemPool.query({ name: `named ${text}`, text, values }),
  'the pool': (text, values) => db.systemPool.query(text, values),
  'the query builder': (text, values) => db.inSystem((tx) => tx.execute(bind(text, values))),
  'the query builder over the pool': (text, values) => openQueries(db.systemPool).execute(bind(text, values)),
  'a transaction of the query builder': (text, values) =>
    openQueries(db.systemPool).transaction((tx) => tx.execute(bind(text, values))),
};

function bind(text: string, [value]: unknown[]) {
  const [before = '', after = ''] = text.split('$1');
  return sql`${sql.raw(before)}${sql.param(value)}${sql.raw(after)}`;
}

async function failureOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => expect.unreachable('it must fail'),
    (error: Error) => error,
  );
}

function everythingIn(error: Error): string {
  return [
    inspect(error, { depth: 10, showHidden: true, getters: true }),
    JSON.stringify(error),
    String(error),
    error.stack,
  ].join('\n');
}

describe.each(Object.entries(ways))('a query that fails over %s', (_, run) => {
  test.each(failures)('for %s keeps its values to itself', async (_what, code, text, values, constraint) => {
    const error = await failureOf(run(text, values));
    expect(everythingIn(error)).not.toContain('canary');
    expect(error).toBeInstanceOf(QueryError);
    expect(databaseCode(error)).toBe(code);
    expect(error).toMatchObject({ statement: expect.stringContaining(text.slice(0, 6)) });
    expect((error as QueryError).constraint).toBe(constraint);
  });
});

test('an insert of the query builder that fails tells neither token nor address', async () => {
  const row = { id: newId(), userId: newId(), token: CANARY, expiresAt: new Date(), ipAddress: CANARY };
  const error = await failureOf(db.inSystem((tx) => tx.insert(sessions).values(row)));
  expect(everythingIn(error)).not.toContain('canary');
  expect(error).toMatchObject({ code: '23503', constraint: expect.stringContaining('user') });
});

test('the stack leads to who asked', async () => {
  const error = await failureOf(db.systemPool.query('SELECT 1/$1::int', [0]));
  expect(databaseCode(error)).toBe('22012');
  async function askedHere() {
    await db.inSystem((_, client) => client.query('SELECT 1/$1::int', [0]));
  }
  expect((await failureOf(askedHere())).stack).toContain('askedHere');
});

describe('trouble that passes is told from a fault', () => {
  test('no connection free in time is busy', async () => {
    const held = await Promise.all([db.systemPool.connect(), db.systemPool.connect()]);
    const patience = db.systemPool.options.connectionTimeoutMillis;
    // Only now, so that no new connection has to be made in so short a time.
    db.systemPool.options.connectionTimeoutMillis = 100;
    try {
      expect(databaseTrouble(await failureOf(db.systemPool.query('SELECT 1')))).toBe('busy');
      expect(databaseTrouble(await failureOf(db.inSystem(async () => undefined)))).toBe('busy');
    } finally {
      db.systemPool.options.connectionTimeoutMillis = patience;
      held.forEach((client) => client.release());
    }
  });

  test('a statement that takes too long is busy', async () => {
    const slow = await openDatabase({ url: testDatabase.url, poolSize: 1, times: { statementMs: 50 } });
    const error = await failureOf(slow.systemPool.query('SELECT pg_sleep($1)', [5]));
    await slow.close();
    expect([databaseCode(error), databaseTrouble(error)]).toEqual(['57014', 'busy']);
  });

  test('a server that ends the connection, or cannot be reached, is away', async () => {
    const admin = new pg.Client({ connectionString: testDatabase.url });
    await admin.connect();
    const client = await db.systemPool.connect();
    try {
      const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
      const asked = failureOf(client.query('SELECT pg_sleep(60)'));
      await admin.query('SELECT pg_terminate_backend($1)', [rows[0].pid]);
      expect(databaseTrouble(await asked)).toBe('away');
      expect(databaseTrouble(await failureOf(client.query('SELECT 1')))).toBe('away');
    } finally {
      client.release(true);
      await admin.end();
    }
  });

  test.each(Object.entries(ways))(
    'a connection that breaks off without a word under %s is away',
    async (_, run) => {
      type Client = pg.PoolClient & { connection: { stream: Socket } };
      db.systemPool.once('acquire', (client) =>
        setImmediate(() => (client as Client).connection.stream.destroy()),
      );
      const error = await failureOf(run('SELECT pg_sleep($1::int)', [60]));
      expect([databaseTrouble(error), error.name]).toEqual(['away', 'QueryError']);
    },
  );

  test('a wrong query is neither', async () => {
    expect(databaseTrouble(await failureOf(db.systemPool.query('SELECT nothing')))).toBeUndefined();
    expect(databaseTrouble(new Error('ECONNREFUSED'))).toBeUndefined();
  });
});
