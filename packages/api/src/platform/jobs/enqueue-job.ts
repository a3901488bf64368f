import { createHash } from 'node:crypto';
import type { SqlQueries } from '@app/database/sql-queries';
import type { PgBoss } from 'pg-boss';
import type { WorkspaceScope } from '../workspace-scope.ts';
import { wrapPayload, type LeftBy } from './job-envelope.ts';
import type { JobRules, SystemJobKind, WorkspaceJobKind } from './job-kind.ts';

export type JobOrder = {
  startAfter?: Date;
  /** Before all others of its kind that wait. */
  isFirst?: boolean;
};

export type Jobs = {
  /**
   * Leaves a job for later, in the caller's transaction: it is there if that commits. The key says which job it is, in its
   * workspace and kind; false when there is one already, and `repeat` of its kind wants no second one. A job of no workspace is left
   * in system scope.
   */
  enqueue<Payload extends object>(
    scope: WorkspaceScope,
    kind: WorkspaceJobKind<Payload>,
    key: string,
    payload: Payload,
    order?: JobOrder,
  ): Promise<boolean>;
  enqueue<Payload extends object>(
    scope: SqlQueries,
    kind: SystemJobKind<Payload>,
    key: string,
    payload: Payload,
    order?: JobOrder,
  ): Promise<boolean>;
  /** Many jobs of one kind with different keys, in two statements; of those that are there already none is made. */
  enqueueMany<Payload extends object>(
    scope: WorkspaceScope,
    kind: WorkspaceJobKind<Payload>,
    jobs: readonly { key: string; payload: Payload }[],
    order?: JobOrder,
  ): Promise<void>;
};

/** What leaves jobs in the queue; later ids of `nextId` sort after earlier ones. */
export type JobSender = { boss: PgBoss; nextId: () => string };

type NewJob = {
  key: string;
  workspaceId: string | null;
  payload: object;
  leftBy: LeftBy;
} & JobOrder;

/** In the caller's transaction; answers with the jobs that were not there already. */
export async function sendJobs(
  { boss, nextId }: JobSender,
  scope: SqlQueries,
  { name, repeat }: JobRules,
  jobs: readonly NewJob[],
): Promise<string[]> {
  if (jobs.length === 0) return [];
  const keyOf = ({ workspaceId, key }: NewJob) => `${workspaceId ?? ''}/${key}`;
  if (repeat === 'while-open' || repeat === 'while-waiting')
    await scope.query(
      `DELETE FROM jobs.job WHERE name = $1 AND singleton_key = ANY ($2::text[]) AND state = 'failed'`,
      [name, jobs.map(keyOf)],
    );
  const held = repeat === 'while-waiting' ? await holdWaiting(scope, name, jobs.map(keyOf)) : undefined;
  const missing = held ? jobs.filter((job) => !held.has(keyOf(job))) : jobs;
  if (missing.length === 0) return [];
  const made = await boss.insert(
    name,
    missing.map((job) => ({
      data: wrapPayload(job.payload, job.leftBy),
      // Those of one transaction have one time: among them the id says who came first.
      id: repeat === 'once' ? idOf(name, keyOf(job)) : nextId(),
      singletonKey: keyOf(job),
      ...(job.workspaceId !== null && { group: { id: job.workspaceId } }),
      ...(job.startAfter && { startAfter: job.startAfter }),
      ...(job.isFirst && { priority: 1 }),
    })),
    { db: { executeSql: (text, values) => scope.query(text, values) }, returnId: true },
  );
  return made ?? [];
}

/**
 * The keys of which a job waits that begins after this transaction, and so sees what it wrote: until then the row is locked, and those who look for work pass by it.
 * One that somebody else has locked may begin at any moment, and does not count.
 */
async function holdWaiting(scope: SqlQueries, name: string, keys: string[]): Promise<Set<string>> {
  const { rows } = await scope.query<{ key: string }>(
    `SELECT singleton_key AS key FROM jobs.job
      WHERE name = $1 AND singleton_key = ANY ($2::text[]) AND state IN ('created', 'retry') FOR UPDATE SKIP LOCKED`,
    [name, keys],
  );
  return new Set(rows.map(({ key }) => key));
}

/** The same key is the same row, so that the primary key keeps the second one out. */
function idOf(name: string, key: string): string {
  const hash = createHash('sha256').update(`${name} ${key}`).digest('hex');
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
