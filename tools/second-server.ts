import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './child-process.ts';

/**
 * Which database tests do not run a second time, on another version of PostgreSQL, for one reason: every SQL statement that
 * the product sends in them is sent in a file that does. So measured by `npm run statements`; what is not named runs on both.
 */
export const onOneServer: string[] = [
  'packages/api/src/auth/work-queue.test.ts',
  'packages/api/src/contact-imports/import-rows.test.ts',
  'packages/api/src/platform/features/gather-features.test.ts',
  'packages/api/src/platform/person-data/gather-person-data.test.ts',
  'packages/api/src/platform/rim/known-hosts.test.ts',
  'packages/api/src/platform/stored-credentials.test.ts',
  'packages/api/test/access/access-matrix.test.ts',
  'packages/api/test/access/foreign-ids.test.ts',
  'packages/api/test/access/key-access.test.ts',
  'packages/api/test/auth/auth-input.test.ts',
  'packages/api/test/auth/sign-in-guesses.test.ts',
  'packages/api/test/campaigns/campaign-facts.test.ts',
  'packages/api/test/contacts/contact-data.test.ts',
  'packages/api/test/contacts/contact-imports.test.ts',
  'packages/api/test/contacts/custom-fields-files.test.ts',
  'packages/api/test/contacts/phone-number.test.ts',
  'packages/api/test/conversations/conversation-storing.test.ts',
  'packages/api/test/dashboard.test.ts',
  'packages/api/test/facts/erase-facts.test.ts',
  'packages/api/test/facts/inbound-facts.test.ts',
  'packages/api/test/facts/user-facts.test.ts',
  'packages/api/test/inbound/inbound-clocks.test.ts',
  'packages/api/test/inbound/inbound-consent.test.ts',
  'packages/api/test/landing.test.ts',
  'packages/api/test/profile.test.ts',
  'packages/api/test/rim/large-bodies.test.ts',
  'packages/api/test/rim/refusals.test.ts',
  'packages/api/test/rim/route-access.test.ts',
  'packages/api/test/rim/slow-webhooks.test.ts',
  'packages/api/test/users/role-permissions.test.ts',
  'packages/api/test/users/users.test.ts',
  'packages/api/test/webhooks/event-writer.test.ts',
  'packages/api/test/webhooks/set-aside.test.ts',
];

/** These send statements that no other does, and stay out for reasons of their own. */
export const ofTheirOwn: Record<string, string> = {
  'packages/api/test/rim/route-input.test.ts':
    'draws its input: other combinations of filters in each run, whose parts others send one by one',
  'packages/database/test/embedded-postgres.test.ts':
    'starts the embedded server itself, whichever else is given',
};

/** They prove what the database itself keeps, by whatever statements: row-level guards, claims, locks, the embedded server beside. */
const PLACES =
  /^packages\/(delivery|database)\/(?!test\/embedded-postgres)|race|isolation|acts-once|last-admin/;
/** What a test asks the server for to prove a lock, a plan, a partition or a snapshot. */
const PROOFS =
  /EXPLAIN|pg_locks|pg_blocking_pids|pg_stat_activity|pg_advisory|pg_class|LOCK TABLE|FOR (NO KEY )?UPDATE|partition|snapshot/;

/** Whether this test promises what a version may keep differently; it then runs on both, whoever sends its statements. */
export function isKeptByTheDatabase(file: string): boolean {
  return PLACES.test(file) || PROOFS.test(readFileSync(join(root, file), 'utf8'));
}
