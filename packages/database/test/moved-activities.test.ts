import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../src/testing/test-database.ts';

const STEP = new URL('../src/migrations/0030_more_facts.sql', import.meta.url);

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

const moved: [type: string, resource: string, sentence: string, fact: string, values: object][] = [
  ['create', 'contacts', 'Added segment VIP for approval', 'segment.created', { name: 'VIP for approval' }],
  ['update', 'contacts', 'Updated segment VIP', 'segment.updated', { name: 'VIP' }],
  ['delete', 'contacts', 'Deleted segment VIP', 'segment.deleted', { name: 'VIP' }],
  ['create', 'templates', 'Created template Welcome', 'template.created', { name: 'Welcome' }],
  ['update', 'templates', 'Updated template Welcome', 'template.updated', { name: 'Welcome' }],
  ['delete', 'templates', 'Deleted template Welcome', 'template.deleted', { name: 'Welcome' }],
  ['update', 'templates', 'Submitted template Hi for approval', 'template.submitted', { name: 'Hi' }],
  ['upload', 'media', 'Uploaded file a b.png', 'media.uploaded', { name: 'a b.png' }],
  ['delete', 'media', 'Deleted file a b.png', 'media.deleted', { name: 'a b.png' }],
  ['update', 'channels', 'Let the stopped WhatsApp number send again', 'channel.resumed', {}],
  ['view', 'dashboard', 'Viewed dashboard', 'dashboard.viewed', {}],
  ['view', 'dashboard', 'Clicked Add New Contact', 'dashboard.clicked', { element: 'Add New Contact' }],
];
const kept: [type: string, resource: string, sentence: string][] = [
  ['create', 'contacts', 'Added contact Added segment VIP'],
  ['update', 'contacts', 'Added segment VIP'],
  ['update', 'templates', 'Submitted template Hi'],
  ['upload', 'media', 'Uploaded file '],
  ['view', 'campaigns', 'Clicked Send'],
];

test('older entries of segments, templates, media, numbers and views become the facts that they were; others keep their text', async () => {
  const { rows: made } = await client.query<{ id: string }>(
    `INSERT INTO workspaces (id, slug, name) VALUES (gen_random_uuid(), 'acme', 'Acme') RETURNING id`,
  );
  for (const [type, resource, sentence] of [...moved, ...kept])
    await client.query(
      `INSERT INTO activities (id, workspace_id, user_name, type, resource, description, occurred_at)
       VALUES (gen_random_uuid(), $1, 'Ann', $2, $3, $4, now())`,
      [made[0]!.id, type, resource, sentence],
    );
  const steps = readFileSync(STEP, 'utf8').split('--> statement-breakpoint');
  for (const step of steps.filter((text) => text.includes('UPDATE activities'))) await client.query(step);
  const { rows } = await client.query(
    'SELECT type, resource, description, fact_type, "values" FROM activities',
  );
  const expected = [
    ...moved.map(([type, resource, , factType, values]) => {
      return { type, resource, description: null, fact_type: factType, values };
    }),
    ...kept.map(([type, resource, description]) => {
      return { type, resource, description, fact_type: null, values: {} };
    }),
  ];
  expect(rows).toEqual(expect.arrayContaining(expected));
  expect(rows).toHaveLength(expected.length);
});
