import { existsSync, readFileSync, readlinkSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { spawnSync } from 'node:child_process';

/** What PostgreSQL writes into its data directory while it runs. */
export type Postmaster = {
  pid: number;
  socketDirectory: string;
  status: 'starting' | 'ready' | 'stopping' | 'standby' | '';
};

const NO_PROCESS = '2147483646';

/** The server that runs on this data directory right now, if there is one. */
export function findPostmaster(dataDirectory: string): Postmaster | undefined {
  const lines = readLines(dataDirectory);
  const pid = Number(lines?.[0]);
  if (!lines || !Number.isInteger(pid) || pid <= 0 || !isPostgres(pid, dataDirectory)) return undefined;
  return {
    pid,
    socketDirectory: lines[4] ?? '',
    status: (lines[7]?.trim() ?? '') as Postmaster['status'],
  };
}

/**
 * PostgreSQL will not start while the recorded process id is alive, and in containers that id is often another
 * program's by then. Naming no process keeps its own check of the shared memory in force.
 */
export function disownStalePostmaster(dataDirectory: string): void {
  const lines = readLines(dataDirectory);
  if (!lines || !isRunning(Number(lines[0]))) return;
  writeFileSync(postmasterPath(dataDirectory), [NO_PROCESS, ...lines.slice(1)].join('\n'));
}

/** Tells whether a process with this id exists, whoever owns it. */
export function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isZombie(pid: number): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return status[status.lastIndexOf(')') + 2] === 'Z';
  } catch {
    return false;
  }
}

function isPostgres(pid: number, dataDirectory: string): boolean {
  if (!isRunning(pid)) return false;
  if (process.platform === 'linux') {
    try {
      // The server's working directory is its data directory; unlike the command line it cannot be rewritten.
      return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(dataDirectory);
    } catch {
      return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres';
    }
  }
  const { stdout } = spawnSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' });
  return basename(stdout?.trim() ?? '') === 'postgres';
}

function readLines(dataDirectory: string): string[] | undefined {
  const path = postmasterPath(dataDirectory);
  try {
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n') : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function postmasterPath(dataDirectory: string): string {
  return join(dataDirectory, 'postmaster.pid');
}
