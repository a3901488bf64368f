import type { Bench } from '../harness/bench-report.ts';
import { openBenchDatabase } from '../harness/bench-database.ts';
import { bundle } from '../harness/bundle.ts';
import { startBenchChild, startStandIn } from '../harness/processes.ts';
import { show } from '../harness/rounds.ts';

type Result = { maxRssKb: number };

/** What the sender holds is about 15 MB; a larger heap only puts the collector's work off. */
const heapFlags = '--max-semi-space-size=1 --max-old-space-size=64';

/** Peak memory of the sending process, bundled, for a small and a large audience. */
export const senderMemory: Bench = {
  title: 'Memory of the sending process',
  async run({ large }) {
    const engineFile = bundle('bench/contestants/engine.ts');
    const [database, standIn] = [await openBenchDatabase(), await startStandIn()];
    try {
      const empty = startBenchChild('bench/contestants/empty-server.ts');
      const emptyMb = (await empty.message<number>('rssKb')) / 1024;
      await empty.stop();
      const peak = async (count: number): Promise<number> => {
        await database.removeContacts();
        await database.addContacts(count);
        await database.startRun();
        const engine = startBenchChild(engineFile, [standIn.url, database.url, String(count)], {
          NODE_OPTIONS: heapFlags,
        });
        await engine.message('ready');
        engine.process.send('go');
        const { maxRssKb } = await engine.message<Result>('result');
        await engine.stop();
        console.log(`  ${count} recipients: peak ${show(maxRssKb / 1024)} MB`);
        return maxRssKb / 1024;
      };
      const few = await peak(10_000);
      const many = await peak(large);
      return [
        {
          figure: `growth from 10,000 to ${large.toLocaleString('en')} recipients`,
          measured: `${show(many - few)} MB (${show(few)} → ${show(many)})`,
          peer: '',
          goal: '≤ 5 MB',
          isMet: many - few <= 5,
        },
        {
          figure: `above an empty Node.js HTTP server (sender with ${heapFlags})`,
          measured: `${show(many - emptyMb)} MB`,
          peer: `${show(emptyMb)} MB`,
          goal: '≤ 57 MB',
          isMet: many - emptyMb <= 57,
        },
      ];
    } finally {
      await Promise.all([standIn.stop(), database.close()]);
    }
  },
};
