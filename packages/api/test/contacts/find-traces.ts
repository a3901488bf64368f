import type { Database } from '@app/database/database';
import { expect } from 'vitest';

/** Every value of every column that can hold text, of every table of ours, that holds one of these. */
export async function findTraces({ systemPool }: Database, marks: readonly string[]): Promise<string[]> {
  const { rows: columns } = await systemPool.query<{ table: string; column: string }>(
    `SELECT c.oid::regclass::text AS table, quote_ident(a.attname) AS column FROM pg_class c
       JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_type t ON t.oid = a.atttypid
      WHERE c.relnamespace IN ('public'::regnamespace, 'jobs'::regnamespace) AND c.relkind IN ('r', 'p') AND a.attnum > 0
        AND NOT a.attisdropped AND t.typname IN ('text', '_text', 'varchar', 'json', 'jsonb', 'bytea')`,
  );
  expect(columns.length).toBeGreaterThan(100);
  const traces: string[] = [];
  for (const { table, column } of columns) {
    const { rows } = await systemPool.query<{ text: string }>(
      `SELECT ${column}::text AS text FROM ${table} WHERE ${column}::text ILIKE ANY ($1)`,
      [marks.map((mark) => `%${mark}%`)],
    );
    traces.push(...rows.map(({ text }) => `${table}.${column}: ${text}`));
  }
  return traces;
}
