import { statSync } from 'node:fs';
import { takeBackup } from '@app/database/backup/take-backup';
import { readConfig } from '../config.ts';
import { findPath, writeWhole } from './backup-file.ts';
import { openInstallation } from './open-installation.ts';
import { chooseNewPassphrase } from './read-passphrase.ts';
import type { CommandCall } from './run-command.ts';
import { count, megabytes, showProgress } from './show-progress.ts';
import { verifyBackup } from './verify-backup.ts';

/** `npm run backup -- FILE [--verify]` */
export async function backUp({ path, args, env, write }: CommandCall): Promise<void> {
  const file = findPath(path, env, 'backup');
  const config = readConfig(env);
  const passphrase = await chooseNewPassphrase(env);
  const progress = showProgress(write);
  const installation = await openInstallation(config, 'to read');
  try {
    let rows = 0;
    const taken = await writeWhole(file, (sink) =>
      takeBackup({
        ...installation,
        ...{ sink, passphrase, now: new Date() },
        onTable: (name, more) => {
          rows += more;
          progress.now(() => `Backing up: ${count(rows, 'row')}, now ${name} …`);
        },
        onFile: (files, bytes) =>
          progress.now(() => `Backing up: ${count(files, 'file')}, ${megabytes(bytes)} …`),
      }),
    );
    progress.say(
      `${file}: ${count(taken.tables, 'table')}, ${count(taken.rows, 'row')}, ${count(taken.files, 'file')}; ${megabytes(statSync(file).size)}, ${passphrase ? 'encrypted' : 'not encrypted'}.`,
    );
    if (!passphrase)
      progress.say(
        'Without a passphrase it holds no credentials of channels and no second steps of people: after a restore the channels are connected anew, and people set up their second step anew. Set BACKUP_PASSPHRASE to take them along.',
      );
    if (taken.lockedSecrets > 0)
      progress.say(
        `${count(taken.lockedSecrets, 'secret')} could not be opened with SECRET_KEY and stayed behind.`,
      );
    if (taken.missingFiles > 0)
      progress.say(`${count(taken.missingFiles, 'file')} that rows speak of were not in the store.`);
    if (args.includes('--verify')) await verifyBackup({ installation, file, passphrase, progress });
  } finally {
    await installation.close();
  }
}
