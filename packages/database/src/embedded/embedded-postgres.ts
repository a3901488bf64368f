import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { findDataDirectoryHolder, lockDataDirectory } from './data-lock.ts';
import { findEmbeddedBinaries, SHARED_HOME } from './postgres-binaries.ts';
import { socketUrl, startCluster, stopServer, type Cluster, type ClusterLogger } from './postgres-cluster.ts';
import { findPostmaster } from './postmaster-file.ts';
import { canReach, chooseServerAccount, makePrivateDirectory, type ServerAccount } from './server-account.ts';

export type EmbeddedPostgresOptions = {
  /** The product's data directory; the database lives in its `postgres` folder. */
  dataDir: string;
  logger: ClusterLogger;
  settings?: Record<string, string>;
};

/** Database of the product within the embedded cluster; it exists once the server has started. */
export const EMBEDDED_DATABASE = 'messaging';

/**
 * Runs the embedded PostgreSQL on the data directory and holds the directory for this process alone.
 * @throws {DataDirectoryInUse} while another process of the product uses the directory
 */
export async function startEmbeddedPostgres({
  dataDir,
  logger,
  settings = {},
}: EmbeddedPostgresOptions): Promise<Cluster> {
  if (process.platform === 'win32')
    throw new Error('The embedded database needs Linux or macOS: set DATABASE_URL to a PostgreSQL server.');
  mkdirSync(dataDir, { recursive: true });
  const directory = realpathSync(dataDir);
  const lock = lockDataDirectory(directory);
  const locks = [lock];
  try {
    const account = chooseServerAccount(join(homeOf(directory), 'data'));
    const home = placeCluster(directory, account, logger);
    // A copy of the data directory still points at the same cluster: only one of them may use it at a time.
    if (!home.startsWith(directory)) locks.push(lockDataDirectory(`${home}.lock`));
    refuseForeignData(home, account);
    const cluster = await startCluster({
      binaries: findEmbeddedBinaries(account),
      home,
      account,
      settings,
      logger,
    });
    await createDatabase(cluster);
    return {
      ...cluster,
      async stop() {
        await cluster.stop();
        for (const held of locks) held.release();
      },
    };
  } catch (error) {
    for (const held of locks) held.release();
    throw error;
  }
}

/** Whether there is a database in the data directory, running or not. */
export function hasEmbeddedDatabase(dataDir: string): boolean {
  return existsSync(dataDir) && existsSync(join(homeOf(realpathSync(dataDir)), 'data'));
}

/**
 * The database of a data directory for somebody who only reads: the server of the product that runs on it, else one that is started and
 * stopped again.
 */
export async function reachEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<Pick<Cluster, 'url' | 'stop'>> {
  const directory = realpathSync(options.dataDir);
  if (findDataDirectoryHolder(directory) === undefined) return startEmbeddedPostgres(options);
  const running = findPostmaster(join(homeOf(directory), 'data'));
  if (running?.status !== 'ready')
    throw new Error('The product is starting or stopping at the moment: try again in a minute.');
  return { url: (database) => socketUrl(running.socketDirectory, database), stop: () => Promise.resolve() };
}

async function createDatabase(cluster: Cluster): Promise<void> {
  const admin = new pg.Client({ connectionString: cluster.url('postgres') });
  await admin.connect();
  try {
    const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [EMBEDDED_DATABASE]);
    if (rowCount === 0) await admin.query(`CREATE DATABASE ${EMBEDDED_DATABASE}`);
  } finally {
    await admin.end();
  }
}

/** Stops the server of a product process that was killed; a server in use is left alone. */
export async function stopAbandonedServer(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) return;
  const directory = realpathSync(dataDir);
  const lock = lockDataDirectory(directory);
  try {
    await stopServer(join(homeOf(directory), 'data'));
  } finally {
    lock.release();
  }
}

/**
 * The cluster lives inside the data directory when the server's account can get there, else in a system directory
 * that a file in the data directory names.
 */
function placeCluster(dataDir: string, account: ServerAccount, logger: ClusterLogger): string {
  const named = readLocation(dataDir);
  if (named) return named;
  const inside = join(dataDir, 'postgres');
  makePrivateDirectory(inside, account);
  if (canReach(account, inside, 'write')) return inside;
  if (existsSync(join(inside, 'data')))
    throw new Error(`uid ${account?.uid}, which owns the database in ${inside}, can no longer enter it.`);
  rmdirSync(inside);
  return placeOutside(dataDir, account, logger);
}

function placeOutside(dataDir: string, account: ServerAccount, logger: ClusterLogger): string {
  const key = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  const place = join(SHARED_HOME, `data-${key}`);
  try {
    mkdirSync(SHARED_HOME, { recursive: true, mode: 0o755 });
    // The data directory that named it is gone, and its secret key with it: start afresh, throw nothing away.
    if (existsSync(place)) {
      renameSync(place, `${place}.${Date.now()}`);
      logger.warn(`The database of an earlier ${dataDir} was kept in ${place}.* and a new one begins.`);
    }
    makePrivateDirectory(place, account);
    makePrivateDirectory(join(place, 'postgres'), account);
  } catch (error) {
    throw new Error(
      `PostgreSQL cannot run as root, uid ${account?.uid} cannot enter ${dataDir}, and ${SHARED_HOME} cannot be written ` +
        `(${(error as Error).message}). Set DATA_DIR to a directory that every user can enter, or set DATABASE_URL.`,
    );
  }
  writeFileSync(locationFile(dataDir), `${join(place, 'postgres')}\n`);
  return join(place, 'postgres');
}

/** Where the cluster of a data directory lies once there is one. */
function homeOf(directory: string): string {
  return readLocation(directory) ?? join(directory, 'postgres');
}

function readLocation(dataDir: string): string | undefined {
  const file = locationFile(dataDir);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

function locationFile(dataDir: string): string {
  return join(dataDir, 'postgres-location');
}

function refuseForeignData(home: string, account: ServerAccount): void {
  const data = join(home, 'data');
  const uid = account?.uid ?? process.getuid?.();
  if (!existsSync(home)) return;
  const owner = statSync(existsSync(data) ? data : home).uid;
  if (owner !== uid)
    throw new Error(
      `The database in ${home} belongs to user ${owner}: start the product as the user (or root) who created it.`,
    );
}
