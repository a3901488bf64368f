import { listFailedJobsInAllWorkspaces, restartFailedJobs } from '@app/api/platform/jobs/failed-jobs';
import { isCrossSite } from '@app/api/platform/http-edge/cross-site';
import { refuse } from '@app/api/platform/http-edge/refuse';
import type { Database } from '@app/database/database';
import type { Context, Hono } from 'hono';

type Parts = { db: Database; publicUrl: string; isOperator: (c: Context) => boolean };

/** What failed for good in the background, beside the figures: `GET /metrics/jobs`, and `POST` there to have all of it run again. */
export function mountFailedJobs(app: Hono, { db, publicUrl, isOperator }: Parts): void {
  app.get('/metrics/jobs', async (c) => {
    if (!isOperator(c)) return refuse('address_unknown');
    return c.json({ failed: await listFailedJobsInAllWorkspaces(db) });
  });
  app.post('/metrics/jobs', async (c) => {
    if (!isOperator(c)) return refuse('address_unknown');
    // Without a token whoever sits at this machine is the operator, and so would be the pages that they visit.
    if (isCrossSite(c.req.raw, publicUrl)) return refuse('cross_site_request');
    return c.json({ restarted: await restartFailedJobs(db) });
  });
}
