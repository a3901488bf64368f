import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withScratchDatabase } from '../../src/backup/scratch-database.ts';
import { createTestDatabase, type TestDatabase } from '../../src/testing/test-database.ts';

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const exists = async (name: string) =>
  (await client.query('SELECT FROM pg_database WHERE datname = $1', [name])).rowCount === 1;

test('one that nobody is connected to yet is not taken for one that was left, and one that was left goes', async () => {
  let left = '';
  await withScratchDatabase(database.url, async (first) => {
    left = first.replace(/.{12}$/, '0'.repeat(12));
    await client.query(`CREATE DATABASE ${left} TEMPLATE template0`);
    await withScratchDatabase(database.url, async (second) => {
      expect([await exists(first), await exists(second), await exists(left)]).toEqual([true, true, false]);
    });
    expect(await exists(first)).toBe(true);
  });
  await withScratchDatabase(database.url, async () => undefined);
  const { rows } = await client.query(`SELECT datname FROM pg_database WHERE starts_with(datname, $1)`, [
    left.replace(/.{12}$/, ''),
  ]);
  expect(rows).toEqual([]);
});
