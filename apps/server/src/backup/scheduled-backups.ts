import { join } from 'node:path';
import type { InstallationBackups } from '@app/api/platform/backups/installation-backups';
import { readPieces, type MediaStore } from '@app/api/platform/media-store';
import type { Sealer } from '@app/database/backup/carry-secrets';
import { checkBackup } from '@app/database/backup/restore-backup';
import { takeBackup } from '@app/database/backup/take-backup';
import type { Config } from '../config.ts';
import { createDiskMediaStore } from '../media/disk-media-store.ts';
import { createS3MediaStore } from '../media/s3-media-store.ts';
import { tryBackup } from './try-backup.ts';

type Parts = {
  config: Pick<Config, 'backups' | 'dataDir' | 'databaseUrl'>;
  url: string;
  files: Pick<MediaStore, 'read'>;
  secrets: Sealer;
  clock(): Date;
};

/** The backups that the product takes by itself, in the place that the operator has named; null without one. */
export function openInstallationBackups({
  config,
  url,
  files,
  secrets,
  clock,
}: Parts): InstallationBackups | null {
  if (!config.backups) return null;
  const { folder, bucketUrl, everyHours, keep, passphrase } = config.backups;
  // A draft that has no room, or loses its process, is never seen under a name.
  const store = bucketUrl
    ? createS3MediaStore(bucketUrl, join(config.dataDir, 'arriving'))
    : createDiskMediaStore(folder);
  return {
    ...{ everyHours, keep, place: bucketUrl ? 'bucket' : 'disk', isEncrypted: passphrase !== undefined },
    async take(fileName, signal) {
      const draft = await store.begin();
      try {
        await takeBackup({
          ...{ url, files, secrets, passphrase, now: clock() },
          async sink(bytes) {
            signal.throwIfAborted();
            await draft.append(bytes);
          },
          onTable: () => signal.throwIfAborted(),
          onFile: () => signal.throwIfAborted(),
        });
        const bytes = draft.size();
        await draft.keepAs(fileName);
        return bytes;
      } finally {
        await draft.discard();
      }
    },
    async verify(fileName, { bytes, restores, signal }) {
      const read = async function* () {
        for await (const piece of readPieces(store, fileName, { start: 0, end: bytes - 1 })) {
          signal.throwIfAborted();
          yield piece;
        }
      };
      await checkBackup(read, passphrase);
      const dataDir = config.databaseUrl ? null : config.dataDir;
      const isRestored = restores && (await tryBackup({ url, read, passphrase, secrets, dataDir, signal }));
      return { isRestored };
    },
    remove: (fileName) => store.remove(fileName),
  };
}
