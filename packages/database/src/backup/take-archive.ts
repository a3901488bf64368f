import type pg from 'pg';
import type { SqlQueries } from '../sql-queries.ts';
import { ARCHIVED, PEOPLE_COLUMNS } from './archived-tables.ts';
import { dumpCatalogue, selectOf } from './dump-database.ts';
import { quote, readCatalogue, type CataloguedTable } from './read-catalogue.ts';
import { takeSnapshot, type TakeOptions, type Taken } from './take-backup.ts';

export type ArchiveOptions = TakeOptions & {
  workspaceId: string;
  /** They are only in a file that a passphrase closes. */
  withSecrets: boolean;
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Writes one workspace as one moment saw it, in the form of a backup; the product may run meanwhile. */
export async function takeArchive(options: ArchiveOptions): Promise<Taken> {
  const { passphrase, withSecrets, workspaceId } = options;
  // It stands in statements that take no parameters.
  if (!UUID.test(workspaceId)) throw new Error('The id of a workspace is a UUID.');
  if (withSecrets && !passphrase) throw new Error('Secrets travel only under a passphrase.');
  return takeSnapshot(options, { kind: 'workspace', workspaceId }, async (client, writer) =>
    dumpCatalogue(client, writer, {
      ...{ workspaceId, secrets: withSecrets ? options.secrets : null },
      ...{ onTable: options.onTable, onRows: options.onRows },
      // What a whole database needs before its rows can come back is there where a workspace goes.
      catalogue: {
        tables: await findTables(client),
        partitions: [],
        sequences: [],
      },
      select: (table) => rowsOf(table, workspaceId),
    }),
  );
}

/** In the order of the whole: whatever a row refers to stands before it. */
async function findTables(client: pg.ClientBase): Promise<CataloguedTable[]> {
  const { tables } = await readCatalogue(client);
  return tables.flatMap((table) => {
    if (table.name === 'users') return [{ name: 'users', columns: [...PEOPLE_COLUMNS] }];
    return table.name === 'workspaces' || ARCHIVED.includes(table.name) ? [table] : [];
  });
}

function rowsOf(table: CataloguedTable, workspaceId: string): string {
  if (table.name === 'workspaces') return `${selectOf(table)} WHERE id = '${workspaceId}'`;
  if (table.name === 'users')
    return `${selectOf(table)} WHERE id IN (SELECT user_id FROM memberships WHERE workspace_id = '${workspaceId}')`;
  return `${selectOf(table)} WHERE workspace_id = '${workspaceId}'`;
}

/** How many rows of a workspace an archive of it would hold now, with its people and itself. */
export async function countArchived(client: SqlQueries, workspaceId: string): Promise<number> {
  const counts = [...ARCHIVED, 'memberships'].map(
    (table) => `SELECT count(*) AS n FROM ${quote(table)} WHERE workspace_id = $1`,
  );
  const { rows } = await client.query<{ n: string }>(
    `SELECT sum(n) + 1 AS n FROM (${counts.join(' UNION ALL ')}) AS c`,
    [workspaceId],
  );
  return Number(rows[0]?.n ?? 1);
}
