import type { SqlQueries } from '@app/database/sql-queries';
import type { PgBoss, Queue } from 'pg-boss';
import type { JobRepeat, JobRules } from './job-kind.ts';

const DAY_SECONDS = 86_400;
/** A process that gives no sign of life for this long is gone, and its jobs are taken up by another one. */
const SILENT_SECONDS = 10;
/** So long a failed job can be started again, and a waiting one waits for somebody to run it. */
const KEPT_SECONDS = 30 * DAY_SECONDS;
/** Ours comes first, and says what happened. */
const AFTER_TIMEOUT_SECONDS = 5;

const policies: Record<JobRepeat, string> = {
  once: 'standard',
  'while-open': 'exclusive',
  // What is there already is found by whoever enqueues (enqueue-job.ts).
  'while-waiting': 'key_strict_fifo',
  'in-order': 'key_strict_fifo',
};

/**
 * Makes the queues that are new, by one statement: by the library each would cost a transaction and three more queries, at the first start
 * of an installation for all of them. Before the library starts, which then reads all queues at once.
 */
export async function createQueues(jobPool: SqlQueries, kinds: readonly JobRules[]): Promise<void> {
  const wanted = kinds.map((kind) => ({
    name: kind.name,
    options: { ...readRules(kind), policy: policies[kind.repeat] },
  }));
  // In one order: another process may be about to make the same ones.
  await jobPool.query(
    `SELECT jobs.create_queue(name, options)
       FROM (SELECT name, options FROM jsonb_to_recordset($1) AS k (name text, options jsonb)
              WHERE NOT EXISTS (SELECT FROM jobs.queue q WHERE q.name = k.name) ORDER BY name) AS wanted`,
    [JSON.stringify(wanted)],
  );
}

/** Brings the rules of the queues that were there before up to date. @throws {Error} where a queue was made for another policy */
export async function updateQueues(boss: PgBoss, kinds: readonly JobRules[]): Promise<void> {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const kind of kinds) {
    const rules = readRules(kind);
    const queue = known.get(kind.name);
    if (queue?.policy !== policies[kind.repeat])
      throw new Error(`What a second job of ${kind.name} does has changed: give the kind a new name.`);
    if (!hasRules(queue, rules)) await boss.updateQueue(kind.name, rules);
  }
}

function readRules({ attempts, pauseSeconds, longestPauseSeconds, timeoutSeconds, usefulSeconds }: JobRules) {
  const keptSeconds = usefulSeconds ?? KEPT_SECONDS;
  return {
    retryLimit: attempts - 1,
    retryDelay: pauseSeconds,
    retryBackoff: true,
    retryDelayMax: longestPauseSeconds,
    expireInSeconds: timeoutSeconds + AFTER_TIMEOUT_SECONDS,
    heartbeatSeconds: SILENT_SECONDS,
    retentionSeconds: keptSeconds,
    deleteAfterSeconds: keptSeconds,
    notify: true,
  };
}

function hasRules(queue: Omit<Queue, 'name'>, rules: ReturnType<typeof readRules>): boolean {
  return Object.entries(rules).every(([name, value]) => queue[name as keyof typeof rules] === value);
}
