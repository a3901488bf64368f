import { newId } from '@app/database/new-id';
import type { FaultOptions, FaultReport } from '../fault-report.ts';
import { openTwoHosts, type TwoHosts } from '../two-hosts.ts';
import { pause } from '../world.ts';
import { inSmall } from '../../tools/small-run.ts';

const CUSTOMERS = inSmall(5, 200);
const PHONES = '+49157500%';
/** What one customer writes is further apart than what counts as one. */
const APART_MS = 2_200;
const LONGEST_MS = 600_000;
/** How long after a message the process dies. */
const MOMENT_MS = 1_500;

/**
 * `kill -9` of either of two processes while the bot is in a dialogue with 200 customers: each message gets one answer of its flow, nobody hears anything
 * twice, and no conversation gets stuck.
 */
export async function killBots({ kills = 8, random }: FaultOptions): Promise<FaultReport> {
  const product = await openTwoHosts();
  try {
    await product.sandbox('whatsapp/behaviour', {
      ...{ windowError: 'off', pairLimit: false, throughputMps: 0, latencyMs: [0, 20], statusDelayMs: 50 },
      ...{ webhookRetryBaseMs: 200, webhookRetryCapMs: 2_000 },
    });
    await turnOn(product);
    const numbers = Array.from({ length: CUSTOMERS }, (_, n) => `49157500${1000 + n}`);
    const rounds = kills + 1;
    for (let round = 0; round < rounds; round += 1) {
      // By turns the question is asked and answered.
      const text = round % 2 === 0 ? 'Which size?' : 'Medium';
      await product.sandbox(
        'whatsapp/inbound',
        numbers.map((from) => ({ from, name: `Customer ${from}`, text })),
      );
      // Whatever the kills left: in the last round everybody is answered as ever.
      if (round < kills) {
        await pause(random() * MOMENT_MS);
        await product.kill(random() < 0.5 ? 0 : 1);
      }
      await settle(product, CUSTOMERS * (round + 1));
      await pause(APART_MS);
    }
    return await audit(product, { rounds, numbers });
  } finally {
    await product.close();
  }
}

async function turnOn(product: TwoHosts): Promise<void> {
  const change = async (path: string, body: object, method: 'POST' | 'PUT' = 'POST') => {
    const answer = await product.ask({ method, path, body, key: newId() });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
    return answer.body as { id: string };
  };
  const { id } = await change('/api/bot-flows/import', {
    ...{ kind: 'bot', name: 'Sizes', start: 'ask' },
    triggers: [{ id: 'begin', type: 'keyword', config: { value: 'size' } }],
    steps: [
      {
        ...{ id: 'ask', type: 'ask', next: { done: 'say' } },
        config: {
          ...{ text: 'Which one do you want?', answer: 'text', save_to: 'flow', attempts: 1 },
          timeout: { amount: 1, unit: 'days' },
        },
      },
      {
        ...{ id: 'say', type: 'send_message', next: {} },
        config: { content: 'text', text: 'We have {{steps.ask.answer}}.' },
      },
    ],
  });
  await change(`/api/workflows/${id}/publish`, { version: 1 });
  await change(`/api/bot-flows/${id}/active`, { isActive: true }, 'PUT');
  const { body } = await product.ask({ method: 'GET', path: '/api/bot/settings' });
  const { version } = body as { version: number };
  await change(
    '/api/bot/settings',
    { isEnabled: true, responseDelay: 200, maxConversationLength: 1_000, version },
    'PUT',
  );
}

/** All messages have arrived and are answered, and nothing waits any more but questions for their answers. */
async function settle({ database, workspaceId }: TwoHosts, messages: number): Promise<void> {
  const until = Date.now() + LONGEST_MS;
  for (;;) {
    const { rows } = await database.systemPool.query<{ arrived: number; open: number }>(
      `WITH arrived AS (
         SELECT m.id FROM messages m JOIN contacts k ON k.id = m.contact_id WHERE m.workspace_id = $1 AND m.direction = 'in' AND k.phone LIKE $2)
       SELECT (SELECT count(*)::int FROM arrived) AS arrived,
              (SELECT count(*)::int FROM flow_starts WHERE workspace_id = $1 AND state = 'open')
            + (SELECT count(*)::int FROM flow_runs r JOIN flows f ON f.id = r.flow_id AND f.kind = 'bot'
                WHERE r.workspace_id = $1 AND r.status = 'running' AND r.wait IS DISTINCT FROM 'reply')
            + (SELECT count(*)::int FROM flow_inputs WHERE workspace_id = $1 AND is_open)
            + (SELECT count(*)::int FROM messages WHERE workspace_id = $1 AND state IN ('queued', 'sending') AND author = 'bot')
            + (SELECT count(*)::int FROM arrived WHERE NOT EXISTS (SELECT FROM bot_answers a WHERE a.message_id = arrived.id)) AS open`,
      [workspaceId, PHONES],
    );
    const { arrived, open } = rows[0]!; // one row of counts
    if (arrived === messages && open === 0) return;
    if (Date.now() > until) throw new Error(`${arrived} of ${messages} messages arrived, ${open} are open`);
    await pause(500);
  }
}

async function audit(
  { database, workspaceId, sandbox }: TwoHosts,
  { rounds, numbers }: { rounds: number; numbers: readonly string[] },
): Promise<FaultReport> {
  const { rows } = await database.systemPool.query<{ answers: number; sent: number; unknown: number }>(
    `SELECT (SELECT count(*)::int FROM bot_answers a JOIN contacts c ON c.id = a.contact_id
              WHERE a.workspace_id = $1 AND a.rule IN ('flow', 'run') AND c.phone LIKE $2) AS answers,
            count(*) FILTER (WHERE state = 'accepted')::int AS sent, count(*) FILTER (WHERE state = 'unknown')::int AS unknown
       FROM messages m JOIN contacts k ON k.id = m.contact_id
      WHERE m.workspace_id = $1 AND m.direction = 'out' AND m.author = 'bot' AND k.phone LIKE $2`,
    [workspaceId, PHONES],
  );
  const { answers, sent, unknown } = rows[0]!; // one row of counts
  let onPhones = 0;
  let twice = 0;
  let missing = 0;
  for (const number of numbers) {
    const { messages } = await sandbox<{ messages: unknown[] }>(
      `whatsapp/messages?recipient=%2B${number}&limit=100`,
    );
    onPhones += messages.length;
    twice += Math.max(0, messages.length - rounds);
    missing += Math.max(0, rounds - messages.length);
  }
  return {
    // A message of which nobody knows whether it left is not sent again: it may be missing on the phone.
    isPassed: twice === 0 && missing <= unknown && answers === numbers.length * rounds,
    figures: {
      ...{ kills: rounds - 1, customers: numbers.length, answers, sent },
      ...{ 'nobody knows whether it left': unknown, 'on phones': onPhones, twice, missing },
    },
  };
}
