import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrateDatabase } from '../src/database.ts';
import { createOlderDatabase, type TestDatabase } from '../src/testing/test-database.ts';

const WORKSPACE = '00000000-0000-4000-8000-000000000001';
const OTHER = '00000000-0000-4000-8000-000000000002';
const NUMBERS = [
  { id: '00000000-0000-4000-8000-00000000000a', workspace: WORKSPACE, number: '200000000000001' },
  { id: '00000000-0000-4000-8000-00000000000b', workspace: WORKSPACE, number: '200000000000002' },
  // The same number in another workspace was always possible.
  { id: '00000000-0000-4000-8000-00000000000c', workspace: OTHER, number: '200000000000001' },
];

let database: TestDatabase;
let client: pg.Client;
beforeEach(async () => {
  database = await createOlderDatabase(38);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  for (const [id, slug] of [
    [WORKSPACE, 'acme'],
    [OTHER, 'other'],
  ])
    await client.query('INSERT INTO workspaces (id, slug, name) VALUES ($1, $2, $2)', [id, slug]);
  for (const [place, { id, workspace, number }] of NUMBERS.entries())
    await client.query(
      `INSERT INTO channels (id, workspace_id, kind, phone_number_id, business_account_id, app_id, display_phone_number,
         graph_base_url, access_token_encrypted, app_secret_encrypted, verify_token_encrypted, is_connected, stopped_code,
         stopped_reason, messages_per_second, created_at)
       VALUES ($1, $2, 'whatsapp', $3, '10' || $4::text, '30' || $4::text, '+44 7700 90010' || $4::text,
         'https://graph.example.com/v26.0', 'v1.token' || $4::text, 'v1.secret' || $4::text, 'v1.verify' || $4::text,
         true, 190, 'Token expired', 20, '2026-01-01T00:00:00Z')`,
      [id, workspace, number, String(place)],
    );
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

const readAll = async () => (await client.query('SELECT * FROM channels ORDER BY id')).rows;

const MOVED = NUMBERS.map(({ id, workspace, number }, place) => ({
  id,
  workspace_id: workspace,
  kind: 'whatsapp',
  address: number,
  display_name: `+44 7700 90010${place}`,
  credentials: {
    version: 1,
    values: {
      phoneNumberId: number,
      businessAccountId: `10${place}`,
      appId: `30${place}`,
      baseUrl: 'https://graph.example.com/v26.0',
    },
    secrets: {
      accessToken: `v1.token${place}`,
      appSecret: `v1.secret${place}`,
      verifyToken: `v1.verify${place}`,
    },
  },
  is_connected: true,
  stopped_code: '190',
  stopped_reason: 'Token expired',
  messages_per_second: 20,
}));

test('numbers of an older version become channels of their kind, and nothing of what opens them is lost', async () => {
  await migrateDatabase(database.url);
  expect(await readAll()).toMatchObject(MOVED);
  await migrateDatabase(database.url);
  expect(await readAll()).toMatchObject(MOVED);
  await expect(
    client.query(`UPDATE channels SET credentials = '{"version": 1, "values": {}}'`),
  ).rejects.toThrow(/check constraint/);
});

test('a move that breaks off half-way leaves every number as it was, and is made up by the next start', async () => {
  const before = await readAll();
  // Somebody holds a number: the move waits for it, and its process dies.
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  await holder.query('BEGIN; SELECT FROM channels LIMIT 1 FOR UPDATE');
  const broken = migrateDatabase(database.url).catch((error: unknown) => error);
  await expect
    .poll(async () => {
      const { rows } = await client.query(
        `SELECT pg_terminate_backend(pid) AS is_ended FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ILIKE '%channels%' AND pid <> pg_backend_pid()`,
      );
      return rows.length;
    })
    .toBe(1);
  expect(await broken).toBeInstanceOf(Error);
  await holder.query('ROLLBACK');
  await holder.end();
  expect(await readAll()).toEqual(before);
  await migrateDatabase(database.url);
  expect(await readAll()).toMatchObject(MOVED);
});
