import {
  EMBEDDED_DATABASE,
  hasEmbeddedDatabase,
  reachEmbeddedPostgres,
  startEmbeddedPostgres,
} from '@app/database/embedded/embedded-postgres';
import type { Sealer } from '@app/database/backup/carry-secrets';
import type { MediaStore } from '@app/api/platform/media-store';
import type { Config } from '../config.ts';
import { openMediaStore } from '../media/open-media-store.ts';
import { createSecretBox } from '../secret-box.ts';
import { CommandRefused } from './command-refused.ts';

export type Installation = {
  url: string;
  /** The address of another database of the same server. */
  urlOf(database: string): string;
  files: MediaStore;
  secrets: Sealer;
  close(): Promise<void>;
};

type Wanted = 'to read' | 'for itself';

/**
 * Database and files as the product has them. To read, beside a product that runs; for itself, only while none does.
 * @throws {DataDirectoryInUse}
 */
export async function openInstallation(config: Config, wanted: Wanted): Promise<Installation> {
  const parts = {
    files: openMediaStore(config),
    secrets: createSecretBox(config.secretKey),
  };
  const { databaseUrl } = config;
  if (databaseUrl) {
    const urlOf = (database: string) => {
      const url = new URL(databaseUrl);
      url.pathname = `/${database}`;
      return url.href;
    };
    return { ...parts, url: databaseUrl, urlOf, close: () => Promise.resolve() };
  }
  if (wanted === 'to read' && !hasEmbeddedDatabase(config.dataDir))
    throw new CommandRefused(
      `There is no data in ${config.dataDir}: set DATA_DIR to the product's data directory, or DATABASE_URL to its database.`,
    );
  const quiet = {
    info() {},
    warn() {},
    error: (message: string) => void process.stderr.write(`${message}\n`),
  };
  const open = wanted === 'to read' ? reachEmbeddedPostgres : startEmbeddedPostgres;
  const cluster = await open({ dataDir: config.dataDir, logger: quiet });
  return {
    ...parts,
    url: cluster.url(EMBEDDED_DATABASE),
    urlOf: (database) => cluster.url(database),
    close: () => cluster.stop(),
  };
}
