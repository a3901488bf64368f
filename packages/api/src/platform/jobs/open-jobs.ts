import type { Database } from '@app/database/database';
import { newId } from '@app/database/new-id';
import { databaseTrouble } from '@app/database/query-error';
import type { SqlQueries } from '@app/database/sql-queries';
import { PgBoss } from 'pg-boss';
import type { Logger } from '../logger.ts';
import type { ApiDependencies } from '../request-context.ts';
import type { RunnableJobKind } from './define-job.ts';
import { sendJobs, type JobOrder, type Jobs } from './enqueue-job.ts';
import type { LeftBy } from './job-envelope.ts';
import { readFailureCode } from './job-failure.ts';
import type { SystemJobKind, WorkspaceJobKind } from './job-kind.ts';
import { openQueueDatabase } from './queue-database.ts';
import { createQueues, updateQueues } from './prepare-queues.ts';
import { startWorking, type WorkTimes } from './work-jobs.ts';
import type { WorkspaceScope } from '../workspace-scope.ts';

export type JobQueue = Jobs & {
  /** Begins to run what waits, here and as long as the process lives. */
  work(parts: ApiDependencies): Working;
  /** Nobody enqueues any more. */
  close(): Promise<void>;
};

/** `stop` waits for what runs, and puts back what takes too long. */
export type Working = { stop(): Promise<void> };

export type JobQueueOptions = {
  db: Database;
  logger: Logger;
  kinds: readonly RunnableJobKind[];
  /** A process that only leaves jobs to others needs no connection that listens. */
  isWorking: boolean;
  /** Other times than those of the product, for tests. */
  times?: Partial<WorkTimes>;
};

const TIMES: WorkTimes = { pollSeconds: 10, scheduledPollSeconds: 15, superviseMs: 5_000, stopMs: 5_000 };
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Work in the background, over PostgreSQL alone and for any number of processes. It starts behind its caller's back, so that
 * the product is ready before it is; whoever enqueues waits for that.
 */
export function openJobs({ db, logger, kinds, isWorking, times }: JobQueueOptions): JobQueue {
  const closing = new AbortController();
  const onTrouble = (error: unknown) => {
    if (!closing.signal.aborted)
      logger.warn({ code: readFailureCode(error) }, 'the queue of jobs met trouble, and goes on');
  };
  const boss = new PgBoss({
    db: openQueueDatabase(db, { isListening: () => isWorking, onTrouble }),
    schema: 'jobs',
    // Its schema is made by our migrations, its supervision and schedules are ours (work-jobs.ts).
    ...{ migrate: false, createSchema: false, supervise: false, schedule: false },
    ...{ useListenNotify: true, monitorVacuum: false, reindex: false },
    monitorIntervalSeconds: 1,
    maintenanceIntervalSeconds: 3_600,
    queueCacheIntervalSeconds: 3_600,
  });
  // Without a listener an error would end the process.
  boss.on('error', onTrouble);
  boss.on('warning', ({ message }) => logger.warn({ reason: message }, 'the queue of jobs warns'));
  const ready = start();
  let lastMs = 0;
  const sender = { boss, nextId: () => newId((lastMs = Math.max(Date.now(), lastMs + 1))) };

  async function start(): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        await createQueues(db.jobPool, kinds);
        await boss.start();
        return await updateQueues(boss, kinds);
      } catch (error) {
        await boss.stop({ graceful: false });
        if (closing.signal.aborted || databaseTrouble(error) === undefined) throw error;
        onTrouble(error);
        await waitFor(pause, closing.signal);
      }
    }
  }
  ready.catch((error: unknown) => {
    if (!closing.signal.aborted) logger.error({ err: error }, 'the queue of jobs cannot be used');
  });

  return {
    async enqueue(
      scope: SqlQueries & Partial<WorkspaceScope>,
      kind: WorkspaceJobKind<object> | SystemJobKind<object>,
      key: string,
      payload: object,
      order: JobOrder = {},
    ) {
      await ready;
      const workspaceId = kind.as === 'all-workspaces' ? null : (scope.workspaceId ?? null);
      const leftBy = leftByScope(scope, kind.as);
      const job = { ...order, key, workspaceId, leftBy, payload: kind.payload.parse(payload) };
      return (await sendJobs(sender, scope, kind, [job])).length > 0;
    },
    async enqueueMany(scope, kind, some, order = {}) {
      await ready;
      const { workspaceId } = scope;
      await sendJobs(
        sender,
        scope,
        kind,
        some.map(({ key, payload }) => ({
          ...order,
          ...{ key, workspaceId, leftBy: leftByScope(scope, kind.as), payload: kind.payload.parse(payload) },
        })),
      );
    },
    work(parts) {
      const working = ready.then(() => startWorking(sender, parts, kinds, { ...TIMES, ...times }));
      working.catch(onTrouble);
      return {
        async stop() {
          closing.abort();
          await (await working.catch(() => undefined))?.stop();
        },
      };
    },
    async close() {
      closing.abort();
      await ready.catch(() => undefined);
      await boss.stop({ graceful: false });
    },
  };
}

function leftByScope({ caller, cause = null }: Partial<WorkspaceScope>, as: string): LeftBy {
  return { cause, caller: as === 'caller' && caller ? caller : null };
}

function waitFor(ms: number, closing: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    closing.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
