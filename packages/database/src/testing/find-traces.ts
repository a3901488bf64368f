import type { Database } from '../database.ts';

/** Every value of every column that can hold text, of every table of ours, that holds one of these. */
export async function findTraces({ systemPool }: Database, marks: readonly string[]): Promise<string[]> {
  const { rows: columns } = await systemPool.query<{ table: string; column: string }>(
    `SELECT c.oid::regclass::text AS table, quote_ident(a.attname) AS column FROM pg_class c
       JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_type t ON t.oid = a.atttypid
      WHERE c.relnamespace IN ('public'::regnamespace, 'jobs'::regnamespace) AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0
        AND NOT a.attisdropped AND t.typname IN ('text', '_text', 'varchar', 'json', 'jsonb', 'bytea')`,
  );
  if (columns.length < 100) throw new Error(`Only ${columns.length} columns hold text.`);
  const { rows } = await systemPool.query<{ trace: string }>(
    columns
      .map(
        ({ table, column }) =>
          `SELECT '${table}.${column}: ' || ${column}::text AS trace FROM ${table} WHERE ${column}::text ILIKE ANY ($1)`,
      )
      .join(' UNION ALL '),
    [marks.map((mark) => `%${mark}%`)],
  );
  return rows.map(({ trace }) => trace);
}
