import { readFileSync } from 'node:fs';
import { recountRun, readRunProgress } from '@app/delivery/run-progress';
import type { Bench } from '../harness/bench-report.ts';
import { addPeople, openBenchProduct, type BenchProduct } from '../harness/bench-product.ts';
import { startBenchChild } from '../harness/processes.ts';
import { show } from '../harness/rounds.ts';
import { sendCampaign } from '../harness/send-campaign.ts';

const LOOKS_EVERY_MS = 2_000;
const TELLS_EVERY_MS = 30_000;
/** Without any progress for this long, what is left will not come. */
const STUCK_AFTER_MS = 120_000;
/** More than any machine of ours sends: the sender is the limit, not the number. */
const NUMBER_RATE = 5_000;

type Stats = { accepted: number; distinctRecipients: number; byRecipientMax: number; statusesSent: number };

/** One campaign to everybody through the whole product: HTTP, engine, sandbox, and the sandbox's signed webhooks back. */
export const campaignAtSize: Bench = {
  title: 'A large campaign through the whole product',
  async run({ large }) {
    const product = await openBenchProduct();
    const sandbox = startBenchChild('packages/sandbox/src/main.ts', [], {
      SANDBOX_PORT: new URL(product.sandboxUrl).port,
      SANDBOX_WEBHOOK_URL: `${product.url}/webhooks/whatsapp/sample`,
    });
    try {
      await sandbox.message('port');
      await callSandbox(product, { throughputMps: 0, statusDelayMs: 500, latencyMs: 0 });
      const pool = product.database.database.systemPool;
      await pool.query('UPDATE channels SET messages_per_second = $1', [NUMBER_RATE]);
      await addPeople(product, large);
      const startedAt = performance.now();
      const runNo = await sendCampaign(product, {});
      const { counters, seconds, firstMb, mostMb } = await watch(product, runNo, startedAt);
      const recounted = await recountRun(pool, runNo);
      const stats = await readStats(product);
      const settled = counters.accepted + counters.refused + counters.cancelled;
      return [
        {
          figure: `recipients that are settled, of ${counters.total.toLocaleString('en')}`,
          measured: `${settled.toLocaleString('en')} in ${show(seconds)} s (${show(settled / seconds)}/s with their statuses)`,
          peer: '',
          goal: 'all, none unknown',
          isMet: settled === counters.total && counters.unknown === 0,
        },
        {
          figure: 'messages that the platform took, and most for one person',
          measured: `${stats.accepted.toLocaleString('en')}, ${stats.byRecipientMax}`,
          peer: `${counters.accepted.toLocaleString('en')} accepted here`,
          goal: 'equal, 1',
          isMet: stats.accepted === counters.accepted && stats.byRecipientMax === 1,
        },
        {
          figure: 'figures on the screen against a recount',
          measured: JSON.stringify(counters) === JSON.stringify(recounted) ? 'the same' : 'different',
          peer: `${counters.delivered.toLocaleString('en')} delivered, ${counters.read.toLocaleString('en')} read`,
          goal: 'the same',
          isMet: JSON.stringify(counters) === JSON.stringify(recounted),
        },
        {
          figure: 'memory of the server while it sends, above that at the press of Send',
          measured: `${show(mostMb - firstMb)} MB (${show(firstMb)} → ${show(mostMb)})`,
          peer: '',
          goal: '≤ 200 MB',
          isMet: mostMb - firstMb <= 200,
        },
      ];
    } finally {
      await sandbox.stop();
      await product.close();
    }
  },
};

/** Until everybody is settled and no status moves any more. */
async function watch(product: BenchProduct, runNo: number, startedAt: number) {
  const pool = product.database.database.systemPool;
  const firstMb = memoryMb(product.serverPid);
  let mostMb = firstMb;
  let before = '';
  let changedAt = performance.now();
  let toldAt = performance.now();
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, LOOKS_EVERY_MS));
    const [progress] = await readRunProgress(pool, [runNo]);
    if (!progress) throw new Error('The run is gone.');
    const { counters } = progress;
    const now = performance.now();
    mostMb = Math.max(mostMb, memoryMb(product.serverPid));
    if (JSON.stringify(counters) !== before) changedAt = now;
    before = JSON.stringify(counters);
    if (now - toldAt > TELLS_EVERY_MS) {
      toldAt = now;
      console.log(
        `  ${show((now - startedAt) / 1_000)} s: ${counters.accepted} accepted, ${counters.delivered} delivered, ${counters.read} read, server ${show(mostMb)} MB at most`,
      );
    }
    const isOver = progress.completedAt !== null && now - changedAt > 10_000;
    if (isOver || now - changedAt > STUCK_AFTER_MS)
      return { counters, seconds: (changedAt - startedAt) / 1_000, firstMb, mostMb };
  }
}

async function callSandbox({ sandboxUrl }: BenchProduct, behaviour: object): Promise<void> {
  const answer = await fetch(`${sandboxUrl}/_sandbox/whatsapp/behaviour`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(behaviour),
  });
  if (!answer.ok) throw new Error(`The sandbox refused: ${await answer.text()}`);
}

async function readStats({ sandboxUrl }: BenchProduct): Promise<Stats> {
  return (await (await fetch(`${sandboxUrl}/_sandbox/whatsapp/stats`)).json()) as Stats; // surface of the sandbox
}

/** What a process holds at this moment (Linux). */
function memoryMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
