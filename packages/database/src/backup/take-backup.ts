import type pg from 'pg';
import { migrationSteps, openSystemConnection } from '../database.ts';
import { ForeignSchema, readApplied } from '../check-applied.ts';
import type { BackupHeader } from './backup-header.ts';
import type { Sealer } from './carry-secrets.ts';
import { dumpTables, listStoredFiles, type Dumped } from './dump-database.ts';
import { openPartWriter, type PartWriter, type Sink } from './write-parts.ts';

export type StoredFiles = {
  /** Null when there is nothing under the key; a piece that is shorter than asked for is the last. */
  read(key: string, range: { start: number; end: number }): Promise<Uint8Array | null>;
};

export type TakeOptions = {
  url: string;
  sink: Sink;
  files: StoredFiles;
  secrets: Sealer;
  passphrase: string | undefined;
  now: Date;
  onTable(name: string, rows: number): void;
  /** So far, while a table is read and while a file is. */
  onRows?(rows: number): void;
  onFile(files: number, bytes: number): void;
};

export type Taken = Dumped & {
  files: number;
  fileBytes: number;
  /** Rows speak of them, and the store does not have them. */
  missingFiles: number;
};

/** What one frame holds: a file of any size passes through so much memory. */
const PIECE = 1024 * 1024;

/** Writes the whole installation as one moment saw it; the product may run meanwhile. */
export function takeBackup(options: TakeOptions): Promise<Taken> {
  const { passphrase, secrets, onTable, onRows } = options;
  return takeSnapshot(options, { kind: 'installation', workspaceId: null }, (client, writer) =>
    dumpTables(client, writer, {
      secrets: passphrase ? secrets : null,
      onTable,
      onRows,
    }),
  );
}

/** What is read of one moment: the rows as `dump` writes them, then the files that they speak of. */
export async function takeSnapshot(
  { url, sink, passphrase, files, now, onFile }: TakeOptions,
  { kind, workspaceId }: Pick<BackupHeader, 'kind'> & { workspaceId: string | null },
  dump: (client: pg.ClientBase, writer: PartWriter) => Promise<Dumped>,
): Promise<Taken> {
  const connection = await openSystemConnection(url);
  try {
    const { client } = connection;
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const steps = await readSchema(client);
    const header = {
      kind,
      ...steps,
      createdAt: now.toISOString(),
    } satisfies Partial<BackupHeader>;
    const writer = await openPartWriter(sink, header, passphrase);
    const taken: Taken = {
      ...(await dump(client, writer)),
      files: 0,
      fileBytes: 0,
      missingFiles: 0,
    };
    for await (const key of listStoredFiles(client, workspaceId)) {
      const bytes = await writeFile(files, key, writer, (size) =>
        onFile(taken.files, taken.fileBytes + size),
      );
      if (bytes === null) taken.missingFiles += 1;
      else {
        taken.files += 1;
        taken.fileBytes += bytes;
      }
      onFile(taken.files, taken.fileBytes);
    }
    await writer.finish();
    await client.query('COMMIT');
    return taken;
  } finally {
    await connection.close();
  }
}

/** Only a database of this very version: what an older one needs to know is known to its own command. */
async function readSchema(client: pg.ClientBase): Promise<{ schema: string; steps: string[] }> {
  const ours = migrationSteps();
  const applied = await readApplied(client);
  const isOurs =
    applied.length === ours.length && applied.every(({ hash }, place) => ours[place]?.hash === hash);
  if (!isOurs)
    throw new ForeignSchema(
      'The database was made by another version of the product: take the backup with that version, or start this one once.',
    );
  return { schema: ours.at(-1)!.name, steps: ours.map(({ hash }) => hash) };
}

/** Null when the store does not have it. */
async function writeFile(
  files: StoredFiles,
  key: string,
  writer: PartWriter,
  onBytes: (size: number) => void,
): Promise<number | null> {
  const first = await files.read(key, { start: 0, end: PIECE - 1 });
  if (first === null) return null;
  await writer.begin({ kind: 'file', name: key });
  let size = 0;
  for (let piece: Uint8Array | null = first; piece;) {
    await writer.data(piece);
    size += piece.length;
    onBytes(size);
    if (piece.length < PIECE) break;
    piece = await files.read(key, { start: size, end: size + PIECE - 1 });
    if (!piece) throw new Error('A file was removed while it was read: take the backup again.');
  }
  await writer.end();
  return size;
}
