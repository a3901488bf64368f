import type { Database } from '@app/database/database';

export type FailedJob = {
  id: string;
  job: string;
  workspaceId: string | null;
  attempts: number;
  failedAt: string;
  code: string;
};
export type JobFigures = { job: string; waiting: number; failed: number };

const MOST_LISTED = 200;

/** What waits and what failed for good, by kind. */
export async function countJobsInAllWorkspaces({
  systemPool,
}: Pick<Database, 'systemPool'>): Promise<JobFigures[]> {
  const { rows } = await systemPool.query<JobFigures>(
    `SELECT q.name AS job, count(*) FILTER (WHERE j.state IN ('created', 'retry'))::int AS waiting,
            count(*) FILTER (WHERE j.state = 'failed')::int AS failed
       FROM jobs.queue q LEFT JOIN jobs.job j ON j.name = q.name AND j.state IN ('created', 'retry', 'failed')
      GROUP BY q.name ORDER BY q.name`,
  );
  return rows;
}

/** The newest first, without what they carry. */
export async function listFailedJobsInAllWorkspaces({
  systemPool,
}: Pick<Database, 'systemPool'>): Promise<FailedJob[]> {
  const { rows } = await systemPool.query<Omit<FailedJob, 'failedAt'> & { failedAt: Date }>(
    `SELECT id, name AS job, group_id AS "workspaceId", retry_count + 1 AS attempts, completed_on AS "failedAt",
            coalesce(output->>'code', 'process_lost') AS code
       FROM jobs.job WHERE state = 'failed' ORDER BY completed_on DESC LIMIT ${MOST_LISTED}`,
  );
  return rows.map((row) => ({ ...row, failedAt: row.failedAt.toISOString() }));
}

/** Has the failed jobs run again, each with all its attempts; says how many they were. */
export async function restartFailedJobs({ systemPool }: Pick<Database, 'systemPool'>): Promise<number> {
  // The count of attempts goes on, because by it the queue tells the end of an earlier one from that of a later one.
  const { rowCount } = await systemPool.query(
    `UPDATE jobs.job j
        SET state = 'retry', retry_limit = j.retry_count + 1 + q.retry_limit, start_after = now(), completed_on = NULL,
            keep_until = now() + q.retention_seconds * interval '1 second'
       FROM jobs.queue q WHERE q.name = j.name AND j.state = 'failed'`,
  );
  return rowCount ?? 0;
}

/**
 * Forgets jobs that are done: those that a key keeps from a second time after a day, others after an hour. How long failed ones and
 * those that nobody ran stay is a rule of their queue: a month, or as long as they are of use. Run it now and then.
 */
export async function pruneJobs({ systemPool }: Pick<Database, 'systemPool'>): Promise<void> {
  await systemPool.query(
    `DELETE FROM jobs.job WHERE state = 'completed'
        AND completed_on < now() - CASE policy WHEN 'standard' THEN interval '1 day' ELSE interval '1 hour' END`,
  );
  await systemPool.query(
    `DELETE FROM jobs.job j USING jobs.queue q WHERE q.name = j.name
        AND (j.state = 'failed' AND j.completed_on < now() - q.deletion_seconds * interval '1 second'
          OR j.state IN ('created', 'retry') AND j.keep_until < now())`,
  );
}
