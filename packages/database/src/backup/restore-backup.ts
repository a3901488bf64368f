import { advisoryLocks } from '../advisory-locks.ts';
import { migrateDatabase, migrationSteps, openSystemConnection } from '../database.ts';
import type pg from 'pg';
import { BackupError } from './backup-error.ts';
import type { BackupHeader } from './backup-header.ts';
import { writeSecrets, type Sealer } from './carry-secrets.ts';
import { listStoredFiles } from './dump-database.ts';
import { loadDatabase } from './load-database.ts';
import { openBackup, type OpenedBackup } from './read-parts.ts';
import { wipeDatabase } from './wipe-database.ts';

/** Opens the file anew, from its beginning. */
export type ReadFile = () => AsyncIterable<Uint8Array>;

export type Checked = {
  header: BackupHeader;
  tables: number;
  rows: number;
  files: number;
  hasSecrets: boolean;
};

/**
 * Reads a file from end to end and changes nothing.
 * @throws {BackupError} that says what is wrong with it
 */
export async function checkBackup(
  read: ReadFile,
  passphrase: string | undefined,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<Checked> {
  const { header, parts } = await openInstallation(read, passphrase);
  const checked: Checked = {
    header,
    tables: 0,
    rows: 0,
    files: 0,
    hasSecrets: false,
  };
  for await (const part of parts) {
    if (part.event === 'data') onBytes(part.bytes.length);
    if (part.event !== 'end') continue;
    if (part.part.kind === 'table') checked.tables += 1;
    if (part.part.kind === 'file') checked.files += 1;
    if (part.part.kind === 'secrets') checked.hasSecrets = true;
    checked.rows += part.end.rows ?? 0;
  }
  return checked;
}

export type RestoreOptions = {
  url: string;
  read: ReadFile;
  passphrase: string | undefined;
  secrets: Sealer;
  files: {
    has(key: string): Promise<boolean>;
    put(key: string, bytes: Uint8Array): Promise<void>;
    remove(key: string): Promise<void>;
  };
  /** What must not go on by itself is held back, in the transaction of the restore. */
  hold(client: pg.ClientBase): Promise<void>;
  onTable(name: string, rows: number): void;
  onFile(files: number): void;
};

export type Restored = {
  tables: number;
  rows: number;
  files: number;
  unopenedChannels: number;
};

/**
 * Puts a checked backup in the place of what is there: all of it, or on any failure nothing. Files are stored before the rows that speak of
 * them are seen, and those of before go when nobody speaks of them any more.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { url, files } = options;
  const added: string[] = [];
  const before = new Set<string>();
  const kept = new Set<string>();
  let restored: Restored;
  try {
    restored = await inRestore(options, false, {
      begin: async (client) => {
        const isThere = await client.query(`SELECT to_regclass('public.message_files') IS NOT NULL AS "is"`);
        if (isThere.rows[0].is) for await (const key of listStoredFiles(client)) before.add(key);
      },
      onFile: async (name, bytes) => {
        if (!(await files.has(name))) added.push(name);
        await files.put(name, bytes);
        kept.add(name);
        options.onFile(kept.size);
      },
    });
  } catch (error) {
    for (const key of added) await files.remove(key).catch(() => undefined);
    throw error;
  }
  for (const key of before) if (!kept.has(key)) await files.remove(key).catch(() => undefined);
  // What only the server's own account may set, and figures for the planner.
  await migrateDatabase(url);
  const connection = await openSystemConnection(url);
  try {
    await connection.client.query('ANALYZE');
  } finally {
    await connection.close();
  }
  return restored;
}

/**
 * Restores into this database, which is thrown away afterwards, compares each table with what was written, and takes all of it back.
 * @throws {RestoredOtherwise}
 */
export function tryRestore(options: Omit<RestoreOptions, 'files' | 'onFile'>): Promise<Restored> {
  return inRestore(options, true, {
    begin: async () => undefined,
    onFile: async () => undefined,
  });
}

async function inRestore(
  { url, read, passphrase, secrets, hold, onTable }: Omit<RestoreOptions, 'files' | 'onFile'>,
  isTrial: boolean,
  work: {
    begin(client: pg.ClientBase): Promise<void>;
    onFile(name: string, bytes: Uint8Array): Promise<void>;
  },
): Promise<Restored> {
  const { header, parts } = await openInstallation(read, passphrase);
  const connection = await openSystemConnection(url, { makesSchema: true });
  const { client } = connection;
  try {
    await client.query('BEGIN');
    // A product that starts meanwhile waits here.
    await client.query('SELECT pg_advisory_xact_lock($1)', [advisoryLocks.migration]);
    await work.begin(client);
    await wipeDatabase(client);
    const loaded = await loadDatabase(client, {
      ...{
        steps: migrationSteps(),
        applied: header.steps.length,
        parts,
        isChecked: isTrial,
      },
      ...{ onTable, onFile: work.onFile },
    });
    const { channels } = await writeSecrets(client, loaded.secrets, secrets);
    await hold(client);
    await client.query(isTrial ? 'ROLLBACK' : 'COMMIT');
    const { tables, rows, files } = loaded;
    return { tables, rows, files, unopenedChannels: channels };
  } finally {
    // Where something failed, the server takes all of it back.
    await connection.close();
  }
}

/** @throws {BackupError} */
async function openInstallation(read: ReadFile, passphrase: string | undefined): Promise<OpenedBackup> {
  const opened = await openBackup(read(), passphrase);
  const { kind, steps } = opened.header;
  if (kind !== 'installation') throw new BackupError('other_kind');
  const ours = migrationSteps();
  const known = steps.every((hash, place) => ours[place]?.hash === hash);
  if (!known) throw new BackupError(steps.length > ours.length ? 'newer' : 'unreleased');
  return opened;
}
