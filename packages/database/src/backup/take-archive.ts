import type pg from 'pg';
import { openSystemConnection } from '../database.ts';
import { ARCHIVED, PEOPLE_COLUMNS } from './archived-tables.ts';
import type { BackupHeader } from './backup-header.ts';
import { copyOut } from './copy-rows.ts';
import { readSecrets } from './carry-secrets.ts';
import { listStoredFiles, selectOf } from './dump-database.ts';
import { readCatalogue, type Catalogue, type CataloguedTable } from './read-catalogue.ts';
import { readSchema, writeFile, type TakeOptions, type Taken } from './take-backup.ts';
import { openPartWriter, type PartWriter } from './write-parts.ts';

export type ArchiveOptions = TakeOptions & {
  workspaceId: string;
  /** They are only in a file that a passphrase closes. */
  withSecrets: boolean;
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Writes one workspace as one moment saw it, in the form of a backup; the product may run meanwhile. */
export async function takeArchive(options: ArchiveOptions): Promise<Taken> {
  const { url, sink, passphrase, secrets, withSecrets, now, onTable, workspaceId } = options;
  // It stands in statements that take no parameters.
  if (!UUID.test(workspaceId)) throw new Error('The id of a workspace is a UUID.');
  if (withSecrets && !passphrase) throw new Error('Secrets travel only under a passphrase.');
  const connection = await openSystemConnection(url);
  try {
    const { client } = connection;
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const steps = await readSchema(client);
    const writer = await openPartWriter(
      sink,
      { kind: 'workspace', ...steps, createdAt: now.toISOString() } satisfies Partial<BackupHeader>,
      passphrase,
    );
    const taken: Taken = {
      ...{ tables: 0, rows: 0, secrets: 0, lockedSecrets: 0 },
      ...{ files: 0, fileBytes: 0, missingFiles: 0 },
    };
    const tables = await findTables(client);
    // What a whole database needs before its rows can come back is there where a workspace goes.
    const catalogue: Catalogue = { tables, partitions: [], sequences: [] };
    await writeJson(writer, { kind: 'catalogue' }, catalogue);
    for (const table of tables) {
      onTable(table.name, 0);
      await writer.begin({ kind: 'table', ...table });
      const sum = await copyOut(client, rowsOf(table, workspaceId), (bytes) => writer.data(bytes));
      await writer.end(sum);
      onTable(table.name, sum.rows);
      taken.tables += 1;
      taken.rows += sum.rows;
    }
    if (withSecrets) {
      const { values, locked } = await readSecrets(client, secrets, workspaceId);
      await writeJson(writer, { kind: 'secrets' }, values);
      taken.secrets = values.length;
      taken.lockedSecrets = locked;
    }
    for await (const key of listStoredFiles(client, workspaceId)) {
      const bytes = await writeFile(options.files, key, writer);
      if (bytes === null) taken.missingFiles += 1;
      else {
        taken.files += 1;
        taken.fileBytes += bytes;
      }
      options.onFile(taken.files, taken.fileBytes);
    }
    await writer.finish();
    await client.query('COMMIT');
    return taken;
  } finally {
    await connection.close();
  }
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

async function writeJson(
  writer: PartWriter,
  part: { kind: 'catalogue' } | { kind: 'secrets' },
  value: unknown,
): Promise<void> {
  await writer.begin(part);
  await writer.data(Buffer.from(JSON.stringify(value)));
  await writer.end();
}
