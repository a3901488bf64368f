import { listWorkspaceTables } from '@app/database/table-rules';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tableOwners, tableRulesByFeature } from '@app/database/all-table-rules';
import { people } from '../../src/features.ts';
import { CLEARED } from '../../src/data-management/cleared-tables.ts';
import { openApiFixture, type ApiFixture } from '../api-fixture.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await openApiFixture();
});
afterAll(() => api.close());

test('every table of the database has its rules, and is one of a single feature', async () => {
  const { rows } = await api.db.systemPool.query<{ name: string }>(
    `SELECT CASE n.nspname WHEN 'public' THEN '' ELSE n.nspname || '.' END || c.relname AS name
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'`,
  );
  // A new one is declared in the table rules of its feature: docs/guides/person-data.md.
  const declared = Object.values(tableRulesByFeature).flatMap((rules) => Object.keys(rules));
  expect(declared.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
  expect(declared).toHaveLength(tableOwners.size);
});

test('the rules of a table say what becomes of its rows exactly if they belong to a workspace', async () => {
  const { rows } = await api.db.systemPool.query<{ name: string }>(
    `SELECT DISTINCT table_name AS name FROM information_schema.columns JOIN pg_class ON relname = table_name AND NOT relispartition
      WHERE table_schema = 'public' AND column_name = 'workspace_id' AND relkind IN ('r', 'p')`,
  );
  const ofWorkspace = listWorkspaceTables(tableRulesByFeature).map(([table]) => table);
  expect(ofWorkspace.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

test('a table that Clear All empties comes after those whose rows refer to it', async () => {
  const { rows } = await api.db.systemPool.query<{ child: string; parent: string }>(
    `SELECT conrelid::regclass::text AS child, confrelid::regclass::text AS parent FROM pg_constraint
      WHERE contype = 'f' AND confdeltype = 'a' AND connamespace = 'public'::regnamespace`,
  );
  const between = rows.filter(({ child, parent }) => CLEARED.includes(child) && CLEARED.includes(parent));
  expect(between.length).toBeGreaterThan(0);
  for (const { child, parent } of between)
    expect(CLEARED.indexOf(child), `${child} refers to ${parent}`).toBeLessThan(CLEARED.indexOf(parent));
});

test('a table that names a contact holds data of people, whatever else it holds', async () => {
  const { rows } = await api.db.systemPool.query<{ name: string }>(
    `SELECT DISTINCT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND a.attname = ANY ($1)`,
    [['contact_id', 'survivor_id', 'phone', 'identifier_hash']],
  );
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.map(({ name }) => name).filter((name) => !people.tables.has(name))).toEqual([]);
});

test('every section of the file about a person can be read, whatever is in it', async () => {
  const admin = await api.as('admin');
  const added = await admin.post('/api/contacts', { name: 'Ann', phone: '+14155552671' });
  const { id } = await added.json<{ id: string }>();
  const data = await (await admin.get(`/api/contacts/${id}/data`)).json<Record<string, unknown[]>>();
  for (const { section } of people.sections) expect(data[section], section).toBeInstanceOf(Array);
});
