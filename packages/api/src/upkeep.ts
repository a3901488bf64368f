import { forgetFailedRows, settleLostImports } from './contact-imports/lost-imports.ts';
import { purgeKeptContacts } from './contact-removals/purge-kept-contacts.ts';
import { resumeRemovals } from './contact-removals/run-removals.ts';
import { takeOutRemovedValues } from './custom-fields/take-out-values.ts';
import { keepFactDays } from './platform/facts/fact-days.ts';
import { pruneActs } from './platform/idempotency.ts';
import { every } from './platform/jobs/define-job.ts';
import { pruneJobs } from './platform/jobs/failed-jobs.ts';
import { pruneLiveEvents } from './platform/live-events.ts';

/** Goes on with deletions and ends imports whose process died, and forgets what cannot be taken back any more. */
export const contactUpkeep = every(30, {
  name: 'contact-upkeep',
  // It may go on with the deletion of a whole audience.
  timeoutSeconds: 3_600,
  run: (parts) =>
    doAll(
      [settleLostImports, forgetFailedRows, resumeRemovals, purgeKeptContacts].map(
        (work) => () => work(parts),
      ),
    ),
});

/** Forgets what nobody needs any more, and makes the days to come. */
export const pruning = every(10 * 60, {
  name: 'pruning',
  timeoutSeconds: 1_800,
  run: (parts) =>
    doAll([
      ...[pruneLiveEvents, keepFactDays, pruneActs, pruneJobs].map((work) => () => work(parts.db)),
      () => takeOutRemovedValues(parts),
    ]),
});

/** One that cannot be done leaves the others alone. */
async function doAll(works: readonly (() => Promise<unknown>)[]): Promise<void> {
  let trouble: unknown;
  for (const work of works) await work().catch((error: unknown) => (trouble ??= error));
  if (trouble !== undefined) throw trouble;
}
