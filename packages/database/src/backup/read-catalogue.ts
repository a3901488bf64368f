import type { SqlQueries } from '../sql-queries.ts';
import { LEFT_OUT } from './left-out.ts';

export type CataloguedTable = { name: string; columns: string[] };
export type Partition = {
  name: string;
  parent: string;
  bounds: string;
  options: string[];
};
export type Sequence = { name: string; value: string; isCalled: boolean };

/** What a database holds, and what has to be there before its rows can come back. */
export type Catalogue = {
  /** Whatever a row refers to stands before it. */
  tables: CataloguedTable[];
  partitions: Partition[];
  sequences: Sequence[];
};

/** Reads it from the database itself, so that no table can be forgotten. */
export async function readCatalogue(client: SqlQueries): Promise<Catalogue> {
  const { rows: tables } = await client.query<CataloguedTable & { above: string[] }>(
    `SELECT c.relname AS name,
            ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
                   ORDER BY attnum) AS columns,
            ARRAY(SELECT DISTINCT f.relname::text FROM pg_constraint k JOIN pg_class f ON f.oid = k.confrelid
                   WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.confrelid <> c.oid) AS above
       FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND NOT c.relname = ANY ($1) ORDER BY c.relname`,
    [Object.keys(LEFT_OUT)],
  );
  const { rows: partitions } = await client.query<Partition>(
    `SELECT c.relname AS name, p.relname AS parent, pg_get_expr(c.relpartbound, c.oid) AS bounds,
            coalesce(c.reloptions, '{}') AS options
       FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relispartition ORDER BY c.relname`,
  );
  const { rows: sequences } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'S' ORDER BY 1`,
  );
  const values: Sequence[] = [];
  for (const { name } of sequences) values.push(await readSequence(client, name));
  return { tables: inOrder(tables), partitions, sequences: values };
}

async function readSequence(client: SqlQueries, name: string): Promise<Sequence> {
  const { rows } = await client.query<Omit<Sequence, 'name'>>(
    `SELECT last_value::text AS value, is_called AS "isCalled" FROM ${quote(name)}`,
  );
  return { name, ...rows[0]! }; // a sequence is one row
}

/** A name as it may stand in a statement. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function inOrder(tables: readonly (CataloguedTable & { above: string[] })[]): CataloguedTable[] {
  const names = new Set(tables.map(({ name }) => name));
  const placed = new Set<string>();
  const order: CataloguedTable[] = [];
  let left = [...tables];
  while (left.length > 0) {
    const next = left.filter(({ above }) => above.every((name) => placed.has(name) || !names.has(name)));
    if (next.length === 0)
      throw new Error(`Tables refer to each other in a circle: ${left.map(({ name }) => name).join(', ')}`);
    for (const { name, columns } of next) {
      placed.add(name);
      order.push({ name, columns });
    }
    left = left.filter(({ name }) => !placed.has(name));
  }
  return order;
}
