import type pg from 'pg';
import { quote } from '../backup/read-catalogue.ts';

/** Every id is this one, so that whatever a row refers to is there. */
export const ONLY_ID = '01990000-0000-7000-8000-000000000001';
/** What text formats trip over. */
const AWKWARD = 'é “\\N” \\ tab\tline\nend \u{1F600}';

const VALUES: Record<string, string> = {
  uuid: ONLY_ID,
  text: AWKWARD,
  integer: '1',
  smallint: '1',
  bigint: '1',
  boolean: 'true',
  'double precision': '0.1',
  numeric: '12.50',
  date: '2026-01-02',
  jsonb: JSON.stringify({ a: [1.5, AWKWARD, null], 'b "': {} }),
  bytea: '\\x00ff0a5c09',
  'timestamp with time zone': '2026-01-02 03:04:05.678901+00',
  'uuid[]': `{${ONLY_ID}}`,
  'text[]': `{"a\\\\b","c\\"d",NULL,"e,f"}`,
  'integer[]': '{1,NULL,3}',
  'smallint[]': '{1,2}',
  'bigint[]': '{1}',
  xid8: '12',
  pg_snapshot: '10:20:10,14',
};

type Column = { name: string; type: string; nullable: boolean };

/**
 * One row in each table of the product, made from the catalogue, with something in each column where the rules of the table allow it. `given` says what
 * else a table wants. A new table whose rules refuse such a row fails with its name.
 */
export async function fillTables(
  client: pg.ClientBase,
  tables: readonly string[],
  given: Readonly<Record<string, Readonly<Record<string, string | null>>>>,
): Promise<void> {
  await client.query(`SET session_replication_role = replica`);
  for (const table of tables) {
    const { rows: columns } = await client.query<Column>(
      `SELECT attname AS name, format_type(atttypid, -1) AS type, NOT attnotnull AS nullable FROM pg_attribute
        WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
      [quote(table)],
    );
    await client.query(`DELETE FROM ${quote(table)}`);
    const allowed = await readAllowed(client, table);
    const valueOf = ({ name, type }: Column): string | null => {
      const chosen = given[table]?.[name] ?? allowed.get(name);
      if (chosen !== undefined) return chosen;
      const value = VALUES[type];
      if (value === undefined) throw new Error(`Say what a value of ${type} looks like (${table}.${name}).`);
      return value;
    };
    const full = columns.map(valueOf);
    const bare = columns.map((column) =>
      column.nullable && given[table]?.[column.name] === undefined ? null : valueOf(column),
    );
    const names = columns.map(({ name }) => quote(name)).join(', ');
    const places = columns.map(({ type }, place) => `$${place + 1}::${type}`).join(', ');
    const insert = (values: (string | null)[]) =>
      client.query(
        `INSERT INTO ${quote(table)} (${names}) OVERRIDING SYSTEM VALUE VALUES (${places})`,
        values,
      );
    await insert(full).catch(() =>
      insert(bare).catch((error: Error) => {
        throw new Error(`Say what a row of ${table} needs: ${error.message}`, { cause: error });
      }),
    );
  }
  await client.query(`SET session_replication_role = DEFAULT`);
}

/** The first value of each column that a rule gives a list of. */
async function readAllowed(client: pg.ClientBase, table: string): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ rule: string }>(
    `SELECT pg_get_constraintdef(oid) AS rule FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'c'`,
    [quote(table)],
  );
  return new Map(
    rows.flatMap(({ rule }) =>
      [...rule.matchAll(/\((\w+) = ANY \(ARRAY\['(\w+)'::text/g)].map(
        ([, name = '', value = '']) => [name, value] as const,
      ),
    ),
  );
}
