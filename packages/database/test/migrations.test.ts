import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrateDatabase } from '../src/database.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing/test-database.ts';

const FOLDER = new URL('../src/migrations/', import.meta.url);

let database: TestDatabase;
let client: pg.Client;
beforeEach(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

test('every file is a step, in one order by name, number and time: the migrator passes over what is not later than the last', () => {
  const { entries } = JSON.parse(readFileSync(new URL('meta/_journal.json', FOLDER), 'utf8')) as {
    entries: { idx: number; when: number; tag: string }[];
  };
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.sql'));
  expect(entries.map(({ tag }) => `${tag}.sql`)).toEqual(files.toSorted());
  for (const [place, { idx, tag, when }] of entries.entries()) {
    expect(idx).toBe(Number(tag.slice(0, 4)));
    // Numbers may be left out: several steps are begun at the same time, and not each of them is needed.
    if (place === 0) continue;
    expect(idx).toBeGreaterThan(entries[place - 1]!.idx);
    expect(when).toBeGreaterThan(entries[place - 1]!.when);
  }
});

test('a database of this version is taken again', async () => {
  await expect(migrateDatabase(database.url)).resolves.toBeUndefined();
});

test('a database with a step in another wording is refused by name, and stays as it is', async () => {
  await client.query(`UPDATE drizzle.__drizzle_migrations SET hash = 'another' WHERE id = 15`);
  await expect(migrateDatabase(database.url)).rejects.toThrow(
    /unreleased version of the product: its step 14 /,
  );
});

test('a database with a step fewer in the middle is refused, because the migrator would never make it up', async () => {
  await client.query('DELETE FROM drizzle.__drizzle_migrations WHERE id = 15');
  await expect(migrateDatabase(database.url)).rejects.toThrow(
    /unreleased version of the product: its step 14 /,
  );
});

test('a database of a newer version is refused', async () => {
  await client.query(
    `INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('of tomorrow', 9999999999999)`,
  );
  await expect(migrateDatabase(database.url)).rejects.toThrow(/newer version/);
});

test('a database whose last step has a later time than a step of this version is refused: the migrator passes over that', async () => {
  await client.query(
    `DELETE FROM drizzle.__drizzle_migrations WHERE id = (SELECT max(id) FROM drizzle.__drizzle_migrations)`,
  );
  await client.query(
    `UPDATE drizzle.__drizzle_migrations SET created_at = 9999999999999 WHERE id = (SELECT max(id) FROM drizzle.__drizzle_migrations)`,
  );
  await expect(migrateDatabase(database.url)).rejects.toThrow(/unreleased version of the product: its step /);
});
