import { checkBackup, tryRestore } from '@app/database/backup/restore-backup';
import { withScratchDatabase } from '@app/database/backup/scratch-database';
import { readPieces } from './backup-file.ts';
import { holdRestored } from './hold-restored.ts';
import type { Installation } from './open-installation.ts';
import { count, type Progress } from './show-progress.ts';

/** Restores the file into a scratch database of the same server, compares each table, and throws the database away. */
export async function verifyBackup({
  installation,
  file,
  passphrase,
  progress,
}: {
  installation: Installation;
  file: string;
  passphrase: string | undefined;
  progress: Progress;
}): Promise<void> {
  const { files } = await checkBackup(() => readPieces(file), passphrase);
  const { tables, rows } = await withScratchDatabase(installation.url, (scratch) =>
    tryRestore({
      ...{ url: installation.urlOf(scratch), secrets: installation.secrets, passphrase },
      read: () => readPieces(file),
      hold: async (client) => void (await holdRestored(client)),
      onTable: (name) => progress.now(() => `Checking: ${name} …`),
    }),
  );
  progress.say(
    `Checked: restored into a scratch database, ${count(tables, 'table')} and ${count(rows, 'row')} came back as they were written, and ${count(files, 'file')} read whole.`,
  );
}
