import { newId } from '@app/database/new-id';
import { change, publishWorkflow, quantile } from '../flow-crowd.ts';
import type { FaultOptions, FaultReport } from '../fault-report.ts';
import { openTwoHosts, type TwoHosts } from '../two-hosts.ts';
import { pause, waitUntil } from '../world.ts';
import { inSmall } from '../../tools/small-run.ts';

const CONTACTS = 100_000;
const IN_A_FILE = inSmall(50, 50_000);
/** Of each of the two campaigns. */
const RECIPIENTS = inSmall(50, 4_000);
const REPLY_APART_MS = inSmall(50, 400);
const PATIENCE_MS = 1_800_000;
/** As issue 23 says: a campaign keeps so much of its pace. */
const LEAST_PACE = 0.95;
/** Two measurements of the same thing on a busy machine differ by so much. */
const SAME_MS = 100;

/**
 * An import of very many contacts starts a welcome message for each, while agents reply and a campaign runs: replies are as fast as without, the campaign
 * keeps its pace, the other starts wait, and nobody is welcomed twice.
 */
export async function runBesideAgents({ messages = CONTACTS }: FaultOptions): Promise<FaultReport> {
  const product = await openTwoHosts();
  try {
    await product.sandbox('whatsapp/behaviour', {
      ...{ windowError: 'off', pairLimit: false, throughputMps: 0, latencyMs: [0, 20], statusDelayMs: 50 },
    });
    const flowId = await publishWorkflow(product, {
      ...{ name: 'Welcome', start: 'say', settings: { runsPerMinute: 100_000 } },
      triggers: [{ id: 'begin', type: 'new_contact', config: {} }],
      steps: [
        {
          ...{ id: 'say', type: 'send_message', next: {} },
          config: { content: 'template', ...(await findTemplate(product)) },
        },
      ],
    });
    const people = await openConversations(product, 100);
    const size = Math.min(RECIPIENTS, Math.max(400, Math.round(messages / 25)));
    const alone = await playCampaign(product, { people, size, name: 'alone' });
    await importContacts(product, messages);
    await waitUntil('starts are made', PATIENCE_MS, async () => (await countStarts(product, flowId)).all > 0);
    const beside = await playCampaign(product, { people, size, name: 'beside' });
    const starts = await countStarts(product, flowId);
    const twice = await countTwice(product);
    const pace = beside.perSecond / alone.perSecond;
    const [before, after] = [quantile(alone.replies, 0.95), quantile(beside.replies, 0.95)];
    return {
      isPassed: pace >= LEAST_PACE && after <= before + SAME_MS && twice === 0 && starts.isBounded,
      figures: {
        ...{ 'contacts that the import started': messages, 'messages of each campaign': size },
        'campaign alone': `${alone.perSecond.toFixed(1)} a second`,
        'campaign beside the starts': `${beside.perSecond.toFixed(1)} a second, ${(pace * 100).toFixed(1)} %`,
        'replies alone, 95 of 100 within': `${Math.round(before)} ms of ${alone.replies.length}`,
        'replies beside the starts, 95 of 100 within': `${Math.round(after)} ms of ${beside.replies.length}`,
        'welcome messages that had left by then': starts.sent,
        'welcome messages that waited': starts.queued,
        'welcomed twice': twice,
      },
    };
  } finally {
    await product.close();
  }
}

/** An approved template of the sample, with a text in each of its placeholders. */
async function findTemplate({ database, workspaceId }: TwoHosts) {
  const { rows } = await database.systemPool.query<{ id: string; content: string }>(
    `SELECT id, content FROM templates WHERE workspace_id = $1 AND status = 'approved' ORDER BY name LIMIT 1`,
    [workspaceId],
  );
  const [found] = rows;
  if (!found) throw new Error('The sample workspace has no approved template');
  const names = [...found.content.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name ?? '');
  return { template: found.id, variables: Object.fromEntries(names.map((name) => [name, 'you'])) };
}

async function openConversations(product: TwoHosts, count: number): Promise<string[]> {
  const contactIds = await product.addContacts('talks', count);
  const { rows } = await product.database.systemPool.query<{ id: string }>(
    `INSERT INTO conversations (id, workspace_id, contact_id, channel_id, last_activity_at, window_ends_at)
     SELECT gen_random_uuid(), $1, id, $2, now(), now() + interval '9 hours' FROM unnest($3::uuid[]) AS id RETURNING id`,
    [product.workspaceId, product.channelId, contactIds],
  );
  return rows.map(({ id }) => id);
}

