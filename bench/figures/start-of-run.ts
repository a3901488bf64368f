import type { Bench } from '../harness/bench-report.ts';
import { openBenchDatabase } from '../harness/bench-database.ts';
import { installPeers, startRedis } from '../harness/peers.ts';
import { startBenchChild, startStandIn } from '../harness/processes.ts';
import { median, show } from '../harness/rounds.ts';

/** From the press of Send to the first message, and until a large audience is frozen. */
export const startOfRun: Bench = {
  title: 'Start of a large campaign',
  async run({ rounds, large }) {
    installPeers();
    const [redis, database] = [await startRedis(), await openBenchDatabase()];
    try {
      await database.addContacts(large);
      const firsts: number[] = [];
      const frozen: number[] = [];
      const enqueued: number[] = [];
      for (let round = 0; round < Math.min(rounds, 3); round += 1) {
        const standIn = await startStandIn();
        const engine = startBenchChild('bench/contestants/engine.ts', [
          standIn.url,
          database.url,
          String(large),
          '1000',
        ]);
        await engine.message('ready');
        engine.process.send('go');
        await new Promise((resolve) => setTimeout(resolve, 1_500));
        const pressedAt = performance.timeOrigin + performance.now();
        const runNo = await database.startRun();
        firsts.push((await standIn.message<number>('at')) - pressedAt);
        for (;;) {
          const { rows } = await database.database.systemPool.query(
            'SELECT FROM delivery_runs WHERE run_no = $1 AND frozen_at IS NOT NULL',
            [runNo],
          );
          if (rows.length > 0) break;
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        frozen.push((performance.timeOrigin + performance.now() - pressedAt) / 1_000);
        await engine.stop();
        await database.database.systemPool.query(
          'UPDATE delivery_runs SET completed_at = now(), state = $1',
          ['completed'],
        );
        if (redis) {
          const child = startBenchChild('bench/contestants/bullmq.ts', [
            standIn.url,
            String(redis.port),
            String(large),
            'undici',
          ]);
          enqueued.push((await child.message<number>('enqueuedMs')) / 1_000);
          await child.message('ready');
          await child.stop();
        }
        await standIn.stop();
        console.log(
          `  round ${round + 1}: first ${show(firsts.at(-1) ?? 0)} ms, frozen ${show(frozen.at(-1) ?? 0)} s, BullMQ addBulk ${show(enqueued.at(-1) ?? 0)} s`,
        );
      }
      const who = `audience of ${large.toLocaleString('en')}`;
      const ratio = (median(enqueued) * 1_000) / median(firsts);
      return [
        {
          figure: `Send pressed → first message, ${who}`,
          measured: `${show(median(firsts))} ms`,
          peer: '',
          goal: '≤ 500 ms',
          isMet: median(firsts) <= 500,
        },
        {
          figure: `audience frozen, ${who}`,
          measured: `${show(median(frozen))} s`,
          peer: '',
          goal: `≤ ${show((6 * large) / 1e6)} s (6 s for a million)`,
          isMet: median(frozen) <= (6 * large) / 1e6,
        },
        {
          figure: 'against BullMQ addBulk of the same audience',
          measured: `${show(median(firsts))} ms`,
          peer: redis ? `${show(median(enqueued))} s` : 'no Redis here',
          ratio,
          goal: '≥ 15 ×',
          isMet: ratio >= 15,
        },
      ];
    } finally {
      await Promise.all([redis?.stop(), database.close()]);
    }
  },
};
