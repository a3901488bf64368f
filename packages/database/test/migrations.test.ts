import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migrateDatabase } from '../src/database.ts';
import { readSteps } from '../src/read-steps.ts';
import { createOlderDatabase, createTestDatabase, type TestDatabase } from '../src/testing/test-database.ts';

const FOLDER = fileURLToPath(new URL('../src/migrations/', import.meta.url));

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

describe('the files of a folder', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'steps-'))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const write = (name: string) => writeFileSync(join(folder, name), 'SELECT 1');

  test('are steps in the order of their numbers, of which some may be left out', () => {
    for (const name of ['0010_later.sql', '0002_first.sql', 'notes.md', '0003_second.sql']) write(name);
    const steps = readSteps(folder);
    expect(steps.map(({ name }) => name)).toEqual(['0002_first.sql', '0003_second.sql', '0010_later.sql']);
    expect(steps.map(({ at }) => at)).toEqual([1_795_000_000_020, 1_795_000_000_030, 1_795_000_000_100]);
  });

  test('are refused when two have one number, by both names', () => {
    for (const name of ['0004_a.sql', '0004_b.sql']) write(name);
    expect(() => readSteps(folder)).toThrow('0004_a.sql and 0004_b.sql');
  });

  test.each(['4_a.sql', 'a.sql', '0004.sql', '0004-a.sql'])('are refused when one is called %s', (name) => {
    write(name);
    expect(() => readSteps(folder)).toThrow(name);
  });
});

test('a step that fails is named, and leaves the database as it was', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'steps-'));
  cpSync(FOLDER, folder, { recursive: true });
  writeFileSync(join(folder, '9990_good.sql'), 'CREATE TABLE made_by_step ()');
  writeFileSync(join(folder, '9991_bad.sql'), 'SELECT 1; ALTER TABLE nowhere ADD x int');
  await expect(migrateDatabase(database.url, folder)).rejects.toThrow(/9991_bad\.sql failed: .*42P01/);
  rmSync(folder, { recursive: true });
  const { rows } = await client.query(`SELECT to_regclass('made_by_step') AS made`);
  expect(rows).toEqual([{ made: null }]);
  await expect(migrateDatabase(database.url)).resolves.toBeUndefined();
});

test('a database whose first steps have times of their own, from a list of earlier versions, goes on with the later steps', async () => {
  const older = await createOlderDatabase(43);
  const admin = new pg.Client({ connectionString: older.url });
  await admin.connect();
  try {
    // So the list had them: one apart, the last of them ten.
    await admin.query(
      `UPDATE drizzle.__drizzle_migrations SET created_at = 1795000000000 + CASE id WHEN 20 THEN 30 ELSE id - 1 END WHERE id <= 20`,
    );
    await migrateDatabase(older.url);
    const { rows } = await admin.query(
      'SELECT count(*)::int AS steps, count(DISTINCT hash)::int AS different FROM drizzle.__drizzle_migrations',
    );
    const steps = readSteps(FOLDER).length;
    expect(rows).toEqual([{ steps, different: steps }]);
    await expect(migrateDatabase(older.url)).resolves.toBeUndefined();
  } finally {
    await admin.end();
    await older.drop();
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

test('a database with a step fewer in the middle is refused', async () => {
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
