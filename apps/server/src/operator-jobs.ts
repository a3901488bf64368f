import { listFailedJobsInAllWorkspaces, restartFailedJobs } from '@app/api/platform/jobs/failed-jobs';
import { refuse } from '@app/api/platform/rim/refuse';
import type { Database } from '@app/database/database';
import type { Context, Hono } from 'hono';

type Parts = { db: Database; isOperator: (c: Context) => boolean };

/** What failed for good in the background, beside the figures: `GET /metrics/jobs`, and `POST` there to have all of it run again. */
export function mountFailedJobs(app: Hono, { db, isOperator }: Parts): void {
  app.get('/metrics/jobs', async (c) => {
    if (!isOperator(c)) return refuse('address_unknown');
    return c.json({ failed: await listFailedJobsInAllWorkspaces(db) });
  });
  app.post('/metrics/jobs', async (c) => {
    if (!isOperator(c)) return refuse('address_unknown');
    return c.json({ restarted: await restartFailedJobs(db) });
  });
}
