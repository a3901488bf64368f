import { randomUUID } from 'node:crypto';
import { defaultBotSettings } from '@app/domain/chatbot/bot-settings';
import { newBotState } from '@app/domain/chatbot/bot-state';
import { decideAnswer, type ActiveBotFlow } from '@app/domain/chatbot/decide-answer';
import { createSandbox } from '@app/sandbox/sandbox';
import { openBenchProduct, type BenchProduct } from '../harness/bench-product.ts';
import type { Bench, BenchRow } from '../harness/bench-report.ts';
import { show } from '../harness/rounds.ts';
import { inSmall } from '../../tools/small-run.ts';

const FLOWS = inSmall(10, 1_000);
const KEYWORDS = 20;
/** Of one message. */
const WORDS = 12;
const CHOICES = inSmall(10, 2_000);
const CUSTOMERS = inSmall(3, 60);
const PAUSE_MS = 250;
const LONGEST_MS = 120_000;

/** How long the bot takes to choose among many flows, and from the arrival of a message to the answer that has left, without a model. */
export const botAnswers: Bench = {
  title: 'Answers of the bot',
  async run() {
    const rows = [measureChoice()];
    const product = await openBenchProduct();
    const whatsappCallbackUrl = `${product.url}/webhooks/whatsapp/sample`;
    const sandbox = createSandbox({ whatsappCallbackUrl });
    try {
      await sandbox.start({ port: Number(new URL(product.sandboxUrl).port) });
      await turnOn(product);
      return [...rows, await measureAnswers(product)];
    } finally {
      await sandbox.close();
      await product.close();
    }
  },
};

/** Processor time of one decision: the messages are all new, and the flows are read anew for each, as they are from the database. */
function measureChoice(): BenchRow {
  let seed = 23;
  const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
  const word = () =>
    Array.from({ length: 3 + Math.floor(random() * 8) }, () =>
      String.fromCharCode(97 + Math.floor(random() * 26)),
    ).join('');
  const value = () => Array.from({ length: KEYWORDS }, (_, n) => (n % 3 ? word() : `${word()} ${word()}`));
  const flows = Array.from({ length: FLOWS }, (_, n): ActiveBotFlow => {
    const triggers = [{ type: 'keyword' as const, value: value().join('|') }];
    return { id: randomUUID(), name: `Flow ${n}`, stamp: '1', triggers };
  });
  const decide = () =>
    decideAnswer({
      settings: { ...defaultBotSettings, isEnabled: true },
      message: {
        ...{
          text: Array.from({ length: WORDS }, word).join(' '),
          writtenAt: Date.now(),
          receivedAt: Date.now(),
          language: 'en',
        },
        ...{ isBlocked: false, isOptedOut: false, isConsentWord: false, isOwnNumber: false, isTap: false },
        ...{ lastAnswer: null, recentAnswers: 0, agentWroteAt: null },
      },
      ...{
        before: newBotState(0),
        wasTalking: false,
        isOpen: true,
        model: { state: 'none' },
        now: Date.now(),
      },
      flows: flows.map((flow) => ({ ...flow, triggers: [...flow.triggers] })),
    });
  for (let n = 0; n < CHOICES / 10; n += 1) decide();
  const before = process.cpuUsage();
  for (let n = 0; n < CHOICES; n += 1) decide();
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1_000 / CHOICES;
  return {
    figure: `choice among ${FLOWS.toLocaleString('en')} flows of ${KEYWORDS} keywords, processor time`,
    ...{ measured: `${ms.toFixed(2)} ms`, peer: '', goal: '≤ 1 ms', isMet: ms <= 1 },
  };
}

async function turnOn(product: BenchProduct): Promise<void> {
  const made = await product.post('/api/bot-flows', {
    ...{ name: 'Sizes', trigger: { type: 'keyword', value: 'size' } },
    responses: [{ type: 'text', content: 'We have all sizes.' }],
  });
  const { id } = (await made.json()) as { id: string };
  await put(product, `/api/bot-flows/${id}/active`, { isActive: true });
  const { version } = (await (await product.get('/api/bot/settings')).json()) as { version: number };
  await put(product, '/api/bot/settings', { isEnabled: true, responseDelay: 0, version });
}

async function put({ url, cookie }: BenchProduct, path: string, body: object): Promise<void> {
  const answer = await fetch(`${url}${path}`, {
    method: 'PUT',
    headers: { cookie, origin: url, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}

async function measureAnswers(product: BenchProduct): Promise<BenchRow> {
  const { systemPool } = product.database.database;
  for (let n = 0; n < CUSTOMERS; n += 1) {
    const said = await fetch(`${product.sandboxUrl}/_sandbox/whatsapp/inbound`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ from: `4479110${30_000 + n}`, name: `Customer ${n}`, text: 'Which size?' }),
    });
    if (!said.ok) throw new Error(`The sandbox refused a message: ${said.status}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  const until = Date.now() + LONGEST_MS;
  for (;;) {
    const { rows } = await systemPool.query<{ n: number; median: number | null; nine: number | null }>(
      `SELECT count(*)::int AS n, percentile_cont(0.5) WITHIN GROUP (ORDER BY ms)::float8 AS median,
              percentile_cont(0.9) WITHIN GROUP (ORDER BY ms)::float8 AS nine
         FROM (SELECT extract(epoch FROM o.accepted_at - i.received_at) * 1000 AS ms
                 FROM messages i JOIN messages o ON o.contact_id = i.contact_id AND o.direction = 'out' AND o.accepted_at IS NOT NULL
                WHERE i.workspace_id = $1 AND i.direction = 'in' AND i.text = 'Which size?') AS answers`,
      [product.workspaceId],
    );
    const { n, median, nine } = rows[0]!; // one row of figures
    if (n >= CUSTOMERS && median !== null && nine !== null)
      return {
        figure: `from the arrival of a message to the answer that has left, median of ${n}`,
        measured: `${show(median)} ms, nine of ten within ${show(nine)} ms`,
        ...{ peer: '', goal: '≤ 150 ms', isMet: median <= 150 },
      };
    if (Date.now() > until) throw new Error(`${n} of ${CUSTOMERS} messages were answered`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
