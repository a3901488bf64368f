import {
  addDueRuns,
  countRuns,
  openElsewhere,
  publishWorkflow,
  quantile,
  turnOnBot,
  type Elsewhere,
} from '../flow-crowd.ts';
import type { FaultOptions, FaultReport } from '../fault-report.ts';
import { openTwoHosts, type TwoHosts } from '../two-hosts.ts';
import { pause, waitUntil } from '../world.ts';
import { inSmall } from '../../tools/small-run.ts';

const RUNS = 1_000_000;
const CUSTOMERS = inSmall(3, 60);
const APART_MS = 300;
/** Of the answers while nothing else runs, and beside all that is due. */
const MOST_MS = 150;
/** Inserting runs takes about so long for each thousand. */
const MS_PER_THOUSAND = 120;
const PATIENCE_MS = 1_800_000;

/**
 * Very many runs of one workspace are due in one second: the bot and a workflow of another workspace answer as before, in two whole processes and in one
 * for requests and one for work. No run is lost.
 */
export async function answerBesideFlows({ messages = RUNS }: FaultOptions): Promise<FaultReport> {
  const figures: FaultReport['figures'] = { 'runs due in one second': messages };
  let isPassed = true;
  for (const [name, roles] of [
    ['both processes whole', []],
    ['one for requests, one for work', ['web', 'worker']],
  ] as const) {
    const product = await openTwoHosts({}, roles);
    try {
      const round = await playRound(product, messages);
      const medians = { bot: quantile(round.bot, 0.5), workflow: quantile(round.workflow, 0.5) };
      isPassed &&= round.lost === 0 && medians.bot <= MOST_MS && medians.workflow <= 2 * MOST_MS;
      figures[`${name}: bot alone, median`] = `${Math.round(quantile(round.alone, 0.5))} ms`;
      for (const who of ['bot', 'workflow'] as const)
        figures[`${name}: ${who} beside the runs, median of ${round[who].length}`] =
          `${Math.round(medians[who])} ms, nine of ten within ${Math.round(quantile(round[who], 0.9))} ms`;
      figures[`${name}: runs lost`] = round.lost;
    } finally {
      await product.close();
    }
  }
  return { isPassed, figures };
}

async function playRound(product: TwoHosts, count: number) {
  await product.sandbox('whatsapp/behaviour', {
    ...{ windowError: 'off', pairLimit: false, throughputMps: 0, latencyMs: [0, 20], statusDelayMs: 50 },
  });
  await turnOnBot(product);
  await publishWorkflow(product, {
    ...{ name: 'Hours', start: 'say' },
    triggers: [
      { id: 'begin', type: 'message_received', config: { match: 'contains', words: ['opening hours'] } },
    ],
    steps: [
      { id: 'say', type: 'send_message', config: { content: 'text', text: 'Nine to five.' }, next: {} },
    ],
  });
  await ask(product, 0, CUSTOMERS);
  const alone = (await readTimes(product)).map(({ ms }) => ms);
  const elsewhere = await openElsewhere(product);
  const at = new Date(Date.now() + 5_000 + (count / 1_000) * MS_PER_THOUSAND);
  await addDueRuns(product, elsewhere, { count, at });
  await product.database.systemPool.query('VACUUM ANALYZE flow_runs');
  await pause(Math.max(0, at.getTime() - Date.now()));
  const asked = await askWhileDue(product, elsewhere);
  await waitUntil('all runs have ended', PATIENCE_MS, async () => {
    await pause(1_000);
    return (await countRuns(product, elsewhere)).running === 0;
  });
  const times = (await readTimes(product)).filter(({ phone }) => asked.has(phone));
  const { completed } = await countRuns(product, elsewhere);
  return {
    alone,
    bot: times.filter(({ said }) => said.includes('size')).map(({ ms }) => ms),
    workflow: times.filter(({ said }) => !said.includes('size')).map(({ ms }) => ms),
    lost: count - completed,
  };
}

const phoneOf = (customer: number) => `4479110${30_000 + customer}`;

async function ask(product: TwoHosts, from: number, to: number): Promise<void> {
  for (let customer = from; customer < to; customer += 1) {
    const text = customer % 3 === 2 ? 'What are your opening hours?' : 'Which size?';
    await product.sandbox('whatsapp/inbound', {
      ...{ from: phoneOf(customer), name: `Customer ${customer}`, text },
    });
    await pause(APART_MS);
  }
}

/** Customers who wrote while runs were due, by their numbers. */
async function askWhileDue(product: TwoHosts, elsewhere: Elsewhere): Promise<Set<string>> {
  const asked = new Set<string>();
  for (let customer = CUSTOMERS; customer < 3 * CUSTOMERS; customer += 1) {
    const { rowCount } = await product.database.systemPool.query(
      'SELECT FROM flow_runs WHERE workspace_id = $1 AND due_at <= now() LIMIT 1',
      [elsewhere.workspaceId],
    );
    if (!rowCount) break;
    await ask(product, customer, customer + 1);
    asked.add(`+${phoneOf(customer)}`);
  }
  return asked;
}

/** From the arrival of each message to the answer that has left. */
async function readTimes(product: TwoHosts): Promise<{ phone: string; said: string; ms: number }[]> {
  const read = async () =>
    (
      await product.database.systemPool.query<{ phone: string; said: string; ms: number | null }>(
        `SELECT k.phone, i.text AS said, extract(epoch FROM min(o.accepted_at) - i.received_at)::float8 * 1000 AS ms
           FROM messages i JOIN contacts k ON k.id = i.contact_id
           LEFT JOIN messages o ON o.contact_id = i.contact_id AND o.direction = 'out' AND o.accepted_at IS NOT NULL
          WHERE i.workspace_id = $1 AND i.direction = 'in' AND k.phone LIKE '+4479110%' GROUP BY i.id, k.phone`,
        [product.workspaceId],
      )
    ).rows;
  let times = await read();
  await waitUntil('every customer is answered', 300_000, async () => {
    times = await read();
    return times.every(({ ms }) => ms !== null);
  });
  return times.map(({ phone, said, ms }) => ({ phone, said, ms: ms ?? Number.NaN }));
}
