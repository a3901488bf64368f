import type { Bench, BenchRow } from '../harness/bench-report.ts';
import { openBenchDatabase } from '../harness/bench-database.ts';
import { bundle } from '../harness/bundle.ts';
import { startBenchChild, startStandIn } from '../harness/processes.ts';
import { show } from '../harness/rounds.ts';
import { inSmall } from '../../tools/small-run.ts';

type Result = { maxRssKb: number; messages: number; ms: number };

/** What the sender holds is about 15 MB; a larger heap only puts the collector's work off. */
const heapFlags = '--max-semi-space-size=1 --max-old-space-size=64';

/** Without a limit, and at the speed of a number of the highest tier: then the queue of claimed recipients is never empty. */
const paces = [
  { name: 'uncapped', perSecond: 0 },
  { name: 'at 1,000 per second', perSecond: 1_000 },
];

/** Peak memory of the sending process, bundled, for a small and a large audience, at each pace. */
export const senderMemory: Bench = {
  title: 'Memory of the sending process',
  async run({ large }) {
    const engineFile = bundle('bench/contestants/engine.ts');
    const [database, standIn] = [await openBenchDatabase(), await startStandIn()];
    try {
      const empty = startBenchChild('bench/contestants/empty-server.ts');
      const emptyMb = (await empty.message<number>('rssKb')) / 1024;
      await empty.stop();
      const peak = async (count: number, { name, perSecond }: (typeof paces)[number]): Promise<number> => {
        await database.removeContacts();
        await database.addContacts(count);
        await database.startRun();
        const args = [standIn.url, database.url, String(count), String(perSecond)];
        const engine = startBenchChild(engineFile, args, { NODE_OPTIONS: heapFlags });
        await engine.message('ready');
        engine.process.send('go');
        const { maxRssKb, messages, ms } = await engine.message<Result>('result');
        await engine.stop();
        const speed = `${show((messages / ms) * 1_000)} messages/s`;
        console.log(`  ${count} recipients ${name}: peak ${show(maxRssKb / 1024)} MB, ${speed}`);
        return maxRssKb / 1024;
      };
      const rows: BenchRow[] = [];
      for (const pace of paces) {
        const few = await peak(inSmall(100, 10_000), pace);
        const many = await peak(large, pace);
        rows.push(
          {
            figure: `growth from 10,000 to ${large.toLocaleString('en')} recipients, ${pace.name}`,
            measured: `${show(many - few)} MB (${show(few)} → ${show(many)})`,
            peer: '',
            goal: '≤ 5 MB',
            isMet: many - few <= 5,
          },
          {
            figure: `above an empty Node.js HTTP server, ${pace.name} (sender with ${heapFlags})`,
            measured: `${show(many - emptyMb)} MB`,
            peer: `${show(emptyMb)} MB`,
            goal: '≤ 57 MB',
            isMet: many - emptyMb <= 57,
          },
        );
      }
      return rows;
    } finally {
      await Promise.all([standIn.stop(), database.close()]);
    }
  },
};
