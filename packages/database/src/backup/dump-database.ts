import type pg from 'pg';
import type { Sealer, SealedValue } from './carry-secrets.ts';
import { readSecrets } from './carry-secrets.ts';
import { copyOut } from './copy-rows.ts';
import type { SqlQueries } from '../sql-queries.ts';
import { INSTEAD, LEFT_OUT_WITHOUT_SECRETS, STORED_FILES } from './left-out.ts';
import { quote, readCatalogue, type Catalogue, type CataloguedTable } from './read-catalogue.ts';
import type { PartWriter } from './write-parts.ts';

export type Dumped = {
  tables: number;
  rows: number;
  secrets: number;
  lockedSecrets: number;
};

export type DumpWish = {
  secrets: Sealer | null;
  onTable(name: string, rows: number): void;
  /** Rows so far, of all tables. */
  onRows?: ((rows: number) => void) | undefined;
};

/**
 * Writes every table as one moment saw it. Call it in a transaction of REPEATABLE READ with system scope. Without `secrets` what is sealed stays
 * behind.
 */
export async function dumpTables(client: pg.ClientBase, writer: PartWriter, wish: DumpWish): Promise<Dumped> {
  const catalogue = await readCatalogue(client);
  if (!wish.secrets)
    catalogue.tables = catalogue.tables.filter(({ name }) => !LEFT_OUT_WITHOUT_SECRETS.includes(name));
  return dumpCatalogue(client, writer, {
    ...wish,
    catalogue,
    select: selectOf,
    workspaceId: null,
  });
}

type Dumping = DumpWish & {
  catalogue: Catalogue;
  /** The rows of a table that go along. */
  select: (table: CataloguedTable) => string;
  /** Whose secrets go along; null for all. */
  workspaceId: string | null;
};

/** The catalogue, then what it names, in its order. */
export async function dumpCatalogue(
  client: pg.ClientBase,
  writer: PartWriter,
  { catalogue, select, workspaceId, secrets, onTable, onRows }: Dumping,
): Promise<Dumped> {
  await writer.begin({ kind: 'catalogue' });
  await writer.data(asJson(catalogue));
  await writer.end();
  const dumped: Dumped = { tables: 0, rows: 0, secrets: 0, lockedSecrets: 0 };
  for (const table of catalogue.tables) {
    onTable(table.name, 0);
    await writer.begin({ kind: 'table', ...table });
    let read = 0;
    const sum = await copyOut(client, select(table), (bytes) => {
      read += countLines(bytes);
      onRows?.(dumped.rows + read);
      return writer.data(bytes);
    });
    await writer.end(sum);
    onTable(table.name, sum.rows);
    dumped.tables += 1;
    dumped.rows += sum.rows;
  }
  if (!secrets) return dumped;
  const { values, locked } = await readSecrets(client, secrets, workspaceId);
  await writer.begin({ kind: 'secrets' });
  await writer.data(asJson(values satisfies SealedValue[]));
  await writer.end();
  return { ...dumped, secrets: values.length, lockedSecrets: locked };
}

/** Rows of a table as they stand in a backup. */
export function selectOf({ name, columns }: CataloguedTable): string {
  const list = columns.map((column) => {
    const instead = INSTEAD[`${name}.${column}`];
    return instead === undefined ? quote(column) : `${instead} AS ${quote(column)}`;
  });
  return `SELECT ${list.join(', ')} FROM ${quote(name)}`;
}

/** A row is a line: what breaks lines within it is escaped. */
function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) lines += 1;
  return lines;
}

/** The bytes of the files that a workspace speaks of, without small pictures of them. */
export async function sizeStoredFiles(client: SqlQueries, workspaceId: string): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    `SELECT (SELECT coalesce(sum(size), 0) FROM media WHERE workspace_id = $1)
          + (SELECT coalesce(sum(size), 0) FROM message_files WHERE workspace_id = $1 AND content IS NOT NULL) AS bytes`,
    [workspaceId],
  );
  return Number(rows[0]?.bytes ?? 0);
}

function keysOfFiles(): string {
  return STORED_FILES.map(
    ({ table, column }) =>
      `SELECT ${column} AS key FROM ${table} WHERE ${column} IS NOT NULL AND ($1::uuid IS NULL OR workspace_id = $1)`,
  ).join(' UNION ALL ');
}

/** The keys of all files of the media store that rows speak of, or those of one workspace, page by page. */
export async function* listStoredFiles(
  client: pg.ClientBase,
  workspaceId: string | null = null,
): AsyncGenerator<string> {
  await client.query(
    `DECLARE stored_files CURSOR FOR SELECT DISTINCT key FROM (${keysOfFiles()}) AS k ORDER BY key`,
    [workspaceId],
  );
  for (;;) {
    const { rows } = await client.query<{ key: string }>('FETCH 1000 FROM stored_files');
    for (const { key } of rows) yield key;
    if (rows.length === 0) break;
  }
  await client.query('CLOSE stored_files');
}

function asJson(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
