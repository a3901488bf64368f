import { listDeadLettersInAllWorkspaces } from '@app/api/platform/facts/dead-letter-facts';
import { isCrossSite } from '@app/api/platform/http-edge/cross-site';
import { refuse } from '@app/api/platform/http-edge/refuse';
import { listFailedJobsInAllWorkspaces, restartFailedJobs } from '@app/api/platform/jobs/failed-jobs';
import type { Database } from '@app/database/database';
import type { Context, Hono } from 'hono';

type Parts = {
  db: Database;
  publicUrl: string;
  isOperator: (c: Context) => boolean;
  /** Tries again the facts that were set aside; says how many were handled and how many are left. */
  retryFacts: () => Promise<{ handled: number; left: number }>;
};

/**
 * What failed for good in the background, beside the figures. `GET /metrics/jobs` and `GET /metrics/facts` list it, and `POST` has all of it
 * tried again.
 */
export function mountFailedWork(app: Hono, { db, publicUrl, isOperator, retryFacts }: Parts): void {
  const mount = (path: string, list: () => Promise<object>, tryAgain: () => Promise<object>) => {
    app.get(path, async (c) => (isOperator(c) ? c.json(await list()) : refuse('address_unknown')));
    app.post(path, async (c) => {
      if (!isOperator(c)) return refuse('address_unknown');
      // Without a token every request from this machine counts as the operator's, also one that a web page sends.
      if (isCrossSite(c.req.raw, publicUrl)) return refuse('cross_site_request');
      return c.json(await tryAgain());
    });
  };
  mount(
    '/metrics/jobs',
    async () => ({ failed: await listFailedJobsInAllWorkspaces(db) }),
    async () => ({ restarted: await restartFailedJobs(db) }),
  );
  mount(
    '/metrics/facts',
    async () => ({ deadLetters: await listDeadLettersInAllWorkspaces(db) }),
    retryFacts,
  );
}
