import { readdirSync } from 'node:fs';
import { getTableConfig, getViewConfig, PgTable, PgView } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../src/testing/test-database.ts';

const SOURCE = new URL('../src/', import.meta.url);

type Described = { name: string; columns: { name: string; notNull: boolean; type: string }[] };

const described: Described[] = [];
for (const path of readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })) {
  if (!path.endsWith('-tables.ts')) continue;
  const exported: Record<string, unknown> = await import(new URL(path, SOURCE).href);
  for (const value of Object.values(exported)) {
    if (value instanceof PgTable) described.push(describeTable(value));
    else if (value instanceof PgView) described.push(describeView(value));
  }
}

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

describe('what the query builder believes is what the database has', () => {
  test('there are tables to compare', () => expect(described.length).toBeGreaterThan(8));

  test.each(described.map((table) => [table.name, table] as const))('%s', async (name, { columns }) => {
    const { rows } = await client.query<{ name: string; notNull: boolean; type: string; isView: boolean }>(
      `SELECT a.attname AS name, a.attnotnull AS "notNull", format_type(a.atttypid, a.atttypmod) AS type,
              c.relkind = 'v' AS "isView"
         FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped`,
      [name],
    );
    const real = new Map(rows.map(({ isView, ...column }) => [column.name, { isView, column }]));
    for (const column of columns) {
      const found = real.get(column.name);
      expect(found, `${name}.${column.name} does not exist`).toBeDefined();
      // The database says of no column of a view that it is never null.
      const expected = found?.isView ? { ...column, notNull: false } : column;
      expect(found?.column).toEqual(expected);
    }
  });
});

function describeTable(table: PgTable): Described {
  const { name, columns } = getTableConfig(table);
  return { name, columns: columns.map(describeColumn) };
}

function describeView(view: PgView): Described {
  const { name, selectedFields } = getViewConfig(view);
  const columns = Object.values(selectedFields) as Parameters<typeof describeColumn>[0][];
  return { name, columns: columns.map(describeColumn) };
}

function describeColumn(column: { name: string; notNull: boolean; getSQLType(): string }) {
  const type = column
    .getSQLType()
    .replace(/^(timestamp|time)(\(\d\))? with time zone$/, '$1$2 with time zone')
    .replace(/^bigserial$/, 'bigint')
    .replace(/^serial$/, 'integer');
  return { name: column.name, notNull: column.notNull, type };
}
