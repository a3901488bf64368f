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

test('what merges moved before is kept by feature, so that they can still be undone', async () => {
  const step = readFileSync(new URL('../src/migrations/0037_moved_by_merges.sql', import.meta.url), 'utf8');
  // As the tables were before the step.
  await client.query(
    `ALTER TABLE contact_merges DROP COLUMN moved, ADD COLUMN recipients jsonb NOT NULL DEFAULT '[]';
     ALTER TABLE contact_merge_parts ADD COLUMN message_ids uuid[] NOT NULL, ADD COLUMN consent_ids uuid[] NOT NULL,
       ADD COLUMN hold_until timestamptz`,
  );
  const [workspaceId, mergeId, survivorId, ann, bob, message, consent] = Array.from({ length: 7 }, () =>
    newId(),
  );
  await client.query(`INSERT INTO workspaces (id, slug, name) VALUES ($1, 'acme', 'Acme')`, [workspaceId]);
  await client.query(
    `INSERT INTO contact_merges (id, workspace_id, survivor_id, user_name, names, merged_at, recipients)
     VALUES ($1, $2, $3, 'Mia', '{Ann,Bob}', now(), $4)`,
    [mergeId, workspaceId, survivorId, JSON.stringify([['7', 1, ann, survivorId]])],
  );
  for (const [id, messages, consents, until] of [
    [ann, [message], [], null],
    [bob, [], [consent], '2030-01-01T00:00:00Z'],
  ])
    await client.query(
      `INSERT INTO contact_merge_parts (workspace_id, merge_id, contact_id, contact, former_ids, former_identifiers, message_ids, consent_ids, hold_until)
       VALUES ($1, $2, $3, '{}', '{}', '{}', $4, $5, $6)`,
      [workspaceId, mergeId, id, messages, consents, until],
    );

  await client.query(step.replaceAll('--> statement-breakpoint', ''));

  const { rows } = await client.query('SELECT moved FROM contact_merges');
  expect(rows).toEqual([
    {
      moved: {
        delivery: { recipients: [['7', 1, ann, survivorId]] },
        conversations: { messages: { [ann!]: [message], [bob!]: [] } },
        contacts: {
          consents: { [ann!]: [], [bob!]: [consent] },
          holds: { [bob!]: expect.stringContaining('2030-01-01T00:00:00') },
        },
      },
    },
  ]);
});
