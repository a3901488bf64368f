import { randomBytes } from 'node:crypto';
import type { Bench, BenchRow } from '../harness/bench-report.ts';
import { type BenchDatabase, openBenchDatabase } from '../harness/bench-database.ts';
import { cpuOfTree, findFreePort, startBenchChild, startStandIn } from '../harness/processes.ts';
import { medianOf, playRounds, type Sample, show, showRange } from '../harness/rounds.ts';
import { inSmall } from '../../tools/small-run.ts';

const secret = 'sandbox-app-secret';
const recipients = inSmall(100, 4_000);

type Result = { perSecond: number; p50: number; p99: number; max: number; refused: number };

/** Signed status webhooks per second that the product answers after the commit, and how quickly while it also sends. */
export const webhooks: Bench = {
  title: 'Webhooks',
  async run({ rounds, messages }) {
    const database = await openBenchDatabase();
    // Only an empty installation gets the sample workspace.
    await database.database.systemPool.query('DELETE FROM workspaces');
    const sandbox = startBenchChild('packages/sandbox/src/main.ts', [], { SANDBOX_PORT: '0' });
    const sandboxUrl = `http://127.0.0.1:${await sandbox.message<number>('port')}`;
    const port = await findFreePort();
    const server = startBenchChild('apps/server/src/main.ts', [], {
      DATABASE_URL: database.url,
      SECRET_KEY: randomBytes(32).toString('hex'),
      SANDBOX_URL: sandboxUrl,
      PORT: String(port),
      ROLES: 'web',
      LOG_LEVEL: 'error',
    });
    const product = `http://127.0.0.1:${port}/webhooks/whatsapp/sample`;
    try {
      await untilAnswered(product);
      await moveIntoSample(database);
      await database.addContacts(recipients);
      const call = async (url: string, count: number, perSecond = 0): Promise<Result> => {
        const runNo = await database.startRun();
        await database.database.systemPool.query(
          `UPDATE delivery_runs SET state = 'paused', cursor = total, low_water = total WHERE run_no = $1`,
          [runNo],
        );
        const caller = startBenchChild('bench/contestants/webhook-caller.ts', [
          url,
          secret,
          String(runNo),
          String(recipients),
          String(count),
          String(perSecond),
        ]);
        await caller.message('ready');
        caller.process.send('go');
        const result = await caller.message<Result>('result');
        await caller.stop();
        return result;
      };
      const sample = async (url: string, pid = 0): Promise<Sample> => {
        const cpu = (): number => cpuOfTree(pid) + cpuOfTree(database.serverPid);
        const before = cpu();
        const { perSecond, p50, p99, refused } = await call(url, messages);
        return { 'webhooks/s': perSecond, 'CPU µs': (cpu() - before) / messages, p50, p99, refused };
      };
      const against = async (databaseUrl: string): Promise<Sample> => {
        const peer = startBenchChild('bench/contestants/webhook-peer.ts', [secret, databaseUrl]);
        const result = await sample(
          `http://127.0.0.1:${await peer.message<number>('port')}/`,
          peer.process.pid,
        );
        await peer.stop();
        return result;
      };
      const samples = await playRounds(
        [
          { name: 'product', run: () => sample(product, server.process.pid) },
          { name: 'no database', run: () => against('') },
          { name: 'one INSERT per request', run: () => against(database.url) },
        ],
        rounds,
      );
      const describe = (who: string): string =>
        `${showRange(samples.get(who), 'webhooks/s')}/s, ${showRange(samples.get(who), 'CPU µs')} µs of CPU each`;
      const rows = [
        { name: 'no database', goal: 0.75 },
        { name: 'one INSERT per request', goal: 1.7 },
      ].map(({ name, goal }): BenchRow => {
        const ratio =
          medianOf(samples.get('product'), 'webhooks/s') / medianOf(samples.get(name), 'webhooks/s');
        return {
          figure: `webhooks per second, durable before 200, against ${name}`,
          measured: describe('product'),
          peer: describe(name),
          ratio,
          goal: `≥ ${goal} ×`,
          isMet: ratio >= goal,
        };
      });
      return [...rows, await measureWhileSending(database, product, call)];
    } finally {
      await Promise.all([server.stop(), sandbox.stop()]);
      await database.close();
    }
  },
};

async function measureWhileSending(
  database: BenchDatabase,
  product: string,
  call: (url: string, count: number, perSecond: number) => Promise<Result>,
): Promise<BenchRow> {
  const standIn = await startStandIn();
  await database.addContacts(inSmall(100, 10_000));
  await database.startRun();
  const engine = startBenchChild('bench/contestants/engine.ts', [standIn.url, database.url, '0', '1000']);
  await engine.message('ready');
  engine.process.send('go');
  const { perSecond, p50, p99, max, refused } = await call(
    product,
    inSmall(100, 33_000),
    inSmall(100, 3_300),
  );
  await engine.stop();
  await standIn.stop();
  return {
    figure: 'answer time at 3,300 webhooks/s while sending 1,000/s',
    measured: `p50 ${show(p50)} ms, p99 ${show(p99)} ms, max ${show(max)} ms, ${refused} refused, at ${show(perSecond)}/s`,
    peer: 'platform: median 250 ms, < 1 % over 1 s',
    goal: 'p50 ≤ 10, p99 ≤ 60, max ≤ 500 ms, none refused',
    isMet: p50 <= 10 && p99 <= 60 && max <= 500 && refused === 0 && perSecond >= 3_200,
  };
}

/** Runs and contacts of this benchmark belong to the workspace whose webhooks are called. */
async function moveIntoSample(database: BenchDatabase): Promise<void> {
  const { rows } = await database.database.systemPool.query<{ id: string; workspace_id: string }>(
    `SELECT c.id, c.workspace_id FROM channels c JOIN workspaces w ON w.id = c.workspace_id WHERE w.slug = 'sample' ORDER BY c.created_at`,
  );
  const sample = rows[0];
  if (!sample) throw new Error('The sample workspace has no channel');
  database.workspaceId = sample.workspace_id;
  database.channelId = sample.id;
}

async function untilAnswered(url: string): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const answer = await fetch(url, { method: 'POST', body: '{}' }).catch(() => null);
    if (answer?.status === 401) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The server does not answer webhooks');
}
