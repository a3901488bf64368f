import { openDatabase, type Database } from '@app/database/database';
import type { RunnableJobKind } from '../../src/platform/jobs/define-job.ts';
import { openJobs, type JobQueue } from '../../src/platform/jobs/open-jobs.ts';
import type { WorkTimes } from '../../src/platform/jobs/work-jobs.ts';
import type { Logger } from '../../src/platform/logger.ts';
import type { ApiFixture } from '../api-fixture.ts';

/** What every kind of these tests has, unless it says otherwise. */
export const rules = {
  repeat: 'once',
  attempts: 1,
  pauseSeconds: 1,
  longestPauseSeconds: 1,
  timeoutSeconds: 30,
  atOnce: 1,
} as const;

export type QueueFixture = JobQueue & {
  db: Database;
  logged: { fields: object; message: string }[];
  stop(): Promise<void>;
};

/** One process of the product, as far as the background goes: a queue that works, on connections of its own. */
export async function openQueue(
  api: ApiFixture,
  kinds: readonly RunnableJobKind[],
  times: Partial<WorkTimes> = {},
): Promise<QueueFixture> {
  const db = await openDatabase({ url: api.databaseUrl, poolSize: 6 });
  const logged: QueueFixture['logged'] = [];
  const keep = (fields: object, message: string) => void logged.push({ fields, message });
  const logger: Logger = { info: keep, warn: keep, error: keep };
  const jobs = openJobs({ db, logger, kinds, isWorking: true, times: { pollSeconds: 0.5, ...times } });
  const working = jobs.work({ ...api.parts, db, logger, jobs });
  return {
    ...jobs,
    ...{ db, logged },
    async stop() {
      await working.stop();
      await jobs.close();
      await db.close();
    },
  };
}
