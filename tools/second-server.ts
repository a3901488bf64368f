import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './child-process.ts';

/** They prove what the database itself keeps, by whatever statements: row-level guards, claims, locks, the embedded server beside. */
const PLACES = /^packages\/(delivery|database)\/(?!test\/embedded-postgres)|race|last-admin/;
/** What a test asks the server for to prove a lock, a plan, a partition or a snapshot. */
const PROOFS =
  /EXPLAIN|pg_locks|pg_blocking_pids|pg_stat_activity|pg_advisory|pg_class|LOCK TABLE|FOR (NO KEY )?UPDATE|\bpartition|snapshot/;
/**
 * They take a lock to hold a process where it is killed, or ask what is wrong with a file: how work is found again is proven by the
 * queue's own tests, and how rows leave a database and come back by the round trip of a backup.
 */
const OF_ELSE = /killed-processes|backup\/bad-files/;

/**
 * Whether this test promises what a version may keep differently; it then runs on both. Of all others the second server meets the
 * statements (`compare-servers.ts`).
 */
export function isKeptByTheDatabase(file: string): boolean {
  if (OF_ELSE.test(file)) return false;
  return PLACES.test(file) || PROOFS.test(readFileSync(join(root, file), 'utf8'));
}

/** The files of the database tests that run on both servers, as paths from the root. */
export function listFilesOfBoth(): string[] {
  return globSync('packages/{database,delivery,api}/{src,test}/**/*.test.ts', { cwd: root }).filter(
    isKeptByTheDatabase,
  );
}
