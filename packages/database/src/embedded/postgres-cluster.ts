import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  chownSync,
  closeSync,
  existsSync,
  fchownSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { disownStalePostmaster, findPostmaster, isRunning } from './postmaster-file.ts';
import { memoryOfMachine, sharedBuffersOf } from './shared-buffers.ts';
import { makePrivateDirectory, type ServerAccount } from './server-account.ts';

export type ClusterLogger = {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
};

export type ClusterOptions = {
  /** Directory of `postgres` and `initdb`. */
  binaries: string;
  /** Directory of the cluster: `data`, the server's log and, where its path is short enough, the socket. */
  home: string;
  account: ServerAccount;
  settings?: Record<string, string>;
  logger: ClusterLogger;
};

export type Cluster = {
  /** Superuser address of one database of the cluster; reached through a socket that only we and it may use. */
  url(database: string): string;
  /** Fast shutdown: open transactions roll back, everything committed is on disk. */
  stop(): Promise<void>;
  /** A server that an earlier process left running was taken over. */
  reused: boolean;
};

const READY_WITHIN_MS = 120_000;
const STOPPED_WITHIN_MS = 30_000;
const RESTARTS_PER_MINUTE = 5;
/** A socket address holds 107 bytes on Linux and 103 on macOS. */
const LONGEST_SOCKET_DIRECTORY = 103 - '/.s.PGSQL.5432'.length;

/** Creates the cluster on first use, starts its server or takes over the one that runs, and keeps it running. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { home, account, logger } = options;
  const data = join(home, 'data');
  makePrivateDirectory(home, account);
  if (!existsSync(data)) createCluster(options, data);

  await waitWhileStopping(data);
  const found = findPostmaster(data);
  const socketDirectory = found?.socketDirectory || placeSocket(home, account);
  const server = found ? undefined : launchServer(options, data, socketDirectory);
  const pid = await waitUntilReady(options, data, server);
  if (found) logger.info('Took over the database server that was still running.');
  const supervision = supervise(options, data, socketDirectory, pid, server);
  return {
    url: (database) => socketUrl(socketDirectory, database),
    async stop() {
      supervision.end();
      await stopServer(data);
      if (!socketDirectory.startsWith(home)) rmSync(socketDirectory, { recursive: true, force: true });
    },
    reused: found !== undefined,
  };
}

/** Superuser address of a database behind a socket. */
export function socketUrl(socketDirectory: string, database: string): string {
  return `postgres://postgres@localhost/${encodeURIComponent(database)}?host=${encodeURIComponent(socketDirectory)}`;
}

function createCluster({ binaries, account, logger }: ClusterOptions, data: string): void {
  logger.info('Creating the database cluster.');
  // Built aside and renamed: an interrupted first start leaves nothing that looks like a database.
  const draft = `${data}.new`;
  rmSync(draft, { recursive: true, force: true });
  const { status, stderr, error } = spawnSync(
    join(binaries, 'initdb'),
    [
      '-D',
      draft,
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--no-instructions',
      ...localeOptions(binaries),
    ],
    { ...account, cwd: '/', env: serverEnvironment(), encoding: 'utf8' },
  );
  if (status !== 0) {
    rmSync(draft, { recursive: true, force: true });
    throw new Error(`The database cluster could not be created: ${(error?.message ?? stderr).trim()}`);
  }
  renameSync(draft, data);
}

/** Servers before 17 have no built-in locale provider; theirs comes from the C library. */
function localeOptions(binaries: string): string[] {
  const { stdout } = spawnSync(join(binaries, 'postgres'), ['--version'], { encoding: 'utf8', cwd: '/' });
  const major = Number(/(\d+)/.exec(stdout ?? '')?.[1]);
  return major >= 17
    ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--data-checksums']
    : ['--locale=C.UTF-8', '--data-checksums'];
}

function placeSocket(home: string, account: ServerAccount): string {
  const inside = join(home, 'socket');
  if (Buffer.byteLength(inside) <= LONGEST_SOCKET_DIRECTORY) {
    makePrivateDirectory(inside, account);
    return inside;
  }
  const outside = mkdtempSync(join(tmpdir(), 'messaging-socket-'));
  if (account) chownSync(outside, account.uid, account.gid);
  return outside;
}

