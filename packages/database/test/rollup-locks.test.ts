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

test('of recipients of whom was heard late, those who wrote nothing are not locked, and the reply of another counts', async () => {
  const run = 77;
  await query('SELECT ensure_delivery_partition($1)', [run]);
  await query(
    `INSERT INTO delivery_runs (run_no, workspace_id, channel_id, campaign_id, message, category, audience, total)
     VALUES ($1, $2, $3, gen_random_uuid(), '{}', 'marketing', '{}', 2)`,
    [run, WORKSPACE, CHANNEL],
  );
  await query(
    `INSERT INTO delivery_recipients (run_no, seq, workspace_id, contact_id, address, state, accepted_at, delivered_at)
     SELECT $1, r.seq, $2, r.contact_id, '+49151', 2, '2026-03-01T08:00Z', '2026-03-01T09:00Z'
       FROM (VALUES (0, gen_random_uuid()), (1, $3::uuid)) AS r (seq, contact_id)`,
    [run, WORKSPACE, CONTACT],
  );
  await query(
    `INSERT INTO reply_checks (workspace_id, of_runs, run_no, seqs) VALUES ($1, true, $2, '{0,1}')`,
    [WORKSPACE, run],
  );
  const [reporting, checking] = [await db.systemPool.connect(), await db.systemPool.connect()];
  try {
    await reporting.query('BEGIN');
    await reporting.query('SELECT FROM delivery_recipients WHERE run_no = $1 AND seq = 0 FOR UPDATE', [run]);
    // To wait for that one would fail.
    await checking.query(`SET lock_timeout = '10s'`);
    await checking.query('SELECT check_replies_to_runs($1)', [advisoryLocks.rollups]);
    await checking.query('RESET lock_timeout');
    await reporting.query('COMMIT');
  } finally {
    checking.release();
    reporting.release();
  }
  const replied = await query(
    'SELECT seq, replied_at FROM delivery_recipients WHERE run_no = $1 ORDER BY seq',
    [run],
  );
  expect(replied).toEqual([
    { seq: 0, replied_at: null },
    { seq: 1, replied_at: new Date('2026-03-01T10:00Z') },
  ]);
});
