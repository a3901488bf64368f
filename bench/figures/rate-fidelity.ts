import type { Bench, BenchRow } from '../harness/bench-report.ts';
import { openBenchDatabase } from '../harness/bench-database.ts';
import { startBenchChild } from '../harness/processes.ts';
import { show } from '../harness/rounds.ts';
import { inSmall } from '../../tools/small-run.ts';

const seconds = inSmall(4, 15);

type Stats = { accepted: number; maxInAnySecond: number };

/** How near the engine comes to what a number may send, judged by the sandbox over a true sliding second. */
export const rateFidelity: Bench = {
  title: 'Rate fidelity',
  async run() {
    const database = await openBenchDatabase();
    const sandbox = startBenchChild('packages/sandbox/src/main.ts', [], {
      SANDBOX_PORT: '0',
      SANDBOX_WEBHOOK_URL: 'http://127.0.0.1:9/none',
    });
    const url = `http://127.0.0.1:${await sandbox.message<number>('port')}`;
    const control = async (path: string, body?: object): Promise<unknown> =>
      (
        await fetch(`${url}/_sandbox/${path}`, {
          ...(body && {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          }),
        })
      ).json();
    try {
      const rows: BenchRow[] = [];
      for (const cap of inSmall([20], [20, 80, 1_000])) {
        await control('reset', {});
        await control('whatsapp/behaviour', {
          throughputMps: 0,
          windowError: 'off',
          pairLimit: false,
          deliveredRate: 0,
          statusDelayMs: 600_000,
        });
        await database.removeContacts();
        await database.addContacts(cap * seconds);
        await database.startRun({ type: 'text', body: 'Hello {{name}}' });
        const engine = startBenchChild('bench/contestants/engine.ts', [
          `${url}/graph`,
          database.url,
          String(cap * seconds),
          String(cap),
          '',
          'sandbox-access-token',
        ]);
        await engine.message('ready');
        engine.process.send('go');
        await waitForFirst(control);
        const startedAt = performance.now();
        const before = ((await control('whatsapp/stats')) as Stats).accepted;
        await new Promise((resolve) => setTimeout(resolve, (seconds - 3) * 1_000));
        const { accepted, maxInAnySecond } = (await control('whatsapp/stats')) as Stats;
        const ratio = (accepted - before) / ((performance.now() - startedAt) / 1_000) / cap;
        await engine.stop();
        rows.push({
          figure: `cap of ${cap} per second`,
          measured: `${show(ratio * cap)} messages/s, at most ${maxInAnySecond} in any sliding second`,
          peer: `${cap}`,
          ratio,
          goal: '≥ 0.99, never more than the cap',
          isMet: ratio >= 0.99 && maxInAnySecond <= cap,
        });
        console.log(`  ${rows.at(-1)?.figure}: ${rows.at(-1)?.measured}`);
      }
      return rows;
    } finally {
      await Promise.all([sandbox.stop(), database.close()]);
    }
  },
};

async function waitForFirst(control: (path: string) => Promise<unknown>): Promise<void> {
  while (((await control('whatsapp/stats')) as Stats).accepted === 0)
    await new Promise((resolve) => setTimeout(resolve, 20));
}
