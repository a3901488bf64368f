import { backfillRollups } from '@app/database/analytics/backfill-rollups';
import { every } from '../platform/jobs/define-job.ts';

/** What was stored before there were rollups is counted behind the start, and again where an archive of an older version comes in. */
export const rollupBackfill = every(300, {
  name: 'rollup-backfill',
  timeoutSeconds: 3_600,
  afterStartSeconds: 5,
  run: ({ db }, signal) => backfillRollups(db.systemPool, { signal }),
});
