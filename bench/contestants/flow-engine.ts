import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openDatabase } from '@app/database/database';
import { createFlowEngine } from '@app/flows/flow-engine';
import { openFlowHost, type FlowHostParts } from '../../packages/api/src/automation/engine/flow-host.ts';
import { untilStarted } from './measure.ts';

// The product's engine of flows on runs that wait a second before each step. Its clock goes on by a second a round, so that nothing but work takes time.

const [databaseUrl = '', count = '0', mode = 'steps'] = process.argv.slice(2);
const steps = Number(count);
const database = await openDatabase({ url: databaseUrl, poolSize: 6 });
let now = Date.now();
const engine = createFlowEngine(
  openFlowHost({
    ...{ db: database, clock: () => new Date(now), facts: { wake() {} } },
    logger: { info() {}, warn: console.error, error: console.error },
    // Waits ask for no effect: messages, jobs and channels are not needed.
  } as unknown as FlowHostParts),
);
await untilStarted();
const startedAt = performance.now();
const cpu = process.cpuUsage();
if (mode === 'idle') {
  await engine.start();
  setInterval(() => (now = Date.now()), 500);
  const restedMs = Number(count);
  // What the first look costs is not what waiting costs.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const before = process.cpuUsage();
  process.send?.({ resting: true });
  await new Promise((resolve) => setTimeout(resolve, restedMs));
  const used = process.cpuUsage(before);
  // What is rubbish by now says when the collector ran last, and nothing of what waits.
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({ rested: { cpuUs: used.user + used.system, bytes: heapUsed + external } });
} else {
  let done = 0;
  while (done < steps) {
    await engine.drain();
    now += 1_000;
    const { rows } = await database.systemPool.query<{ n: string }>('SELECT count(*) AS n FROM flow_log');
    done = Number(rows[0]?.n ?? 0);
  }
  const { user, system } = process.cpuUsage(cpu);
  process.send?.({ result: { steps: done, ms: performance.now() - startedAt, cpuUs: user + system } });
}
process.on('SIGTERM', () => void engine.stop().then(() => process.exit(0)));
