import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { emptyFlow } from '@app/domain/flows/flow-file';
import { newRunState } from '@app/domain/flows/run-state';
import type { Bench, BenchRow } from '../harness/bench-report.ts';
import { openBenchDatabase, type BenchDatabase } from '../harness/bench-database.ts';
import { installPeers } from '../harness/peers.ts';
import { cpuOfTree, startBenchChild } from '../harness/processes.ts';
import { medianOf, playRounds, show, showRange, type Sample } from '../harness/rounds.ts';
import { inSmall } from '../../tools/small-run.ts';

/** Steps of one run, and how long an engine is watched that has nothing to do. */
const STEPS = 5;
const REST_MS = inSmall(500, 20_000);
const PEERS = inSmall([], ['graphile-worker', 'pg-boss']);
/** Runs that one statement adds. */
const SLICE = 100_000;

/** What a durable step of a workflow costs, against two job queues that do the same steps, and what waiting runs cost. */
export const flowSteps: Bench = {
  title: 'Steps of workflows',
  async run({ rounds, messages, size }) {
    installPeers();
    const database = await openBenchDatabase();
    const runs = inSmall(20, Math.max(500, Math.round(messages / 10)));
    const waiting = inSmall(100, size.messages >= 10_000_000 ? 1_000_000 : 100_000);
    try {
      await database.addContacts(runs);
      const flowId = await addFlow(database);
      const samples = await playRounds(
        [
          {
            name: 'flow engine',
            async run() {
              await database.database.systemPool.query('TRUNCATE flow_runs, flow_log CASCADE');
              await addRuns(database, { flowId, runs, dueInDays: 0 });
              return race(database, 'flow-engine.ts', [database.url, String(runs * STEPS)]);
            },
          },
          ...PEERS.map((name) => ({
            name,
            run: () => race(database, 'step-jobs.ts', [database.url, String(runs), String(STEPS), name]),
          })),
        ],
        Math.min(rounds, 3),
      );
      await database.database.systemPool.query('TRUNCATE flow_runs, flow_log CASCADE');
      const idle = await rest(database);
      await addRuns(database, { flowId, runs: waiting, dueInDays: 30 });
      await writeToDisk(database.url);
      const full = await rest(database);
      return [...describeSteps(samples), ...describeWaiting(waiting, idle, full)];
    } finally {
      await database.close();
    }
  },
};

async function addFlow({ database, workspaceId }: BenchDatabase): Promise<string> {
  const flowId = randomUUID();
  const wait = (place: number) => ({
    ...{ id: `step${place}`, type: 'wait', delay: null },
    config: { mode: 'duration', duration: { amount: 1, unit: 'seconds' } },
    next: { done: place + 1 < STEPS ? `step${place + 1}` : null },
  });
  const flow = {
    ...{ ...emptyFlow('workflow', 'Bench'), start: 'step0' },
    steps: Array.from({ length: STEPS }, (_, place) => wait(place)),
  };
  await database.systemPool.query(
    `INSERT INTO flows (id, workspace_id, kind, name, description, status, draft, published, created_at, updated_at)
     VALUES ($1, $2, 'workflow', 'Bench', '', 'active', $3, 1, now(), now())`,
    [flowId, workspaceId, JSON.stringify(flow)],
  );
  await database.systemPool.query(
    `INSERT INTO flow_versions (workspace_id, flow_id, number, content, published_at, published_by_name) VALUES ($1, $2, 1, $3, now(), '')`,
    [workspaceId, flowId, JSON.stringify(flow)],
  );
  return flowId;
}

/** Runs that begin at once, or that wait for days at their first step. */
async function addRuns(
  { database, workspaceId }: BenchDatabase,
  { flowId, runs, dueInDays }: { flowId: string; runs: number; dueInDays: number },
): Promise<void> {
  const state = newRunState({}, Date.now());
  const waiting = {
    ...{ ...state, at: 'step0', visit: 1, isDelayed: true },
    wait: { kind: 'time', until: Date.now() + dueInDays * 86_400_000 },
  };
  for (let first = 1; first <= runs; first += SLICE)
    await database.systemPool.query(
      `INSERT INTO flow_runs (id, workspace_id, flow_id, version, contact_id, status, state, step_id, wait, class, due_at, seed, started_at)
     SELECT uuidv7(), $1, $2, 1, CASE WHEN $5 THEN uuidv7() ELSE k.id END, 'running', $3, $4, CASE WHEN $5 THEN 'time' END, 1 + n % 2,
            now() + make_interval(days => $6) * (n::float8 / $7), n, now()
       FROM generate_series($8::integer, $9::integer) AS n
       LEFT JOIN (SELECT id, row_number() OVER (ORDER BY id) AS n FROM contacts WHERE workspace_id = $1) AS k USING (n)`,
      [
        ...[workspaceId, flowId, JSON.stringify(dueInDays > 0 ? waiting : state)],
        ...[dueInDays > 0 ? 'step0' : null, dueInDays > 0, dueInDays, runs],
        ...[first, Math.min(first + SLICE - 1, runs)],
      ],
    );
  if (dueInDays > 0)
    await database.systemPool.query(
      `UPDATE flow_runs SET due_at = now() + interval '1 day' WHERE due_at < now() + interval '1 day'`,
    );
  await database.systemPool.query('VACUUM ANALYZE flow_runs');
}

