import { statfs } from 'node:fs/promises';
import type { Sealer } from '@app/database/backup/carry-secrets';
import { tryRestore, type ReadFile } from '@app/database/backup/restore-backup';
import { NoScratchDatabase, withScratchDatabase } from '@app/database/backup/scratch-database';
import pg from 'pg';
import { holdRestored } from './hold-restored.ts';

/** A larger database is tried by whoever runs the installation, with `--verify`, when they choose. */
const MOST_BYTES = 4 * 1024 ** 3;
/** Rows, their indexes and the log of the transaction lie beside what is there. */
const ROOM_FOR_EACH_BYTE = 3;

/** No room, no connection, no right, or stopped by the operator: it says nothing of the backup. */
const OF_THE_SERVER = /^(08|53|57|58|3D|42501)|^E[A-Z]+$/;

export type Trial = {
  url: string;
  read: ReadFile;
  passphrase: string | undefined;
  secrets: Sealer;
  /** Where the embedded database lies; null for a server of one's own, which has room or says so. */
  dataDir: string | null;
  signal: AbortSignal;
};

/**
 * Restores a backup into a scratch database of the same server, compares each table and throws it away. False where that cannot be tried here.
 * @throws where it did not come back as it was written
 */
export async function tryBackup({
  url,
  read,
  passphrase,
  secrets,
  dataDir,
  signal,
}: Trial): Promise<boolean> {
  try {
    const bytes = await readSize(url);
    if (bytes > MOST_BYTES || (dataDir && (await readRoom(dataDir)) < bytes * ROOM_FOR_EACH_BYTE))
      return false;
    await withScratchDatabase(url, (scratch) => {
      const urlOfScratch = new URL(url);
      urlOfScratch.pathname = `/${scratch}`;
      return tryRestore({
        ...{ url: urlOfScratch.href, read, passphrase, secrets },
        hold: async (client) => void (await holdRestored(client)),
        onTable: () => signal.throwIfAborted(),
      });
    });
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof NoScratchDatabase || OF_THE_SERVER.test(String(Object(error).code ?? '')))
      return false;
    throw error;
  }
}

async function readSize(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ bytes: string }>(
      'SELECT pg_database_size(current_database()) AS bytes',
    );
    return Number(rows[0]!.bytes); // it is one row
  } finally {
    await client.end();
  }
}

async function readRoom(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
