import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../src/new-id.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing/test-database.ts';

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

test('whoever was kept out of everything is kept out of each workspace of theirs', async () => {
  const step = readFileSync(new URL('../src/migrations/0112_active_members.sql', import.meta.url), 'utf8');
  // As it was before the step.
  await client.query(
    `ALTER TABLE memberships DROP COLUMN is_active; ALTER TABLE users ADD COLUMN is_active boolean NOT NULL DEFAULT true;
     DROP FUNCTION is_only_here(uuid); DROP FUNCTION change_account_of_member(uuid, text, text, text, timestamptz);
     DROP FUNCTION sessions_of_members(uuid); DROP FUNCTION end_sessions_of_member(uuid, uuid, uuid, uuid, timestamptz)`,
  );
  for (const name of [
    'change_account_of_member(uuid, text, text, text, boolean, timestamptz)',
    'sessions_of_members()',
    'end_sessions_of_member(uuid, uuid, uuid, timestamptz)',
  ])
    await client.query(`CREATE FUNCTION ${name} RETURNS integer LANGUAGE sql AS 'SELECT 1'`);
  const [one, two, ann, bob] = Array.from({ length: 4 }, () => newId());
  for (const id of [one, two])
    await client.query('INSERT INTO workspaces (id, slug, name) VALUES ($1, $2, $2)', [id, `w-${id}`]);
  for (const [id, isActive] of [
    [ann, true],
    [bob, false],
  ])
    await client.query(
      'INSERT INTO users (id, name, email, is_active) VALUES ($1::uuid, $1::text, $1::text, $2)',
      [id, isActive],
    );
  for (const [workspaceId, userId] of [
    [one, ann],
    [one, bob],
    [two, bob],
  ])
    await client.query(`INSERT INTO memberships (workspace_id, user_id, role) VALUES ($1, $2, 'agent')`, [
      workspaceId,
      userId,
    ]);

  await client.query(step.replaceAll('--> statement-breakpoint', ''));

  const { rows } = await client.query<{ user_id: string; is_active: boolean }>(
    'SELECT user_id, is_active FROM memberships ORDER BY is_active, workspace_id',
  );
  expect(rows).toEqual([
    { user_id: bob, is_active: false },
    { user_id: bob, is_active: false },
    { user_id: ann, is_active: true },
  ]);
});
