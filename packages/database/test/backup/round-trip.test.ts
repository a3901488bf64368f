import type pg from 'pg';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longDescribe, longTest } from '../../src/testing/long-test.ts';
import {
  INSTEAD,
  LEFT_OUT,
  LEFT_OUT_WITHOUT_SECRETS,
  SEALED,
  STORED_FILES,
} from '../../src/backup/left-out.ts';
import { tryRestore } from '../../src/backup/restore-backup.ts';
import { createTestDatabase, type TestDatabase } from '../../src/testing/test-database.ts';
import {
  connect,
  fillAll,
  inPieces,
  listTables,
  PASSPHRASE,
  readRows,
  restore,
  sealerOf,
  storeOf,
  take,
} from './backup-fixture.ts';

let source: TestDatabase;
let sourceClient: pg.Client;
let target: TestDatabase;
let targetClient: pg.Client;
/** A frame and a bit, and one that ends where a piece ends. */
const files = { 'ws/one': randomBytes(1024 * 1024 + 17), 'ws/two': randomBytes(1024 * 1024) };

beforeAll(async () => {
  [source, target] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  [sourceClient, targetClient] = await Promise.all([connect(source.url), connect(target.url)]);
  await fillAll(sourceClient);
});
afterAll(async () => {
  await sourceClient.end();
  await targetClient.end();
  await Promise.all([source.drop(), target.drop()]);
});

describe('what a backup holds', () => {
  test('is every table of the product but those that are left out with a reason', async () => {
    const tables = await listTables(sourceClient);
    expect(Object.keys(LEFT_OUT).filter((name) => !tables.includes(name))).toEqual([]);
    for (const name of tables)
      if (name !== 'company_attempts')
        expect(await readRows(sourceClient, name), `a row in ${name}`).not.toEqual([]);
  });

  test('names every column that is sealed, and every one that holds keys of the media store', async () => {
    const find = async (pattern: string) => {
      const { rows } = await sourceClient.query<{ name: string }>(
        `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
          WHERE table_schema = 'public' AND column_name ~ $1 AND NOT table_name = ANY ($2) ORDER BY 1`,
        [pattern, Object.keys(LEFT_OUT)],
      );
      return rows.map(({ name }) => name);
    };
    const sealed = SEALED.map(({ table, column }) => `${table}.${column}`);
    expect(await find('sealed|encrypted|credentials$')).toEqual(sealed);
    expect(Object.keys(INSTEAD)).toEqual(sealed);
    // What waits to be removed from the store need not be carried along.
    expect((await find('storage_key|thumbnail$')).filter((name) => !name.includes('leavings'))).toEqual(
      STORED_FILES.map(({ table, column }) => `${table}.${column}`).filter(
        (name) => !name.endsWith('.content'),
      ),
    );
  });
});

describe('with a passphrase', () => {
  test('every table and file comes back as it was, also in a database that held something else', async () => {
    const { file, taken } = await take(source.url, { passphrase: PASSPHRASE, files: storeOf(files) });
    expect(taken).toMatchObject({ files: 2, missingFiles: 1, secrets: 4, lockedSecrets: 0 });
    expect(file.includes('source:secret')).toBe(false);
    await fillAll(targetClient);
    await targetClient.query(`UPDATE contacts SET name = 'somebody else'`);
    const store = storeOf({ 'ws/one': Buffer.from('old'), 'ws/missing': Buffer.from('of before') });

    await restore(target.url, file, { passphrase: PASSPHRASE, files: store });

    expect(Object.fromEntries(store.kept)).toEqual(files);
    for (const table of await listTables(sourceClient)) {
      const rows = await readRows(targetClient, table);
      const wanted = table in LEFT_OUT ? [] : await readRows(sourceClient, table);
      expect(rows, table).toEqual(
        // Opened by the key of there and sealed by the key of here.
        wanted.map((row) => row.replaceAll('source:', 'target:')),
      );
    }
    const { rows } = await targetClient.query(`SELECT last_value FROM message_numbers`);
    expect(rows).toEqual([{ last_value: '42' }]);
    const partitions = await targetClient.query(
      `SELECT tableoid::regclass::text AS name FROM delivery_recipients ORDER BY run_no`,
    );
    expect(partitions.rows.map(({ name }) => name)).toEqual([
      ...['delivery_recipients_0', 'delivery_recipients_2000', 'delivery_recipients_1000000000007'],
    ]);
  });

  test('the database has the same rules, guards and triggers as one that was migrated', async () => {
    const fresh = await createTestDatabase();
    const freshClient = await connect(fresh.url);
    await freshClient.query(
      `SELECT ensure_delivery_partition(2000), ensure_delivery_partition(1000000000007, 3)`,
    );
    expect(await describeSchema(targetClient)).toEqual(await describeSchema(freshClient));
    await freshClient.end();
    await fresh.drop();
  });
});

longDescribe('without a passphrase', () => {
  test('no secret is in it: channels wait to be connected, second steps are set up anew', async () => {
    const { file, taken } = await take(source.url);
    expect(taken.secrets).toBe(0);

    const { unopenedChannels } = await restore(target.url, file);

    expect(unopenedChannels).toBe(1);
    const { rows } = await targetClient.query(`SELECT credentials, is_connected FROM channels`);
    expect(rows[0]).toMatchObject({ is_connected: false, credentials: { values: { a: 'b' } } });
    expect(rows[0].credentials.secrets.token).toMatch(/^target:[\w-]{43}$/);
    for (const table of LEFT_OUT_WITHOUT_SECRETS) expect(await readRows(targetClient, table)).toEqual([]);
    expect(await readRows(targetClient, 'contacts')).toEqual(await readRows(sourceClient, 'contacts'));
  });
});

longTest('a trial compares every table and leaves nothing behind', async () => {
  const { file } = await take(source.url, { passphrase: PASSPHRASE });
  const scratch = await createTestDatabase();
  const options = { url: scratch.url, passphrase: PASSPHRASE, secrets: sealerOf('target') };
  const { rows } = await tryRestore({
    ...options,
    read: () => inPieces(file),
    hold: async () => undefined,
    onTable: () => undefined,
  });
  expect(rows).toBeGreaterThan(70);
  const client = await connect(scratch.url);
  expect(await readRows(client, 'contacts')).toEqual([]);
  await client.end();
  await scratch.drop();
});

/** What holds rows together and apart; days of facts come and go by the calendar. */
async function describeSchema(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(
    `SELECT line FROM (
       SELECT format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
       UNION ALL SELECT pg_get_indexdef(indexrelid) FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE relnamespace = 'public'::regnamespace
       UNION ALL SELECT format('%s %s %s %s', polrelid::regclass, polname, pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) FROM pg_policy
       UNION ALL SELECT format('%s %s %s', tgrelid::regclass, tgname, tgenabled) FROM pg_trigger WHERE NOT tgisinternal
       UNION ALL SELECT format('%s %s %s %s %s', oid::regclass, relkind, relrowsecurity, relforcerowsecurity, reloptions) FROM pg_class WHERE relnamespace = 'public'::regnamespace
       UNION ALL SELECT format('%s %s', oid::regprocedure, proleakproof) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
     ) AS d (line) WHERE line !~ 'events_2[0-9]{7}' ORDER BY 1`,
  );
  return rows.map(({ line }) => line);
}
