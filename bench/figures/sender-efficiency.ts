import type { Bench, BenchRow } from '../harness/bench-report.ts';
import { type BenchDatabase, openBenchDatabase } from '../harness/bench-database.ts';
import { installPeers, startRedis } from '../harness/peers.ts';
import { cpuOfTree, startBenchChild, startStandIn } from '../harness/processes.ts';
import { type Contestant, medianOf, playRounds, type Sample, showRange } from '../harness/rounds.ts';
import { isSmall } from '../../tools/small-run.ts';

const WITH_BUDGET = 'engine with a budget';

type Result = { messages: number; ms: number; cpuUs: number; maxRssKb: number };

/** Messages per second against a platform that answers at once, and what a message costs in CPU. */
export const senderEfficiency: Bench = {
  title: 'Sender efficiency, uncapped',
  async run({ rounds, messages }) {
    installPeers();
    const [redis, database, standIn] = [await startRedis(), await openBenchDatabase(), await startStandIn()];
    try {
      await database.addContacts(messages);
      const race = async (
        file: string,
        args: string[],
        serverPid: number | null,
        env: Record<string, string> = {},
      ): Promise<Sample> => {
        const child = startBenchChild(`bench/contestants/${file}`, [standIn.url, ...args], env);
        await child.message('ready');
        const serverBefore = serverPid === null ? 0 : cpuOfTree(serverPid);
        child.process.send('go');
        const result = await child.message<Result>('result');
        const serverUs = serverPid === null ? 0 : cpuOfTree(serverPid) - serverBefore;
        await child.stop();
        return {
          'messages/s': (result.messages / result.ms) * 1_000,
          'CPU µs': (result.cpuUs + serverUs) / result.messages,
          'of which Node µs': result.cpuUs / result.messages,
        };
      };
      const count = String(messages);
      const contestants: Contestant[] = [
        { name: 'bare undici loop', run: () => race('bare-undici.ts', [count], null) },
        {
          name: 'engine',
          async run() {
            await database.startRun();
            return race('engine.ts', [database.url, count], database.serverPid);
          },
        },
        {
          name: WITH_BUDGET,
          async run() {
            await setBudget(database, true);
            await database.startRun();
            const sample = await race('engine.ts', [database.url, count], database.serverPid, {
              PRICE: '50000',
            });
            await setBudget(database, false);
            return sample;
          },
        },
      ];
      if (!isSmall)
        contestants.push({
          name: 'graphile-worker batched',
          run: () => race('graphile-worker.ts', [database.url, count], database.serverPid),
        });
      if (redis)
        for (const transport of ['undici', 'fetch'])
          contestants.push({
            name: `BullMQ + ${transport}`,
            run: () => race('bullmq.ts', [String(redis.port), count, transport], redis.pid),
          });
      else console.log('  Without a redis-server, BullMQ is left out.');
      const samples = await playRounds(contestants, rounds);
      const goals: Record<string, number> = {
        'bare undici loop': 0.8,
        'BullMQ + undici': 1.8,
        'BullMQ + fetch': 3,
        'graphile-worker batched': 1,
        [WITH_BUDGET]: 0.8,
      };
      return contestants
        .filter(({ name }) => name !== 'engine')
        .map(({ name }): BenchRow => {
          // One that keeps a budget is compared with itself, the others with one that has none.
          const [of, against] = name === WITH_BUDGET ? [name, 'engine'] : ['engine', name];
          const ratio =
            medianOf(samples.get(of), 'messages/s') / medianOf(samples.get(against), 'messages/s');
          const describe = (who: string): string =>
            `${showRange(samples.get(who), 'messages/s')} messages/s, ${showRange(samples.get(who), 'CPU µs')} µs of CPU each`;
          return {
            figure: `${of} against ${against}`,
            measured: describe(of),
            peer: describe(against),
            ratio,
            goal: `≥ ${goals[name] ?? 1} ×`,
            isMet: ratio >= (goals[name] ?? 1),
          };
        });
    } finally {
      await Promise.all([redis?.stop(), standIn.stop(), database.close()]);
    }
  },
};

/** One that is never reached, so that all of the run leaves. */
async function setBudget({ database, workspaceId }: BenchDatabase, isEnabled: boolean): Promise<void> {
  await database.systemPool.query('UPDATE workspaces SET settings = settings || $2::jsonb WHERE id = $1', [
    workspaceId,
    JSON.stringify({ budget: { isEnabled, perMonth: 10_000_000 } }),
  ]);
}
