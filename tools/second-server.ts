import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './child-process.ts';

/** They prove what the database itself keeps, with any statement: row-level guards, migrations, claims, races, the queue of jobs. */
const PLACES =
  /^packages\/database\/(?!test\/(embedded-postgres|backup|moved-))|^packages\/delivery\/test\/(send-queue|lost-claim)|jobs\/run-jobs|race/;
/** What stands on that, in `npm run faults -- second-server`: everything that sends, backups, and what migrations move. */
const PLACES_OF_ALL = /^packages\/(delivery\/|database\/test\/(backup\/|moved-))|last-admin|fact-consumers/;
/** There too: proofs of a plan, partitions, snapshots, and tests that hold an act by a lock. */
const PROOFS_OF_ALL =
  /EXPLAIN|pg_locks|pg_blocking_pids|pg_advisory|\bpartition|snapshot|pg_stat_activity|pg_class|LOCK TABLE|FOR (NO KEY )?UPDATE/;
/**
 * They take a lock to hold a process where it is killed, or ask what is wrong with a file: how work is found again is proven by the
 * queue's own tests, and how rows leave a database and come back by the round trip of a backup.
 */
const OF_ELSE = /killed-processes|backup\/bad-files/;
/** The whole set alone: copies of one workspace, which are read and written as a backup is. */
const OF_ROUND_TRIP = /data-management\//;

/**
 * Whether this test promises what a version may keep differently; it then runs on both. Of all others the second server meets the
 * statements (`compare-servers.ts`).
 */
function isKeptByTheDatabase(file: string, isWhole: boolean): boolean {
  if (OF_ELSE.test(file) || (!isWhole && OF_ROUND_TRIP.test(file))) return false;
  if (PLACES.test(file)) return true;
  return isWhole && (PLACES_OF_ALL.test(file) || PROOFS_OF_ALL.test(readFileSync(join(root, file), 'utf8')));
}

/** The files of the database tests that run on both servers, as paths from the root; the whole set is for `npm run faults`. */
export function listFilesOfBoth(isWhole = false): string[] {
  return globSync('packages/{database,delivery,api}/{src,test}/**/*.test.ts', { cwd: root }).filter((file) =>
    isKeptByTheDatabase(file, isWhole),
  );
}
