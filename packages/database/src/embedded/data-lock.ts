import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

type LockHolder = { pid: number; startedAt: string };

/** Thrown when another live process of the product works on the same data directory. */
export class DataDirectoryInUse extends Error {
  override name = 'DataDirectoryInUse';
  constructor(dataDir: string, pid: number) {
    super(
      `${dataDir} is in use by another running copy of the product (process ${pid}): stop that one first, or set DATA_DIR to another directory.`,
    );
  }
}

/**
 * Takes the data directory for this process until `release`. A lock left by a process that has ended is taken over.
 * @throws {DataDirectoryInUse} while the holder lives
 */
export function lockDataDirectory(dataDir: string): { release(): void } {
  mkdirSync(dataDir, { recursive: true });
  const path = lockPath(dataDir);
  const own: LockHolder = { pid: process.pid, startedAt: readStartTime(process.pid) ?? '' };
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, JSON.stringify(own));
  try {
    while (!tryLink(draft, path)) {
      const holder = readHolder(path);
      if (holder && isAlive(holder)) throw new DataDirectoryInUse(dataDir, holder.pid);
      setAsideStaleLock(path);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return {
    release() {
      if (readHolder(path)?.pid === process.pid) rmSync(path, { force: true });
    },
  };
}

/** Process id of the live holder of the data directory, if there is one. */
export function findDataDirectoryHolder(dataDir: string): number | undefined {
  const holder = readHolder(lockPath(dataDir));
  return holder && isAlive(holder) ? holder.pid : undefined;
}

function lockPath(dataDir: string): string {
  return join(dataDir, 'running.lock');
}

/** `link` fails when the name exists, and the file it publishes is already complete. */
function tryLink(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Moves the stale lock away; had somebody else replaced it in between, theirs goes back. */
function setAsideStaleLock(path: string): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const holder = readHolder(aside);
  if (holder && isAlive(holder)) tryLink(aside, path);
  rmSync(aside, { force: true });
}

function readHolder(path: string): LockHolder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function isAlive({ pid, startedAt }: LockHolder): boolean {
  return readStartTime(pid) === startedAt;
}

/** A process id alone may be somebody else's by now; together with the time it started it is not. */
function readStartTime(pid: number): string | undefined {
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
    return stdout?.trim() || undefined;
  }
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z') return undefined;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${fields[19]}`;
  } catch {
    return undefined;
  }
}
