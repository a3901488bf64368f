import { join } from 'node:path';
import type { MediaStore } from '@app/api/platform/media-store';
import type { Config } from '../config.ts';
import { createDiskMediaStore } from './disk-media-store.ts';
import { createS3MediaStore } from './s3-media-store.ts';

/** Where the installation has its files: in its bucket, or below its own folder. */
export function openMediaStore({
  storageUrl,
  uploadsDir,
  dataDir,
}: Pick<Config, 'storageUrl' | 'uploadsDir' | 'dataDir'>): MediaStore {
  return storageUrl
    ? createS3MediaStore(storageUrl, join(dataDir, 'arriving'))
    : createDiskMediaStore(uploadsDir);
}
