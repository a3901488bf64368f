import { createRequire } from 'node:module';
import { join } from 'node:path';
import pg from 'pg';
import { Pool } from 'undici';
import { peersFolder } from '../harness/processes.ts';
import {
  type Answer,
  connections,
  messageBody,
  report,
  sendHeaders,
  sendPath,
  untilStarted,
} from './measure.ts';

// A job queue on PostgreSQL with a hundred messages per job, which is as large as a job that may be repeated should be.

type GraphileWorker = {
  runMigrations(options: object): Promise<void>;
  run(options: object): Promise<{ stop(): Promise<void> }>;
};

const [url = '', databaseUrl = '', count = '0'] = process.argv.slice(2);
const messages = Number(count);
const perJob = 100;
const peers = createRequire(join(peersFolder, 'package.json'));
const { run, runMigrations } = peers('graphile-worker') as GraphileWorker;
const logger = new (peers('graphile-worker') as { Logger: new (factory: () => () => void) => object }).Logger(
  () => () => undefined,
);
await runMigrations({ connectionString: databaseUrl, logger });
const client = new pg.Client({ connectionString: databaseUrl });
await client.connect();
await client.query(
  `SELECT graphile_worker.add_job('send', json_build_object('from', n * $1::integer)) FROM generate_series(0, $2::integer) n`,
  [perJob, Math.ceil(messages / perJob) - 1],
);
await client.end();
const pool = new Pool(url, { connections, pipelining: 1 });
let done = 0;

async function send(seq: number): Promise<void> {
  const body = messageBody(`49157${10_000_000 + seq}`, `Person ${seq}`, `bench.${seq}.1`);
  const answer = await pool.request({ path: sendPath, method: 'POST', headers: sendHeaders, body });
  if (!((await answer.body.json()) as Answer).messages[0].id) throw new Error('Not accepted');
}

await untilStarted();
const startedAt = performance.now();
const cpu = process.cpuUsage();
await run({
  connectionString: databaseUrl,
  logger,
  concurrency: 8,
  noHandleSignals: true,
  taskList: {
    send: async ({ from }: { from: number }) => {
      await Promise.all(
        Array.from({ length: Math.min(perJob, messages - from) }, (_, place) => send(from + place)),
      );
      done += Math.min(perJob, messages - from);
      if (done >= messages) setImmediate(() => report(messages, startedAt, cpu));
    },
  },
});
