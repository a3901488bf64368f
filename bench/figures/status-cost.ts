import { formatDeliveryTag } from '@app/domain/delivery/delivery-tag';
import { applyStatuses } from '@app/delivery/statuses/apply-statuses';
import type { StatusReport } from '@app/delivery/core/aggregate-statuses';
import { applyDeltas } from '@app/delivery/statuses/apply-deltas';
import { settleRecipients } from '@app/delivery/recipients/settle-recipients';
import { inTransaction } from '@app/delivery/transaction';
import type { Bench } from '../harness/bench-report.ts';
import { type BenchDatabase, openBenchDatabase } from '../harness/bench-database.ts';
import { median, show } from '../harness/rounds.ts';

const perBatch = 500;

/** Three statuses for every recipient of a run, in random order as webhooks bring them: event, row and counter durable. */
export const statusCost: Bench = {
  title: 'Cost of a status',
  async run({ rounds, messages }) {
    const database = await openBenchDatabase();
    try {
      await database.addContacts(messages);
      const samples: Awaited<ReturnType<typeof measure>>[] = [];
      for (let round = 0; round < Math.min(rounds, 3); round += 1) {
        samples.push(await measure(database, messages));
        console.log(`  round ${round + 1}: ${JSON.stringify(samples.at(-1))}`);
      }
      const of = (figure: keyof (typeof samples)[number]): number =>
        median(samples.map((sample) => sample[figure]));
      return [
        {
          figure: 'statuses applied per second, batches of 500',
          measured: show(of('perSecond')),
          peer: '',
          goal: '≥ 20,000',
          isMet: of('perSecond') >= 20_000,
        },
        {
          figure: 'growth of the table after settling and three statuses',
          measured: `${show(of('growth') * 100)} %`,
          peer: '',
          goal: '≤ 10 %',
          isMet: of('growth') <= 0.1,
        },
        {
          figure: 'changes that stayed in their page (HOT)',
          measured: `${show(of('hotShare') * 100)} %`,
          peer: '',
          goal: '≥ 95 %',
          isMet: of('hotShare') >= 0.95,
        },
        {
          figure: 'disk per recipient, events and indexes included',
          measured: `${show(of('bytesEach'))} bytes`,
          peer: '',
          goal: '≤ 650 bytes',
          isMet: of('bytesEach') <= 650,
        },
      ];
    } finally {
      await database.close();
    }
  },
};

async function measure(database: BenchDatabase, messages: number) {
  const pool = database.database.systemPool;
  const runNo = await database.startRun();
  const sizeBefore = await tableSize(database, 'delivery_recipients');
  const fence = { owner: 'bench', epoch: 1 };
  await pool.query(
    `UPDATE delivery_runs SET owner = 'bench', epoch = 1, cursor = total, state = 'running' WHERE run_no = $1`,
    [runNo],
  );
  for (let from = 0; from < messages; from += 1_000)
    await settleRecipients(
      pool,
      runNo,
      fence,
      Array.from({ length: Math.min(1_000, messages - from) }, (_, place) => ({
        seq: from + place,
        attempt: 1,
        isRetry: false,
        at: Date.now(),
        settlement: { to: 'accepted', providerMessageId: messageId(from + place) },
        giveBack: null,
      })),
    );
  const startedAt = performance.now();
  for (const status of ['sent', 'delivered', 'read'] as const) {
    const order = shuffled(messages);
    for (let from = 0; from < messages; from += perBatch) {
      const reports = order.slice(from, from + perBatch).map((seq) => toReport(database, runNo, seq, status));
      await inTransaction(pool, (client) => applyStatuses(client, reports));
    }
    await applyDeltas(pool);
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  await pool.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await pool.query<{ updates: string; hot: string }>(
    `SELECT sum(n_tup_upd) AS updates, sum(n_tup_hot_upd) AS hot FROM pg_stat_user_tables WHERE relname LIKE 'delivery_recipients_%'`,
  );
  const sizeAfter = await tableSize(database, 'delivery_recipients');
  const all = await totalSize(database);
  await pool.query('DELETE FROM delivery_runs WHERE run_no = $1', [runNo]);
  await pool.query('TRUNCATE delivery_recipients, delivery_events');
  return {
    perSecond: (messages * 3) / seconds,
    growth: sizeAfter / sizeBefore - 1,
    hotShare: Number(rows[0]?.hot) / Number(rows[0]?.updates),
    bytesEach: all / messages,
  };
}

function toReport(
  database: BenchDatabase,
  runNo: number,
  seq: number,
  status: StatusReport['status'],
): StatusReport {
  return {
    workspaceId: database.workspaceId,
    tag: formatDeliveryTag({ runNo, seq, attempt: 1 }),
    status,
    occurredAt: Date.now(),
    messageId: messageId(seq),
    error: null,
    action: null,
  };
}

function messageId(seq: number): string {
  return `wamid.${Buffer.from(`HBgNNDkxNTc${seq}`.padEnd(42, '7')).toString('base64')}`;
}

function shuffled(count: number): number[] {
  const order = Array.from({ length: count }, (_, place) => place);
  for (let place = count - 1; place > 0; place -= 1) {
    const other = Math.floor(Math.random() * (place + 1));
    [order[place], order[other]] = [order[other] ?? 0, order[place] ?? 0];
  }
  return order;
}

async function tableSize(database: BenchDatabase, prefix: string): Promise<number> {
  const { rows } = await database.database.systemPool.query<{ bytes: string }>(
    `SELECT sum(pg_relation_size(relid)) AS bytes FROM pg_stat_user_tables WHERE relname LIKE $1 || '_%'`,
    [prefix],
  );
  return Number(rows[0]?.bytes);
}

async function totalSize(database: BenchDatabase): Promise<number> {
  const { rows } = await database.database.systemPool.query<{ bytes: string }>(
    `SELECT sum(pg_total_relation_size(relid)) AS bytes FROM pg_stat_user_tables
     WHERE relname LIKE 'delivery_recipients_%' OR relname LIKE 'delivery_events_%'`,
  );
  return Number(rows[0]?.bytes);
}
