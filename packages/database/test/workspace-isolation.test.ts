import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pg from 'pg';
import { openDatabase, type Database } from '../src/database.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing/test-database.ts';

const OURS = '00000000-0000-4000-8000-00000000000a';
const THEIRS = '00000000-0000-4000-8000-00000000000b';

/** Read before a workspace is known, or of the installation as a whole. Every other table needs a workspace. */
const tablesOfTheInstallation = [
  ...['accounts', 'sales_enquiries', 'sessions', 'sign_in_failures', 'users', 'verifications', 'workspaces'],
  ...['avatars', 'email_changes', 'passkeys', 'recovery_codes', 'trusted_devices', 'two_factor'],
  ...['company_attempts', 'company_identities', 'company_leavers', 'installation_backups'],
  'push_browsers',
  'rollup_backfill',
  // Guarded by a policy of their own: only system processes read them.
  ...['delivery_events', 'event_consumers', 'job_schedules'],
];

type Column = { name: string; type: string };

let testDatabase: TestDatabase;
let db: Database;
let admin: pg.Client;
const tables = new Map<string, Column[]>();

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  db = await openDatabase({ url: testDatabase.url, poolSize: 2 });
  admin = new pg.Client({ connectionString: testDatabase.url });
  await admin.connect();
  // The rows are about workspaces alone: no foreign key, trigger or check stands in their way.
  await admin.query(`SET session_replication_role = replica`);
  await dropConstraints();
  for (const { name, columns } of await readTables()) tables.set(name, columns);
  for (const [table, columns] of tables) {
    if (!columns.some(({ name }) => name === 'workspace_id')) continue;
    await admin.query(insertInto(table, columns, OURS, 1));
    await admin.query(insertInto(table, columns, THEIRS, 2));
  }
});
afterAll(async () => {
  await admin.end();
  await db.close();
  await testDatabase.drop();
});

const guarded = () =>
  [...tables]
    .filter(([, columns]) => columns.some(({ name }) => name === 'workspace_id'))
    .map(([name]) => name);

test('every table has a workspace, but for those of the installation', () => {
  const without = [...tables.keys()].filter((name) => !guarded().includes(name));
  expect(without.toSorted()).toEqual(tablesOfTheInstallation.toSorted());
});

describe('a query that forgets its workspace', () => {
  test('reads no row of another one', async () => {
    for (const table of guarded()) {
      const { rows } = await db.inWorkspace(OURS, (_, client) =>
        client.query(`SELECT workspace_id AS id FROM ${table}`),
      );
      expect([table, rows.map(({ id }) => id)]).toEqual([table, [OURS]]);
    }
  });

  test('reads nothing at all without naming one', async () => {
    for (const table of guarded()) {
      const { rows } = await db.inWorkspace('', (_, client) => client.query(`SELECT FROM ${table}`));
      expect([table, rows.length]).toEqual([table, 0]);
    }
  });

  test('changes and deletes no row of another one', async () => {
    for (const table of guarded()) {
      const changed = await inOurs((client) =>
        client.query(`UPDATE ${table} SET workspace_id = workspace_id`),
      );
      expect([table, 'changed', changed.rowCount]).toEqual([table, 'changed', 1]);
      const deleted = await inOurs((client) => client.query(`DELETE FROM ${table}`));
      expect([table, 'deleted', deleted.rowCount]).toEqual([table, 'deleted', 1]);
    }
  });

  test('reads no row of another one through a view', async () => {
    const { rows: views } = await admin.query<{ name: string }>(
      `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.relkind IN ('v', 'm') AND a.attname = 'workspace_id' AND c.relnamespace = 'public'::regnamespace`,
    );
    expect(views.length).toBeGreaterThan(0);
    for (const { name } of views) {
      const { rows } = await db.inWorkspace(OURS, (_, client) =>
        client.query(`SELECT DISTINCT workspace_id AS id FROM ${name}`),
      );
      expect([name, rows]).toEqual([name, [{ id: OURS }]]);
    }
  });
});

describe('a row of another workspace', () => {
  test('cannot be added', async () => {
    for (const [table, columns] of tables) {
      if (!guarded().includes(table)) continue;
      const attempt = inOurs((client) => client.query(insertInto(table, columns, THEIRS, 3)));
      await expect(attempt, table).rejects.toMatchObject({ code: '42501' });
    }
  });

  test('cannot come of moving a row of ours', async () => {
    for (const table of guarded()) {
      const attempt = inOurs((client) => client.query(`UPDATE ${table} SET workspace_id = '${THEIRS}'`));
      await expect(attempt, table).rejects.toMatchObject({ code: '42501' });
    }
  });
});

