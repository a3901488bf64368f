import type { PgBoss } from 'pg-boss';
import type { ApiDependencies } from '../request-context.ts';
import type { RunnableJobKind } from './define-job.ts';
import { sendJobs, type JobSender } from './enqueue-job.ts';
import { readFailureCode } from './job-failure.ts';
import { keepSchedule } from './job-schedule.ts';
import { runJob } from './run-job.ts';

export type WorkTimes = {
  /** Behind the waking: how soon a job is found that waited for its time. */
  pollSeconds: number;
  scheduledPollSeconds: number;
  /** How often somebody looks for jobs whose process is gone. */
  superviseMs: number;
  /** How long what runs may go on when the process stops. */
  stopMs: number;
};

const SHORTEST_POLL_SECONDS = 2;
/** Half of the time after which a silent process counts as gone, and a little less. */
const SIGN_OF_LIFE_SECONDS = 4;
/** What failed or was never run goes after a month; a look now and then is enough. */
const TIDY_EVERY_MS = 600_000;

/** Runs what waits, begins what is due, and takes up what a process left that died. */
export async function startWorking(
  sender: JobSender,
  parts: ApiDependencies,
  kinds: readonly RunnableJobKind[],
  times: WorkTimes,
): Promise<{ stop(): Promise<void> }> {
  const { boss } = sender;
  for (const kind of kinds) await workOn(boss, parts, kind, times);
  const schedules = kinds.flatMap((kind) =>
    kind.everySeconds === null ? [] : [startSchedule(sender, parts, kind, kind.everySeconds)],
  );
  const supervision = superviseJobs(boss, parts, times, kinds);
  return {
    async stop() {
      await Promise.all([supervision.stop(), ...schedules.map((schedule) => schedule.stop())]);
      const ended = Promise.all(kinds.map(({ name }) => boss.offWork(name, { wait: true })));
      let timer: ReturnType<typeof setTimeout> | undefined;
      await Promise.race([ended, new Promise((resolve) => (timer = setTimeout(resolve, times.stopMs)))]);
      clearTimeout(timer);
    },
  };
}

/** One job at a time in each place, so that each is settled the moment it has ended. */
async function workOn(
  boss: PgBoss,
  parts: ApiDependencies,
  kind: RunnableJobKind,
  { pollSeconds, scheduledPollSeconds }: WorkTimes,
): Promise<void> {
  const poll = kind.everySeconds === null ? pollSeconds : scheduledPollSeconds;
  const options = {
    ...({ batchSize: 1, perJobResults: true, includeMetadata: true } as const),
    localConcurrency: kind.atOnce,
    ...(kind.atOnceOfOne !== undefined && { localGroupConcurrency: kind.atOnceOfOne }),
    pollingIntervalSeconds: Math.min(poll, SHORTEST_POLL_SECONDS),
    notifyPollingIntervalSeconds: poll,
    heartbeatRefreshSeconds: SIGN_OF_LIFE_SECONDS,
  } as const;
  await boss.work<object, unknown, typeof options>(kind.name, options, async (jobs) => {
    // Where one waited others may: without this, each place would take its next one when it polls.
    wake(boss, kind.name);
    return Promise.all(jobs.map((job) => runJob(parts, kind, job)));
  });
}

function wake(boss: PgBoss, only?: string): void {
  for (const { name, id } of boss.getWipData())
    if (only === undefined || name === only) boss.notifyWorker(id);
}

function startSchedule(
  sender: JobSender,
  { db, logger }: ApiDependencies,
  kind: RunnableJobKind,
  everySeconds: number,
) {
  return keepSchedule(db, {
    name: kind.name,
    everySeconds,
    afterStartSeconds: kind.afterStartSeconds,
    begin: (client) =>
      sendJobs(sender, client, kind, [
        { key: '', workspaceId: null, payload: {}, leftBy: { cause: null, caller: null } },
      ]),
    onTrouble: (error) =>
      logger.warn({ job: kind.name, code: readFailureCode(error) }, 'a schedule could not be read'),
  });
}

/** The library's own supervision costs ten queries each time, and most of the time nobody has died. */
function superviseJobs(
  boss: PgBoss,
  { db, logger }: ApiDependencies,
  { superviseMs }: WorkTimes,
  kinds: readonly RunnableJobKind[],
) {
  const askedAgain = kinds.filter(({ repeat }) => repeat === 'while-waiting').map(({ name }) => name);
  let running: Promise<void> | undefined;
  let tidiedAt = performance.now();
  const look = async () => {
    const { rowCount } = await db.jobPool.query(
      `SELECT FROM jobs.job WHERE state = 'active' AND (heartbeat_on + heartbeat_seconds * interval '1 second' < now()
          OR started_on + expire_seconds * interval '1 second' < now()) LIMIT 1`,
    );
    // Behind one that failed for good nothing of its key would run; the one that waits does it anew.
    const { rowCount: passed } = await db.jobPool.query(
      `DELETE FROM jobs.job f WHERE f.name = ANY ($1::text[]) AND f.state = 'failed' AND EXISTS (SELECT FROM jobs.job w
        WHERE w.name = f.name AND w.singleton_key = f.singleton_key AND w.state = 'created')`,
      [askedAgain],
    );
    if (passed !== 0) wake(boss);
    const isUntidy = performance.now() - tidiedAt > TIDY_EVERY_MS;
    if (rowCount === 0 && !isUntidy) return;
    await boss.supervise();
    tidiedAt = performance.now();
    // A pause is for a server that may be away; here the process was.
    const { rowCount: lost } = await db.jobPool.query(
      `UPDATE jobs.job SET start_after = now() WHERE state = 'retry' AND start_after > now()
          AND output #>> '{value,message}' = 'job heartbeat timeout'`,
    );
    if (lost !== 0) wake(boss);
  };
  const timer = setInterval(() => {
    running ??= look()
      .catch((error: unknown) =>
        logger.warn({ code: readFailureCode(error) }, 'lost jobs could not be looked for'),
      )
      .finally(() => (running = undefined));
  }, superviseMs);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