/** What was added is on the disk: the server has nothing of it left to do while waiting is measured. */
async function writeToDisk(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('CHECKPOINT');
  await client.end();
}

async function race({ serverPid }: BenchDatabase, file: string, args: string[]): Promise<Sample> {
  const child = startBenchChild(`bench/contestants/${file}`, args);
  await child.message('ready');
  const serverBefore = cpuOfTree(serverPid);
  child.process.send('go');
  const result = await child.message<{ steps: number; ms: number; cpuUs: number }>('result');
  const serverUs = cpuOfTree(serverPid) - serverBefore;
  await child.stop();
  return {
    'steps/s': (result.steps / result.ms) * 1_000,
    'CPU µs': (result.cpuUs + serverUs) / result.steps,
    'of which Node µs': result.cpuUs / result.steps,
  };
}

type Rested = { cpuShare: number; bytes: number };

/** CPU of process and database in share of one core, and memory in use of the process, while nothing is due. */
async function rest({ url, serverPid }: BenchDatabase): Promise<Rested> {
  const child = startBenchChild('bench/contestants/flow-engine.ts', [url, String(REST_MS), 'idle']);
  await child.message('ready');
  child.process.send('go');
  await child.message('resting');
  const before = cpuOfTree(serverPid);
  const rested = await child.message<{ cpuUs: number; bytes: number }>('rested');
  const serverUs = cpuOfTree(serverPid) - before;
  await child.stop();
  return { cpuShare: (rested.cpuUs + serverUs) / (REST_MS * 1_000), bytes: rested.bytes };
}

function describeSteps(samples: Map<string, Sample[]>): BenchRow[] {
  const own = samples.get('flow engine');
  const rate = medianOf(own, 'steps/s');
  return [
    {
      figure: 'durable steps per second, one process',
      measured: showRange(own, 'steps/s'),
      peer: ['graphile-worker', 'pg-boss']
        .map((name) => `${name} ${showRange(samples.get(name), 'steps/s')}`)
        .join(', '),
      goal: '≥ 1,000',
      isMet: rate >= 1_000,
    },
    ...['graphile-worker', 'pg-boss'].map((name): BenchRow => {
      const ratio = medianOf(own, 'CPU µs') / medianOf(samples.get(name), 'CPU µs');
      return {
        figure: `CPU of a step against ${name}, process and database`,
        measured: `${showRange(own, 'CPU µs')} µs, of which Node.js ${showRange(own, 'of which Node µs')}`,
        peer: `${showRange(samples.get(name), 'CPU µs')} µs, of which Node.js ${showRange(samples.get(name), 'of which Node µs')}`,
        ratio,
        goal: '≤ 1 ×',
        isMet: ratio <= 1,
      };
    }),
  ];
}

function describeWaiting(waiting: number, idle: Rested, full: Rested): BenchRow[] {
  const megabytes = (full.bytes - idle.bytes) / 2 ** 20;
  const share = full.cpuShare * 100;
  return [
    {
      figure: `CPU with ${waiting.toLocaleString('en')} waiting runs, process and database`,
      measured: `${show(share)} % of a core`,
      peer: `${show(idle.cpuShare * 100)} % with none`,
      goal: '< 1 %',
      isMet: share < 1,
    },
    {
      figure: `memory in use of the process for ${waiting.toLocaleString('en')} waiting runs`,
      measured: `${show(megabytes)} MB`,
      peer: `${show(idle.bytes / 2 ** 20)} MB with none`,
      goal: '~ 0 (≤ 10 MB)',
      isMet: megabytes <= 10,
    },
  ];
}
