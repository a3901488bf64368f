import { createRequire } from 'node:module';
import { join } from 'node:path';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { peersFolder } from '../harness/processes.ts';
import { untilStarted } from './measure.ts';

// The same steps as jobs: each moves the row of its run on, writes the log and enqueues the next step, in one transaction with its end where the
// queue can do that.

type GraphileWorker = {
  runMigrations(options: object): Promise<void>;
  run(options: object): Promise<{ stop(): Promise<void> }>;
  Logger: new (factory: () => () => void) => object;
};

const [databaseUrl = '', runCount = '0', stepCount = '0', queue = 'graphile-worker'] = process.argv.slice(2);
const [runs, stepsOfRun] = [Number(runCount), Number(stepCount)];
const total = runs * stepsOfRun;
const BATCH = 100;
const pool = new pg.Pool({ connectionString: databaseUrl, max: 8 });
await pool.query(
  `DROP TABLE IF EXISTS bench_runs; CREATE TABLE bench_runs (id integer PRIMARY KEY, state jsonb NOT NULL, step integer NOT NULL, due_at timestamptz) WITH (fillfactor = 70);
   DROP TABLE IF EXISTS bench_log; CREATE TABLE bench_log (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, run_id integer NOT NULL, step integer NOT NULL, details jsonb NOT NULL, at timestamptz NOT NULL)`,
);
await pool.query(
  `INSERT INTO bench_runs SELECT n, '{"schema": 1, "at": "step0", "visit": 1, "steps": {}, "trigger": {}}', 0, now() FROM generate_series(1, $1::integer) AS n`,
  [runs],
);
const MOVE = `WITH moved AS (UPDATE bench_runs SET step = step + 1, due_at = now(), state = state || jsonb_build_object('at', 'step' || step + 1, 'visit', step + 2)
     WHERE id = ANY ($1::integer[]) RETURNING id, step)
   INSERT INTO bench_log (run_id, step, details, at) SELECT id, step, '{"exit": "done"}', now() FROM moved RETURNING run_id, step`;
let done = 0;
let ended: (() => void) | undefined;
const isOver = new Promise<void>((resolve) => (ended = resolve));
function count(n: number): void {
  done += n;
  if (done >= total) ended?.();
}
const begin = queue === 'pg-boss' ? await openBoss() : await openGraphile();
await untilStarted();
const startedAt = performance.now();
const cpu = process.cpuUsage();
await begin();
await isOver;
const { user, system } = process.cpuUsage(cpu);
process.send?.({ result: { steps: done, ms: performance.now() - startedAt, cpuUs: user + system } });

async function openGraphile(): Promise<() => Promise<void>> {
  const peers = createRequire(join(peersFolder, 'package.json'));
  const { run, runMigrations, Logger } = peers('graphile-worker') as GraphileWorker;
  const logger = new Logger(() => () => undefined);
  await runMigrations({ connectionString: databaseUrl, logger });
  await pool.query(
    `SELECT graphile_worker.add_job('step', json_build_object('id', n)) FROM generate_series(1, $1::integer) AS n`,
    [runs],
  );
  type Helpers = { withPgClient(work: (client: pg.ClientBase) => Promise<void>): Promise<void> };
  return async () => {
    await run({
      ...{ connectionString: databaseUrl, logger, concurrency: 8, maxPoolSize: 10, noHandleSignals: true },
      taskList: {
        step: ({ id }: { id: number }, { withPgClient }: Helpers) =>
          withPgClient(async (client) => {
            await client.query('BEGIN');
            const { rows } = await client.query<{ step: number }>(MOVE, [[id]]);
            if ((rows[0]?.step ?? stepsOfRun) < stepsOfRun)
              await client.query(
                `SELECT graphile_worker.add_job('step', json_build_object('id', $1::integer))`,
                [id],
              );
            await client.query('COMMIT');
            count(1);
          }),
      },
    });
  };
}

async function openBoss(): Promise<() => Promise<void>> {
  const boss = new PgBoss({ connectionString: databaseUrl, schema: 'bench_boss', max: 8 });
  boss.on('error', console.error);
  await boss.start();
  await boss.createQueue('step');
  for (let from = 1; from <= runs; from += 1_000)
    await boss.insert(
      'step',
      Array.from({ length: Math.min(1_000, runs - from + 1) }, (_, place) => ({
        data: { id: from + place },
      })),
    );
  return async () => {
    for (let worker = 0; worker < 4; worker += 1)
      await boss.work<{ id: number }>(
        'step',
        { batchSize: BATCH, pollingIntervalSeconds: 0.5 },
        async (jobs) => {
          const { rows } = await pool.query<{ run_id: number; step: number }>(MOVE, [
            jobs.map(({ data }) => data.id),
          ]);
          const next = rows.filter(({ step }) => step < stepsOfRun);
          if (next.length > 0)
            await boss.insert(
              'step',
              next.map(({ run_id: id }) => ({ data: { id } })),
            );
          count(rows.length);
        },
      );
  };
}
process.on('SIGTERM', () => process.exit(0));