test('sessions, passwords and reset links are for system processes alone', async () => {
  const secrets = [
    ...['email_changes', 'passkeys', 'push_browsers', 'recovery_codes', 'trusted_devices', 'two_factor'],
  ];
  for (const table of ['sessions', 'accounts', 'verifications', ...secrets]) {
    const columns = tables.get(table) ?? [];
    await admin.query(insertInto(table, columns, OURS, 7));
    const { rows } = await inOurs((client) => client.query(`SELECT FROM ${table}`));
    expect([table, rows.length]).toEqual([table, 0]);
    const deleted = await inOurs((client) => client.query(`DELETE FROM ${table}`));
    expect([table, deleted.rowCount]).toEqual([table, 0]);
    await expect(inOurs((client) => client.query(insertInto(table, columns, OURS, 8)))).rejects.toMatchObject(
      {
        code: '42501',
      },
    );
    const system = await db.inSystem((_, client) => client.query(`SELECT FROM ${table}`));
    expect([table, system.rows.length]).toEqual([table, 1]);
  }
});

test('a workspace reads its members, changes none of them and sees nobody else', async () => {
  const columns = tables.get('users') ?? [];
  // The memberships of the two workspaces name the users 1 and 2.
  for (const number of [1, 2, 3]) await admin.query(insertInto('users', columns, OURS, number));
  const { rows } = await inOurs((client) => client.query('SELECT id FROM users'));
  expect(rows).toEqual([{ id: '00000000-0000-4000-8000-000000000001' }]);
  const changed = await inOurs((client) => client.query(`UPDATE users SET name = 'Changed'`));
  expect(changed.rowCount).toBe(0);
  const system = await db.inSystem((_, client) => client.query('SELECT FROM users'));
  expect(system.rows.length).toBe(3);
});

test('the events of the delivery engine are for system processes alone', async () => {
  await admin.query(`INSERT INTO delivery_events (run_no, occurred_at, seq, status) VALUES (1, now(), 1, 1)`);
  const seen = await inOurs((client) => client.query('SELECT FROM delivery_events'));
  expect(seen.rowCount).toBe(0);
});

/** Inside our workspace, and taken back. */
async function inOurs<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  let result: { value: Result } | undefined;
  await db
    .inWorkspace(OURS, async (_, client) => {
      result = { value: await work(client) };
      throw new Error('taken back');
    })
    .catch((error: Error) => {
      if (!result) throw error;
    });
  return result!.value; // there unless work itself failed, which was thrown above
}

async function readTables(): Promise<{ name: string; columns: Column[] }[]> {
  const { rows } = await admin.query(
    `SELECT c.oid::regclass::text AS name,
            json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, NULL)) ORDER BY a.attnum) AS columns
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
        AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
      GROUP BY c.oid ORDER BY 1`,
  );
  return rows;
}

async function dropConstraints(): Promise<void> {
  const { rows } = await admin.query<{ name: string; relation: string }>(
    `SELECT quote_ident(conname) AS name, conrelid::regclass::text AS relation FROM pg_constraint
      WHERE contype IN ('c', 'f') AND conrelid <> 0 AND connamespace = 'public'::regnamespace AND coninhcount = 0`,
  );
  for (const { name, relation } of rows) await admin.query(`ALTER TABLE ${relation} DROP CONSTRAINT ${name}`);
}

function insertInto(table: string, columns: readonly Column[], workspaceId: string, number: number): string {
  const values = columns.map(({ name, type }) =>
    name === 'workspace_id' ? `'${workspaceId}'` : makeValue(type, number),
  );
  return `INSERT INTO ${table} (${columns.map(({ name }) => `"${name}"`).join(', ')})
    OVERRIDING SYSTEM VALUE VALUES (${values.join(', ')})`;
}

function makeValue(type: string, number: number): string {
  if (type.endsWith('[]')) return `'{}'`;
  if (type === 'uuid') return `'00000000-0000-4000-8000-${String(number).padStart(12, '0')}'`;
  if (type === 'jsonb' || type === 'json') return `'{}'`;
  if (type === 'boolean') return 'false';
  if (type.startsWith('timestamp') || type === 'date') return `'2026-01-0${number}'`;
  if (type === 'bytea') return `'\\x0${number}'`;
  return `'${number}'`;
}
