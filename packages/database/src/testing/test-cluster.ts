import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  chmodSync,
} from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { findPostmaster, isRunning } from '../embedded/postmaster-file.ts';
import { findEmbeddedBinaries } from '../embedded/postgres-binaries.ts';
import { startCluster } from '../embedded/postgres-cluster.ts';
import { chooseServerAccount } from '../embedded/server-account.ts';
import { findQuickPlace, quickPlaces } from './quick-place.ts';

export type TestCluster = {
  /** Superuser address of the `postgres` database. */
  url: string;
  description: string;
  stop(): Promise<void>;
};

const PREFIX = 'messaging-test-pg-';
/** Nothing in here needs to survive a power cut, many test files connect at once, and nobody else works on their rows. */
const SETTINGS = {
  ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  ...{ wal_level: 'minimal', max_wal_senders: '0', max_wal_size: '256MB', autovacuum: 'off' },
  // Several run at once.
  ...{ max_connections: '300', shared_buffers: '128MB' },
};

/** Starts a throw-away cluster, on the embedded server or on the newest installed one. */
export async function startTestCluster(kind: 'embedded' | 'system'): Promise<TestCluster> {
  await removeAbandonedClusters();
  const account = chooseServerAccount();
  const installed = kind === 'system' ? findInstalledServer() : undefined;
  if (kind === 'system' && !installed)
    throw new Error('No PostgreSQL installation of version 15 or newer was found.');
  const home = mkdtempSync(join(findQuickPlace(), PREFIX));
  chmodSync(home, 0o755);
  writeFileSync(join(home, 'owner'), String(process.pid));
  try {
    const cluster = await startCluster({
      binaries: installed?.binaries ?? findEmbeddedBinaries(account),
      home: join(home, 'cluster'),
      account,
      logger: { info() {}, warn() {}, error: (message) => console.error(message) },
      settings: SETTINGS,
    });
    return {
      url: cluster.url('postgres'),
      description: installed ? `PostgreSQL ${installed.version}` : 'embedded PostgreSQL',
      async stop() {
        await cluster.stop();
        rmSync(home, { recursive: true, force: true, maxRetries: 3 });
      },
    };
  } catch (error) {
    rmSync(home, { recursive: true, force: true });
    throw error;
  }
}

/** The newest PostgreSQL (15 or newer) installed on this machine. */
export function findInstalledServer(): { binaries: string; version: number } | undefined {
  const debian = '/usr/lib/postgresql';
  const packaged = existsSync(debian) ? readdirSync(debian).map((name) => join(debian, name, 'bin')) : [];
  const onPath = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return [...packaged, ...onPath]
    .filter((binaries) => existsSync(join(binaries, 'postgres')) && existsSync(join(binaries, 'initdb')))
    .map((binaries) => ({ binaries, version: readVersion(binaries) }))
    .filter(({ version }) => version >= 15)
    .toSorted((one, other) => other.version - one.version)[0];
}

function readVersion(binaries: string): number {
  const { stdout } = spawnSync(join(binaries, 'postgres'), ['--version'], { encoding: 'utf8' });
  return Number(/(\d+)/.exec(stdout ?? '')?.[1]);
}

function listClusters(place: string): string[] {
  if (!existsSync(place)) return [];
  return readdirSync(place)
    .filter((entry) => entry.startsWith(PREFIX))
    .map((entry) => join(place, entry));
}

/** A killed test run cannot clean up after itself; the next one does. */
async function removeAbandonedClusters(): Promise<void> {
  for (const home of quickPlaces.flatMap(listClusters)) {
    try {
      if (isInUse(home)) continue;
      const server = findPostmaster(join(home, 'cluster', 'data'));
      if (server) process.kill(server.pid, 'SIGQUIT');
      while (server && isRunning(server.pid)) await sleep(20);
      rmSync(home, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // Another user's, or being created or removed at this moment.
    }
  }
}

/** Without the file that names its owner a folder is half removed, unless it has only just been made. */
function isInUse(home: string): boolean {
  const owner = join(home, 'owner');
  if (existsSync(owner)) return isRunning(Number(readFileSync(owner, 'utf8')));
  return Date.now() - statSync(home).mtimeMs < 60_000;
}
