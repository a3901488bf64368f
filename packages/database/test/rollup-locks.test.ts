import { afterAll, beforeAll, expect, test } from 'vitest';
import { advisoryLocks } from '../src/advisory-locks.ts';
import { openDatabase, type Database } from '../src/database.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing/test-database.ts';

const WORKSPACE = '01990000-0000-7000-8000-0000000000a1';
const CHANNEL = '01990000-0000-7000-8000-0000000000a2';
const CONTACT = '01990000-0000-7000-8000-0000000000a3';
const MESSAGE = '01990000-0000-7000-8000-0000000000a4';
let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDatabase({ url: database.url, poolSize: 3 });
  await query(`INSERT INTO workspaces (id, slug, name) VALUES ($1, 'shop', 'Shop')`, [WORKSPACE]);
  await query(
    `INSERT INTO channels (id, workspace_id, kind, address, credentials, messages_per_second)
     VALUES ($2, $1, 'fake', 'a', '{"version": 1, "values": {}, "secrets": {}}', 80)`,
    [WORKSPACE, CHANNEL],
  );
  await query(`INSERT INTO contacts (id, workspace_id, name, phone) VALUES ($2, $1, 'Ada', '+4915155512')`, [
    WORKSPACE,
    CONTACT,
  ]);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await db.systemPool.query<Row>(text, values)).rows;
const step = async (call: string) =>
  (await query<{ more: boolean }>(`SELECT ${call} AS more`, [advisoryLocks.rollups]))[0]!.more;
const counts = () => query('SELECT country, sent::integer, received::integer FROM country_rollups');
const send = () =>
  query(
    `INSERT INTO message_rollup_deltas (workspace_id, channel_id, author, direction, country, quarter, sent)
     VALUES ($1, $2, 'agent', 'out', 'DE', '2026-03-01T10:00Z', 1)`,
    [WORKSPACE, CHANNEL],
  );

test('who replaces a workspace waits for no rollup of it: what is being counted gives up, and is counted the next time', async () => {
  await send();
  await step('apply_rollups($1)');
  await send();
  const replacing = await db.systemPool.connect();
  try {
    await replacing.query('BEGIN');
    await replacing.query('DELETE FROM message_rollups');
    expect(await step('apply_rollups($1)')).toBe(false);
    await replacing.query('DELETE FROM country_rollups');
    await replacing.query('DELETE FROM message_rollup_sums');
    await replacing.query('DELETE FROM country_rollup_sums');
    await replacing.query('COMMIT');
  } finally {
    replacing.release();
  }
  await step('apply_rollups($1)');
  expect(await counts()).toEqual([{ country: 'DE', sent: 1, received: 0 }]);
  await query('DELETE FROM country_rollups');
});

test('a message of the past that somebody is changing is counted by country once, when they are done', async () => {
  await query(
    `INSERT INTO messages (id, workspace_id, channel_id, contact_id, direction, provider_message_id, type, text, payload, occurred_at)
     VALUES ($3, $1, $2, $4, 'in', 'in.1', 'text', 'Hi', '{}', '2026-03-01T10:00Z')`,
    [WORKSPACE, CHANNEL, MESSAGE, CONTACT],
  );
  await step('apply_rollups($1)');
  // As it was before there were countries.
  await query('DELETE FROM country_rollups');
  await query('UPDATE messages SET country = NULL');
  await query(
    `UPDATE rollup_backfill SET finished_at = NULL, place = 'ffffffff-ffff-ffff-ffff-ffffffffffff' WHERE source = 'message_countries'`,
  );
  const changing = await db.systemPool.connect();
  try {
    await changing.query('BEGIN');
    await changing.query(`UPDATE messages SET text = 'Hello'`);
    expect(await step('backfill_message_countries($1, 10)')).toBe(true);
    expect(await counts()).toEqual([]);
    await changing.query('COMMIT');
  } finally {
    changing.release();
  }
  for (let more = true; more;) more = await step('backfill_message_countries($1, 10)');
  expect(await counts()).toEqual([{ country: 'DE', sent: 0, received: 1 }]);
  for (let more = true; more;) more = await step('backfill_message_countries($1, 10)');
  expect(await counts()).toEqual([{ country: 'DE', sent: 0, received: 1 }]);
});
