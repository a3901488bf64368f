import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { DataDirectoryInUse, findDataDirectoryHolder } from '../src/embedded/data-lock.ts';
import { startEmbeddedPostgres, stopAbandonedServer } from '../src/embedded/embedded-postgres.ts';
import { findPostmaster, isRunning } from '../src/embedded/postmaster-file.ts';
import { findQuickPlace } from '../src/testing/quick-place.ts';

const quiet = { info() {}, warn() {}, error() {} };
const OTHER_PROCESS = new URL('./run-embedded-postgres.ts', import.meta.url).pathname;

/** A data directory after a first start, which all others are copies of: to make a cluster takes a second. */
let prepared: string;
let dataDir: string;
let otherProcess: ChildProcess | undefined;
beforeAll(async () => {
  prepared = makeFolder();
  const cluster = await startEmbeddedPostgres({ dataDir: prepared, logger: quiet });
  await cluster.stop();
});
beforeEach(() => {
  dataDir = makeFolder();
  copyPrepared(dataDir);
});
afterEach(async () => {
  otherProcess?.kill('SIGKILL');
  await stopAbandonedServer(dataDir).catch(() => {});
  rmSync(dataDir, { recursive: true, force: true });
});
afterAll(() => rmSync(prepared, { recursive: true, force: true }));

function makeFolder(): string {
  const folder = mkdtempSync(join(findQuickPlace(), 'embedded-test-'));
  // As root the server runs under an account of its own, which must get in.
  chmodSync(folder, 0o755);
  return folder;
}

/** With its owners, whom Node.js does not copy. */
function copyPrepared(to: string): void {
  const { status } = spawnSync('cp', ['-a', join(prepared, 'postgres'), to]);
  if (status !== 0) throw new Error('The prepared data directory cannot be copied.');
}

test('data outlives a stop, and no server does', async () => {
  const first = await startEmbeddedPostgres({ dataDir, logger: quiet });
  await query(first.url('postgres'), 'CREATE TABLE kept AS SELECT 42 AS value');
  const server = postmasterPid();
  await first.stop();
  expect(isRunning(server)).toBe(false);
  expect(findDataDirectoryHolder(dataDir)).toBeUndefined();

  const second = await startEmbeddedPostgres({ dataDir, logger: quiet });
  expect(second.reused).toBe(false);
  expect(await query(second.url('postgres'), 'SELECT value FROM kept')).toEqual([{ value: 42 }]);
  await second.stop();
});

test('a second copy of the product is refused and leaves the first alone', async () => {
  const first = await startEmbeddedPostgres({ dataDir, logger: quiet });
  await expect(startEmbeddedPostgres({ dataDir, logger: quiet })).rejects.toThrow(DataDirectoryInUse);
  expect(await query(first.url('postgres'), 'SELECT 1 AS value')).toEqual([{ value: 1 }]);
  expect(findDataDirectoryHolder(dataDir)).toBe(process.pid);
  await first.stop();
});

test('the server of a killed process is taken over with what it had committed', async () => {
  const other = await runElsewhere();
  await query(other.url, 'CREATE TABLE kept AS SELECT 42 AS value');
  const server = postmasterPid();
  await other.kill();
  expect(isRunning(server)).toBe(true);

  const mine = await startEmbeddedPostgres({ dataDir, logger: quiet });
  expect(mine.reused).toBe(true);
  expect(await query(mine.url('postgres'), 'SELECT value FROM kept')).toEqual([{ value: 42 }]);
  await mine.stop();
  expect(isRunning(server)).toBe(false);
});

test('a server that crashes is started again at the same address', async () => {
  const cluster = await startEmbeddedPostgres({ dataDir, logger: quiet });
  const url = cluster.url('postgres');
  await query(url, 'CREATE TABLE kept AS SELECT 42 AS value');
  const crashed = postmasterPid();
  process.kill(crashed, 'SIGKILL');
  await expect.poll(() => query(url, 'SELECT value FROM kept').catch(() => 'down')).toEqual([{ value: 42 }]);
  expect(postmasterPid()).not.toBe(crashed);
  await cluster.stop();
});

test('the log of the server repeats no value of a failed query', async () => {
  const cluster = await startEmbeddedPostgres({ dataDir, logger: quiet });
  await query(cluster.url('postgres'), 'CREATE TABLE kept (phone text UNIQUE)');
  for (const text of [`SELECT 'canary'::uuid`, `INSERT INTO kept VALUES ('canary'), ('canary')`])
    await expect(query(cluster.url('postgres'), text)).rejects.toBeInstanceOf(pg.DatabaseError);
  await cluster.stop();
  const log = readFileSync(join(dataDir, 'postgres', 'server.log'), 'utf8');
  expect(log).toContain('database system is ready');
  expect(log).not.toContain('canary');
});

test('a process id that now belongs to another program does not keep the server from starting', async () => {
  const first = await startEmbeddedPostgres({ dataDir, logger: quiet });
  await first.stop();
  const data = join(dataDir, 'postgres', 'data');
  writeFileSync(
    join(data, 'postmaster.pid'),
    `${process.pid}\n${data}\n1700000000\n5432\n/nowhere\n\n  0  0\nready   \n`,
  );
  const second = await startEmbeddedPostgres({ dataDir, logger: quiet });
  expect(await query(second.url('postgres'), 'SELECT 1 AS value')).toEqual([{ value: 1 }]);
  await second.stop();
});

test('a deep data directory still gets a socket', async () => {
  const deep = join(dataDir, 'a'.repeat(60), 'b'.repeat(60));
  mkdirSync(deep, { recursive: true });
  copyPrepared(deep);
  const cluster = await startEmbeddedPostgres({ dataDir: deep, logger: quiet });
  expect(await query(cluster.url('postgres'), 'SELECT 1 AS value')).toEqual([{ value: 1 }]);
  await cluster.stop();
});

test('it keeps what it commits, sums its pages and sorts text by code point', async () => {
  const cluster = await startEmbeddedPostgres({ dataDir, logger: quiet });
  const settings = await query(
    cluster.url('postgres'),
    `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
            current_setting('data_checksums') AS checksums, current_setting('listen_addresses') AS addresses,
            datlocale AS locale FROM pg_database WHERE datname = 'postgres'`,
  );
  expect(settings).toEqual([
    { fsync: 'on', commit: 'on', checksums: 'on', addresses: '', locale: 'C.UTF-8' },
  ]);
  await cluster.stop();
  expect(existsSync(join(dataDir, 'running.lock'))).toBe(false);
});

function postmasterPid(): number {
  const postmaster = findPostmaster(join(dataDir, 'postgres', 'data'));
  if (!postmaster) throw new Error('no server runs');
  return postmaster.pid;
}

async function runElsewhere(): Promise<{ url: string; kill(): Promise<void> }> {
  const child = spawn(process.execPath, [OTHER_PROCESS, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  otherProcess = child;
  const [url] = await once(createInterface(child.stdout), 'line');
  return {
    url,
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

async function query(connectionString: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
