import { deliver, publishWorkflow, turnOnBot } from '../flow-crowd.ts';
import type { FaultOptions, FaultReport } from '../fault-report.ts';
import { openTwoHosts, type TwoHosts } from '../two-hosts.ts';
import { pause, waitUntil } from '../world.ts';

const MESSAGES = 10_000;
const PER_THREAD = 25;
const PER_WEBHOOK = 500;
const PATIENCE_MS = 600_000;
const BUSINESS = '447700900100';
const DAY_S = 86_400;

/**
 * A number is connected, and the platform hands over its history, of which the newest messages are a minute old: they are stored, and neither the bot nor a
 * workflow nor the automatic reply answers one. A customer who writes meanwhile is answered once.
 */
export async function ignoreHistory({ messages = MESSAGES, random }: FaultOptions): Promise<FaultReport> {
  const product = await openTwoHosts();
  try {
    await product.sandbox('whatsapp/behaviour', { windowError: 'off', pairLimit: false, latencyMs: [0, 20] });
    await turnOnBot(product);
    await turnOnAutomaticReply(product);
    const flowIds = [
      await publishWorkflow(product, {
        ...{ name: 'Answers', start: 'say' },
        triggers: [{ id: 'begin', type: 'message_received', config: { match: 'any' } }],
        steps: [{ id: 'say', type: 'send_message', config: { content: 'text', text: 'Hi!' }, next: {} }],
      }),
      await publishWorkflow(product, {
        ...{ name: 'Marks', start: 'mark' },
        triggers: [{ id: 'begin', type: 'new_contact', config: {} }],
        steps: [{ id: 'mark', type: 'add_tag', config: { tag: 'new' }, next: {} }],
      }),
    ];
    const before = await countAnswers(product, flowIds[0]!);
    for (const part of historyOf(messages, random)) await deliver(product, 'history', { history: [part] });
    await product.sandbox('whatsapp/inbound', {
      ...{ from: '447911099999', name: 'Customer', text: 'Which size?' },
    });
    await waitUntil(
      'the history is stored',
      PATIENCE_MS,
      async () => (await countStored(product)) >= messages,
    );
    await waitUntil('the customer is answered', PATIENCE_MS, async () => (await onPhone(product)) > 0);
    await waitUntil('every consumer has read every fact', PATIENCE_MS, async () => {
      const { rowCount } = await product.database.systemPool.query(
        `SELECT FROM events e, event_consumers c WHERE e.type = 'messages.arrived' AND NOT pg_visible_in_snapshot(e.txid, c.seen) LIMIT 1`,
      );
      return !rowCount;
    });
    await pause(3_000);
    const after = await countAnswers(product, flowIds[0]!);
    const faults = {
      'answers of the bot': after.bot - before.bot - 1,
      'runs of the workflow that answers': after.runs - before.runs,
      'messages that were sent': after.sent - before.sent - 1,
      'answers to the customer beyond one': (await onPhone(product)) - 1,
    };
    return {
      isPassed: Object.values(faults).every((count) => count === 0),
      figures: { 'messages of the history': await countStored(product), ...faults },
    };
  } finally {
    await product.close();
  }
}

async function turnOnAutomaticReply(product: TwoHosts): Promise<void> {
  await product.database.systemPool.query(
    `UPDATE workspaces SET settings = settings || '{"autoReplyEnabled": true, "autoReplyMessage": "We are away."}' WHERE id = $1`,
    [product.workspaceId],
  );
}

/** Parts as the platform sends them: threads with messages of both sides, over half a year up to a minute ago. */
function* historyOf(messages: number, random: () => number): Generator<object> {
  const now = Math.floor(Date.now() / 1_000);
  let made = 0;
  for (let chunk = 1; made < messages; chunk += 1) {
    const threads: object[] = [];
    for (let inChunk = 0; inChunk < PER_WEBHOOK && made < messages;) {
      const id = `4479112${10_000 + Math.floor(made / PER_THREAD)}`;
      const count = Math.min(PER_THREAD, messages - made);
      threads.push({
        id,
        messages: Array.from({ length: count }, (_, place) => {
          const isOwn = place % 2 === 1;
          const age = place === 0 ? 60 : Math.floor(random() * 180 * DAY_S) + 60;
          return {
            ...(isOwn ? { from: BUSINESS, to: id } : { from: id }),
            ...{ id: `wamid.history.${made + place}`, timestamp: String(now - age), type: 'text' },
            ...{ text: { body: 'Which size?' }, history_context: { status: 'READ' } },
          };
        }),
      });
      made += count;
      inChunk += count;
    }
    const progress = Math.min(100, Math.round((made / messages) * 100));
    yield { metadata: { phase: 2, chunk_order: chunk, progress }, threads };
  }
}

async function countStored({ database }: TwoHosts): Promise<number> {
  const { rows } = await database.systemPool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM messages WHERE provider_message_id LIKE 'wamid.history.%'`,
  );
  return rows[0]?.n ?? 0;
}

async function onPhone({ sandbox }: TwoHosts): Promise<number> {
  const { messages } = await sandbox<{ messages: unknown[] }>(
    'whatsapp/messages?recipient=%2B447911099999&limit=10',
  );
  return messages.length;
}

async function countAnswers({ database, workspaceId }: TwoHosts, flowId: string) {
  const { rows } = await database.systemPool.query<{ bot: number; runs: number; sent: number }>(
    `SELECT (SELECT count(*)::int FROM bot_answers WHERE workspace_id = $1) AS bot,
            (SELECT count(*)::int FROM flow_runs WHERE flow_id = $2) AS runs,
            (SELECT count(*)::int FROM messages WHERE workspace_id = $1 AND send_no IS NOT NULL) AS sent`,
    [workspaceId, flowId],
  );
  return rows[0]!; // one row of counts
}
