import { afterAll, beforeAll, expect, test } from 'vitest';
import { people, tableOwners } from '../../src/features.ts';
import { openApiFixture, type ApiFixture } from '../api-fixture.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await openApiFixture();
});
afterAll(() => api.close());

test('every table of the database is one of a feature, as data of people or with the reason why not', async () => {
  const { rows } = await api.db.systemPool.query<{ name: string }>(
    `SELECT CASE n.nspname WHEN 'public' THEN '' ELSE n.nspname || '.' END || c.relname AS name
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'`,
  );
  // A new one is named in the `tables` or the `personData` of its feature: docs/guides/person-data.md.
  expect([...tableOwners.keys()].toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
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