/** Imported as a user does, with files of the size that one import takes. */
async function importContacts(product: TwoHosts, count: number): Promise<void> {
  for (let first = 0; first < count; first += IN_A_FILE) {
    const lines = Array.from(
      { length: Math.min(IN_A_FILE, count - first) },
      (_, n) => `Imported ${first + n},+49151${20_000_000 + first + n}`,
    );
    const file = ['name,phone', ...lines].join('\n');
    const answer = await product.ask({
      ...{ path: `/api/contacts/imports?importId=${newId()}&fileName=people.csv`, file },
    });
    // A large file is taken at once and read afterwards.
    if (answer.status !== 200 && answer.status !== 202)
      throw new Error(`The import was refused: ${answer.text}`);
  }
}

/** A campaign from its first message to its last, with an agent who replies all the time. */
async function playCampaign(
  product: TwoHosts,
  { people, size, name }: { people: readonly string[]; size: number; name: string },
): Promise<{ perSecond: number; replies: number[] }> {
  const contactIds = await product.addContacts(name, size);
  const { id } = await change(product, '/api/campaigns', {
    ...{ name, audience: { contactIds }, message: { customMessage: 'Hi {{name}}' } },
  });
  await change(product, `/api/campaigns/${id}/start`);
  const pool = product.database.systemPool;
  const sent: string[] = [];
  const isOver = async () => {
    const { rows } = await pool.query<{ state: string }>(
      'SELECT state FROM delivery_runs WHERE campaign_id = $1',
      [id],
    );
    return rows[0]?.state === 'completed';
  };
  const until = Date.now() + PATIENCE_MS;
  for (let turn = 0; !(await isOver()); turn += 1) {
    if (Date.now() > until) throw new Error(`The campaign ${name} does not end. ${product.errors()}`);
    const conversation = people[turn % people.length]!; // there are some
    const message = { text: `Reply ${name} ${turn}` };
    sent.push((await change(product, `/api/conversations/${conversation}/messages`, { message })).id);
    await pause(REPLY_APART_MS);
  }
  const { rows: times } = await pool.query<{ seconds: number; n: number }>(
    `SELECT extract(epoch FROM max(r.accepted_at) - min(r.accepted_at))::float8 AS seconds, count(*)::int AS n
       FROM delivery_recipients r JOIN delivery_runs d USING (run_no) WHERE d.campaign_id = $1 AND r.accepted_at IS NOT NULL`,
    [id],
  );
  const { rows: replies } = await pool.query<{ ms: number }>(
    `SELECT extract(epoch FROM accepted_at - occurred_at)::float8 * 1000 AS ms FROM messages WHERE id = ANY ($1::uuid[]) AND accepted_at IS NOT NULL`,
    [sent],
  );
  const { n, seconds } = times[0]!; // one row of figures
  return { perSecond: (n - 1) / seconds, replies: replies.map(({ ms }) => ms) };
}

async function countStarts({ database }: TwoHosts, flowId: string) {
  const { rows } = await database.systemPool.query<{ all: number; sent: number; queued: number }>(
    `SELECT (SELECT count(*)::int FROM flow_starts WHERE flow_id = $1) AS all,
            count(*) FILTER (WHERE state = 'accepted')::int AS sent, count(*) FILTER (WHERE state = 'queued')::int AS queued
       FROM messages WHERE source LIKE 'flow/' || $1 || '/%'`,
    [flowId],
  );
  const { all, sent, queued } = rows[0]!; // one row of counts
  // A slice of starts may be on its way when the five hundredth message is enqueued.
  return { all, sent, queued, isBounded: queued <= 1_000 };
}

/** Numbers of the import to which the platform took more than one message. */
async function countTwice({ sandbox }: TwoHosts): Promise<number> {
  const { messages } = await sandbox<{ messages: { to: string }[] }>('whatsapp/messages?limit=100000');
  const welcomed = messages.map(({ to }) => to.replace('+', '')).filter((to) => to.startsWith('49151'));
  return welcomed.length - new Set(welcomed).size;
}
