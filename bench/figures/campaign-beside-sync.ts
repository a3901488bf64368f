import { readRunProgress } from '@app/delivery/run-progress';
import type { Bench, BenchRow } from '../harness/bench-report.ts';
import { addPeople, openBenchProduct, type BenchProduct } from '../harness/bench-product.ts';
import { startBenchChild } from '../harness/processes.ts';
import { median, show } from '../harness/rounds.ts';
import { sendCampaign } from '../harness/send-campaign.ts';
import { inSmall } from '../../tools/small-run.ts';

const RATES = [
  { name: 'at the usual rate of a number (80 a second)', perSecond: 80, seconds: inSmall(1, 60) },
  { name: 'as fast as this machine sends', perSecond: 5_000, seconds: null },
] as const;
const LOOK_MS = 250;
/** What the platform reports of a campaign comes after it. */
const REPORTS_MS = inSmall(500, 10_000);

/** How much slower a campaign is while the first sync of a service goes on: the same campaign with and without, in turns, in one product. */
export const campaignBesideSync: Bench = {
  title: 'A campaign while a service is synced',
  async run({ rounds, large }) {
    const product = await openBenchProduct();
    const sandbox = startBenchChild('packages/sandbox/src/main.ts', [], {
      SANDBOX_PORT: new URL(product.sandboxUrl).port,
      SANDBOX_WEBHOOK_URL: `${product.url}/webhooks/whatsapp/sample`,
    });
    try {
      await sandbox.message('port');
      await callSandbox(product, 'whatsapp/behaviour', {
        throughputMps: 0,
        statusDelayMs: 500,
        latencyMs: 0,
      });
      const pool = product.database.database.systemPool;
      await addPeople(product, large);
      await act(product, 'connect', { values: { accessToken: 'sandbox-hubspot-token', appSecret: '' } });
      await untilStill(product);
      await act(product, 'sync');
      await untilStill(product);
      const rows: BenchRow[] = [];
      // Each sync takes in people of its own.
      let begun = 0;
      for (const { name, perSecond, seconds } of RATES) {
        await pool.query('UPDATE channels SET messages_per_second = $1', [perSecond]);
        const people = seconds === null ? large : Math.min(large, perSecond * seconds);
        await pool.query(
          `UPDATE contacts SET tags = '{}' WHERE workspace_id = $1 AND tags @> '{in this campaign}'`,
          [product.workspaceId],
        );
        await pool.query(
          `UPDATE contacts SET tags = '{in this campaign}' WHERE id IN
             (SELECT id FROM contacts WHERE workspace_id = $1 AND status = 'active' AND phone LIKE '+49157%' ORDER BY id LIMIT $2)`,
          [product.workspaceId, people],
        );
        // More than a sync can take in while the campaign is sent.
        const records = seconds === null ? people * inSmall(30, 3) : seconds * 2_500;
        const alone: number[] = [];
        const beside: number[] = [];
        let synced = 0;
        for (let round = 0; round < rounds; round += 1)
          for (const isBeside of round % 2 === 0 ? [false, true] : [true, false]) {
            const before = isBeside ? await beginSync(product, begun, records) : 0;
            if (isBeside) begun += records;
            const taken = await timeCampaign(product);
            if (isBeside) synced += (before - (await endSync(product))) / taken / rounds;
            (isBeside ? beside : alone).push(taken);
            console.log(`  round ${round + 1} ${isBeside ? 'beside a sync' : 'alone'}: ${show(taken)} s`);
          }
        const ratio = median(beside) / median(alone);
        rows.push({
          figure: `a campaign to ${people.toLocaleString('en')} people ${name}, while a service is synced`,
          measured: `${show(median(beside))} s, beside ${show(synced)} records a second`,
          peer: `${show(median(alone))} s alone`,
          ratio,
          ...{ goal: '≤ 1.05 ×', isMet: ratio <= 1.05 },
        });
      }
      return rows;
    } finally {
      await sandbox.stop();
      await product.close();
    }
  },
};

/** Seconds from the first message to the last, by the clock of the server. */
async function timeCampaign(product: BenchProduct): Promise<number> {
  const runNo = await sendCampaign(product, { tags: ['in this campaign'] });
  for (;;) {
    await pause(LOOK_MS);
    const [progress] = await readRunProgress(product.database.database.systemPool, [runNo]);
    if (!progress) throw new Error('The run is gone.');
    const { startedAt, completedAt, counters } = progress;
    if (!startedAt || !completedAt) continue;
    if (counters.accepted < counters.total)
      throw new Error(`${counters.total - counters.accepted} messages did not leave.`);
    await pause(REPORTS_MS);
    return (completedAt.getTime() - startedAt.getTime()) / 1_000;
  }
}

/** Records that were read of the service and wait to become contacts: the part of a sync that takes the most of the machine. */
async function beginSync(product: BenchProduct, from: number, count: number): Promise<number> {
  const pool = product.database.database.systemPool;
  await pool.query(
    `INSERT INTO integration_records (id, workspace_id, integration_id, external_id, is_pending, remote_updated_at, remote_edited_at, remote_values)
     SELECT gen_random_uuid(), i.workspace_id, i.id, 'many-' || n, true, now(), now(),
            jsonb_build_object('name', 'Person ' || n, 'phone', '+4916' || (300000000 + n), 'email', 'many.' || n || '@example.com')
       FROM integrations i, generate_series($2::int + 1, $2::int + $3::int) AS n WHERE i.workspace_id = $1 AND i.kind = 'hubspot'`,
    [product.workspaceId, from, count],
  );
  await pool.query('ANALYZE integration_records');
  await act(product, 'sync');
  return countWaiting(product);
}

/** How many still wait, which is why the sync went on until now. They are taken away, so that it ends. */
async function endSync(product: BenchProduct): Promise<number> {
  const waiting = await countWaiting(product);
  if (waiting === 0) throw new Error('The sync was over before the campaign.');
  await product.database.database.systemPool.query(
    'DELETE FROM integration_records WHERE workspace_id = $1 AND is_pending',
    [product.workspaceId],
  );
  await untilStill(product);
  return waiting;
}

async function countWaiting(product: BenchProduct): Promise<number> {
  const { rows } = await product.database.database.systemPool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM integration_records WHERE workspace_id = $1 AND is_pending',
    [product.workspaceId],
  );
  return rows[0]?.n ?? 0;
}

async function act(product: BenchProduct, path: string, body: object = {}): Promise<void> {
  const answer = await product.post(`/api/integrations/hubspot/${path}`, body);
  if (!answer.ok) throw new Error(`${path} was refused: ${await answer.text()}`);
}

async function untilStill(product: BenchProduct): Promise<void> {
  for (;;) {
    const answer = await product.get('/api/integrations/hubspot');
    const { status } = (await answer.json()) as { status: string }; // the contract's output
    if (status === 'connected') return;
    if (status === 'error') throw new Error('The connection shows an error.');
    await pause(LOOK_MS);
  }
}

async function callSandbox({ sandboxUrl }: BenchProduct, path: string, body: object): Promise<void> {
  const answer = await fetch(`${sandboxUrl}/_sandbox/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`The sandbox refused: ${await answer.text()}`);
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
