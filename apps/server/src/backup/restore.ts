import { inspectDatabase, countOthers } from '@app/database/backup/wipe-database';
import { readHeader } from '@app/database/backup/backup-header';
import { ByteReader } from '@app/database/backup/byte-reader';
import { checkBackup, restoreBackup } from '@app/database/backup/restore-backup';
import { openSystemConnection } from '@app/database/database';
import { readConfig } from '../config.ts';
import { findPath, readPieces } from './backup-file.ts';
import { CommandRefused } from './command-refused.ts';
import { holdRestored, type Held } from './hold-restored.ts';
import { openInstallation, type Installation } from './open-installation.ts';
import { ask, readPassphraseOf } from './read-passphrase.ts';
import type { CommandCall } from './run-command.ts';
import { count, megabytes, showProgress, type Progress } from './show-progress.ts';
import { verifyBackup } from './verify-backup.ts';

/** `npm run restore -- FILE [--replace] [--yes] [--verify]` */
export async function restoreInstallation({ path, args, env, write }: CommandCall): Promise<void> {
  const progress = showProgress(write);
  const file = findPath(path, env, 'restore');
  const { header } = await readHeader(new ByteReader(readPieces(file)));
  const passphrase = header.encryption ? await readPassphraseOf(env) : undefined;
  let bytes = 0;
  const found = await checkBackup(
    () => readPieces(file),
    passphrase,
    (more) => {
      bytes += more;
      progress.now(() => `Checking the file: ${megabytes(bytes)} …`);
    },
  );
  progress.say(
    `The file is whole: of ${header.createdAt}, ${count(found.tables, 'table')}, ${count(found.rows, 'row')}, ${count(found.files, 'file')}.`,
  );
  const config = readConfig(env);
  const isVerifying = args.includes('--verify');
  const installation = await openInstallation(config, isVerifying ? 'to read' : 'for itself');
  try {
    if (isVerifying) return await verifyBackup({ installation, file, passphrase, progress });
    await askWhetherToReplace(installation, args);
    await restore(installation, { file, passphrase, progress });
  } finally {
    await installation.close();
  }
}

/** @throws {CommandRefused} unless nothing is there, or somebody wants it gone */
async function askWhetherToReplace({ url }: Installation, args: readonly string[]): Promise<void> {
  const connection = await openSystemConnection(url);
  try {
    const there = await inspectDatabase(connection.client);
    if (there.is === 'foreign')
      throw new CommandRefused('The database holds something else than this product: name an empty one.');
    if ((await countOthers(connection.client)) > 0)
      throw new CommandRefused(
        'Another program is connected to the database: stop the product, and whatever else uses it, first.',
      );
    if (there.is === 'empty') return;
    const what = `${count(there.workspaces.length, 'workspace')} (${there.workspaces.join(', ')}), ${count(there.people, 'person', 'people')}, ${count(there.contacts, 'contact')}`;
    if (!args.includes('--replace'))
      throw new CommandRefused(
        `There is an installation already: ${what}. With --replace all of it is removed and the backup put in its place.`,
      );
    if (args.includes('--yes')) return;
    const word = process.stdin.isTTY
      ? await ask(`All of this is removed: ${what}. Type REPLACE to go on: `)
      : '';
    if (word !== 'REPLACE')
      throw new CommandRefused('Nothing was changed. Type REPLACE when asked, or add --yes.');
  } finally {
    await connection.close();
  }
}

async function restore(
  { url, files, secrets }: Installation,
  { file, passphrase, progress }: { file: string; passphrase: string | undefined; progress: Progress },
): Promise<void> {
  let held: Held = { campaigns: 0, messages: 0, flows: 0 };
  const restored = await restoreBackup({
    ...{ url, secrets, passphrase },
    read: () => readPieces(file),
    files: {
      has: async (key) => (await files.read(key, { start: 0, end: 0 })) !== null,
      put: (key, bytes) => files.put(key, bytes),
      remove: (key) => files.remove(key),
    },
    hold: async (client) => {
      held = await holdRestored(client);
    },
    onTable: (name) => progress.now(() => `Restoring: ${name} …`),
    onFile: (done) => progress.now(() => `Restoring: ${count(done, 'file')} …`),
  });
  progress.say(
    `Restored: ${count(restored.tables, 'table')}, ${count(restored.rows, 'row')}, ${count(restored.files, 'file')}. People sign in anew.`,
  );
  if (held.campaigns > 0)
    progress.say(
      `${count(held.campaigns, 'campaign')} stand paused, since they may have gone on after the backup: resume each, or leave it.`,
    );
  if (held.messages > 0)
    progress.say(
      `${count(held.messages, 'single message')} may have left after the backup: decide in the inbox.`,
    );
  if (held.flows > 0)
    progress.say(
      `${count(held.flows, 'workflow or bot flow is', 'workflows and bot flows are')} paused, since their runs may have gone on after the backup: activate each. Automation asks whether the runs that waited go on.`,
    );
  if (restored.unopenedChannels > 0)
    progress.say(
      `${count(restored.unopenedChannels, 'channel')} came without credentials and must be connected anew in Settings.`,
    );
}