function launchServer(
  { binaries, home, account, settings }: ClusterOptions,
  data: string,
  socketDirectory: string,
): ChildProcess {
  disownStalePostmaster(data);
  const log = openLog(logPath(home), account);
  const given = {
    listen_addresses: '',
    unix_socket_directories: socketDirectory,
    // Failed queries are logged by who asked, without their values; the server would repeat them.
    log_min_messages: 'log',
    shared_buffers: `${sharedBuffersOf(memoryOfMachine())}MB`,
    ...settings,
  };
  const server = spawn(
    join(binaries, 'postgres'),
    [
      '-D',
      data,
      '-p',
      '5432',
      ...Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    {
      ...account,
      cwd: '/',
      env: serverEnvironment(),
      stdio: ['ignore', log, log],
      // Its own session: Ctrl+C in the terminal must reach us, not the server we still write to.
      detached: true,
    },
  );
  server.on('error', () => {});
  server.unref();
  closeSync(log);
  return server;
}

async function waitUntilReady(
  { home }: ClusterOptions,
  data: string,
  server?: ChildProcess,
): Promise<number> {
  let launchError: Error | undefined;
  server?.once('error', (error) => (launchError = error));
  const deadline = Date.now() + READY_WITHIN_MS;
  while (Date.now() < deadline) {
    if (launchError) throw new Error(`The database server could not be started: ${launchError.message}`);
    const ended = server && (server.exitCode !== null || server.signalCode !== null);
    const postmaster = findPostmaster(data);
    if (postmaster?.status === 'ready' && (!server || postmaster.pid === server.pid)) return postmaster.pid;
    if (ended || (!server && !postmaster))
      throw new Error(`The database server did not start. Its last words: ${readLastWords(home)}`);
    await sleep(10);
  }
  throw new Error(
    `The database server was not ready within ${READY_WITHIN_MS / 1000} s: ${readLastWords(home)}`,
  );
}

/** Starts the server again when it ends unasked, until `end`. */
function supervise(
  options: ClusterOptions,
  data: string,
  socketDirectory: string,
  firstPid: number,
  firstServer?: ChildProcess,
) {
  let pid = firstPid;
  let server = firstServer;
  let busy = false;
  let restarts: number[] = [];
  const timer = setInterval(async () => {
    const alive = server ? server.exitCode === null && server.signalCode === null : isRunning(pid);
    if (busy || alive) return;
    busy = true;
    try {
      restarts = restarts.filter((time) => Date.now() - time < 60_000);
      if (restarts.length >= RESTARTS_PER_MINUTE) return;
      restarts.push(Date.now());
      options.logger.error(`The database server ended unexpectedly: ${readLastWords(options.home)}`);
      server = launchServer(options, data, socketDirectory);
      pid = await waitUntilReady(options, data, server);
      options.logger.warn('The database server runs again.');
    } catch (error) {
      options.logger.error((error as Error).message);
    } finally {
      busy = false;
    }
  }, 250);
  timer.unref();
  return {
    end() {
      clearInterval(timer);
    },
  };
}

/** Stops whichever server runs on the data directory. */
export async function stopServer(data: string): Promise<void> {
  const pid = findPostmaster(data)?.pid;
  if (pid === undefined) return;
  process.kill(pid, 'SIGINT');
  const deadline = Date.now() + STOPPED_WITHIN_MS;
  while (isRunning(pid)) {
    if (Date.now() > deadline) {
      process.kill(pid, 'SIGQUIT');
      return;
    }
    await sleep(10);
  }
}

async function waitWhileStopping(data: string): Promise<void> {
  const deadline = Date.now() + STOPPED_WITHIN_MS;
  while (findPostmaster(data)?.status === 'stopping' && Date.now() < deadline) await sleep(20);
}

function logPath(home: string): string {
  return join(home, 'server.log');
}

function openLog(path: string, account: ServerAccount): number {
  const tooLong = existsSync(path) && statSync(path).size > 10_000_000;
  const log = openSync(path, tooLong ? 'w' : 'a', 0o600);
  if (account) fchownSync(log, account.uid, account.gid);
  return log;
}

function readLastWords(home: string): string {
  if (!existsSync(logPath(home))) return 'none';
  return readFileSync(logPath(home), 'utf8').trim().split('\n').slice(-4).join(' · ');
}

/** Nothing of our own environment reaches the server: no PG… variable, no secret. */
function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}
