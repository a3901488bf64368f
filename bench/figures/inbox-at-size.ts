import { type BenchProduct, openBenchProduct, signIn } from '../harness/bench-product.ts';
import type { Bench, BenchRow } from '../harness/bench-report.ts';
import { fillInbox } from '../harness/inbox/fill-inbox.ts';
import { type Asked, questionsOf } from '../harness/inbox/inbox-questions.ts';
import { cpuOfTree } from '../harness/processes.ts';
import { show } from '../harness/rounds.ts';
import { percentile } from './contacts-at-size.ts';
import { inSmall } from '../../tools/small-run.ts';

const GOAL_MS = 100;
/** What PostgreSQL counts of its tables is told after a second. */
const COUNTED_AFTER_MS = inSmall(10, 1_200);

/** List, search and chat of the inbox, by the API as the page of an agent calls them: `--full` asks them of a year with 10,000,000 messages. */
export const inboxAtSize: Bench = {
  title: 'Inbox at size',
  async run({ rounds, size, home }) {
    const product = await openBenchProduct(home === undefined ? {} : { home });
    try {
      if (product.database.isNew) await product.withoutServer(() => fillInbox(product, size));
      const cookie = await signIn(product.url, 'agent@example.com');
      const rows: BenchRow[] = [];
      for (const asked of await questionsOf(product, cookie))
        rows.push(await measure(product, cookie, asked, inSmall(1, rounds * 8)));
      return rows;
    } finally {
      await product.close();
    }
  },
};

async function measure(
  product: BenchProduct,
  cookie: string,
  { figure, path }: Asked,
  times: number,
): Promise<BenchRow> {
  const ask = async () => {
    const begun = performance.now();
    const response = await fetch(`${product.url}${path}`, { headers: { cookie } });
    const length = (await response.arrayBuffer()).byteLength;
    if (!response.ok) throw new Error(`${figure}: ${response.status}`);
    return { ms: performance.now() - begun, length };
  };
  const { ms: first, length } = await ask();
  const before = await scannedRows(product);
  const [server, postgres] = [cpuOfTree(product.serverPid), cpuOfTree(product.database.serverPid)];
  const taken: number[] = [];
  for (let time = 0; time < times; time += 1) taken.push((await ask()).ms);
  const cpu = (now: number, then: number) => show((now - then) / times / 1e3);
  const used = `${cpu(cpuOfTree(product.serverPid), server)} + ${cpu(cpuOfTree(product.database.serverPid), postgres)}`;
  const scanned = (await scannedRows(product)) - before;
  const [p50, p95] = [percentile(taken, 50), percentile(taken, 95)];
  const measured = `p50 ${show(p50)} ms, p95 ${show(p95)} ms, first ${show(first)} ms; CPU ${used} ms; ${show(length / 1024)} kB; ${
    scanned === 0 ? 'by indexes alone' : `${show(scanned / times)} rows read without an index`
  }`;
  console.log(`  ${figure}: ${measured}`);
  return { figure, measured, peer: '', goal: `p95 ≤ ${GOAL_MS} ms`, isMet: p95 <= GOAL_MS };
}

/** Rows of the large tables that were read one after the other, in place of by an index. */
async function scannedRows({ database }: BenchProduct): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, COUNTED_AFTER_MS));
  const { rows } = await database.database.systemPool.query<{ read: string }>(
    `SELECT sum(seq_tup_read) AS read FROM pg_stat_user_tables WHERE relname IN ('messages', 'conversations', 'contacts', 'message_files')`,
  );
  return Number(rows[0]?.read ?? 0);
}
