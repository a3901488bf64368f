import { newId } from '@app/database/new-id';
import type { FaultOptions, FaultReport } from '../fault-report.ts';
import { countMails, openCalled } from '../flow-world.ts';
import { openTwoHosts, type TwoHosts } from '../two-hosts.ts';
import { pause, waitUntil } from '../world.ts';

const TAG = 'flow';
const RELEASE = 'go on';
const SUBJECT = 'Run of ';
/** What each run goes through. */
const STEPS = 8;
/** So many of the processes die while contacts enter, the others while runs go on. */
const WHILE_STARTING = 2;
/** How long after a process is back the next one dies, at most. */
const MOMENT_MS = 2_500;
const PATIENCE_MS = 1_200_000;
/** Steps whose effect leaves the product, and cannot be undone or done in the same transaction. */
const LEAVING = ['call', 'mail', 'say'] as const;

/**
 * `kill -9` of either of two processes while runs of a workflow are in progress: changes of the database happen once, calls, mails and messages at most
 * once or shown as unknown, and every run comes to its end.
 */
export async function killFlows({
  kills = 20,
  messages = 2_000,
  random,
}: FaultOptions): Promise<FaultReport> {
  const called = await openCalled(random);
  const product = await openTwoHosts({ PRIVATE_HOSTS: called.host });
  const counted = countMails(product, SUBJECT);
  try {
    await product.sandbox('whatsapp/behaviour', {
      ...{ windowError: 'off', pairLimit: false, throughputMps: 0, latencyMs: [0, 20], statusDelayMs: 50 },
      ...{ webhookRetryBaseMs: 200, webhookRetryCapMs: 2_000 },
    });
    const flowId = await publish(product, called.host);
    const contactIds = await product.addContacts(TAG, messages);
    await openConversations(product, contactIds);
    await post(product, `/api/workflows/${flowId}/runs`, { audience: { filter: { tags: [TAG] } } });
    const inProgress: number[] = [];
    const killOne = async () => {
      await pause(random() * MOMENT_MS);
      inProgress.push((await progress(product, flowId)).inProgress);
      await product.kill(random() < 0.5 ? 0 : 1);
    };
    const first = Math.min(WHILE_STARTING, kills);
    for (let kill = 0; kill < first; kill += 1) await killOne();
    await waitUntil('every run waits for its event', PATIENCE_MS, () =>
      isEachWaiting(product, flowId, messages),
    );
    // The others stay in progress, while some go on and a process dies.
    const portions = Math.max(kills - first, 1);
    const size = Math.ceil(messages / portions);
    for (let portion = 0; portion < portions; portion += 1) {
      const choice = { contactIds: contactIds.slice(portion * size, (portion + 1) * size) };
      if (choice.contactIds.length > 0)
        await post(product, '/api/contacts/bulk-edit', { choice, addTags: [RELEASE] });
      if (first + portion < kills) await killOne();
    }
    await settle(product, flowId, messages);
    await counted.close();
    const outside = { call: called.calls, mail: counted.mails, say: await messagesOnPhones(product) };
    return await audit(product, { flowId, runs: messages, inProgress, outside });
  } finally {
    await counted.close().catch(() => undefined);
    await product.close();
    await called.close();
  }
}

/** A note at the beginning and at the end, which would be there twice if a step was repeated, and between them all that leaves the product. */
async function publish(product: TwoHosts, host: string): Promise<string> {
  const goOn = (next: string) => ({ next: { done: next, failed: next } });
  const duration = { mode: 'duration', duration: { amount: 1, unit: 'seconds' } };
  const { id } = await post(product, '/api/workflows', {
    ...{ name: 'Killed', start: 'first', settings: { reentry: 'once', runsPerMinute: 100_000 } },
    triggers: [{ id: 'begin', type: 'tag_added', config: { tags: ['nobody has this tag'] } }],
    steps: [
      { id: 'first', type: 'add_note', config: { text: 'First' }, next: { done: 'event' } },
      {
        ...{ id: 'event', type: 'wait_for_event', next: { happened: 'call', timed_out: null } },
        config: {
          event: { type: 'tag_added', config: { tags: [RELEASE] } },
          timeout: { amount: 1, unit: 'days' },
        },
      },
      {
        ...{ id: 'call', type: 'webhook_call', ...goOn('mail') },
        config: { method: 'POST', url: `http://${host}/{{contact.phone}}`, content: 'none', retries: 0 },
      },
      {
        ...{ id: 'mail', type: 'email_notification', ...goOn('say') },
        config: { to: 'owner', subject: `${SUBJECT}{{contact.phone}}`, text: 'It is in progress.' },
      },
      {
        ...{ id: 'say', type: 'send_message', ...goOn('wait') },
        config: { content: 'text', text: 'Hello {{contact.phone}}' },
      },
      { id: 'wait', type: 'wait', config: duration, next: { done: 'tag' } },
      { id: 'tag', type: 'add_tag', config: { tag: 'went through' }, next: { done: 'last' } },
      { id: 'last', type: 'add_note', config: { text: 'Last' }, next: {} },
    ],
  });
  await post(product, `/api/workflows/${id}/publish`, { version: 1 });
  return id;
}

/** In which anything may be said. */
async function openConversations(
  { database, workspaceId, channelId }: TwoHosts,
  contactIds: readonly string[],
): Promise<void> {
  await database.systemPool.query(
    `INSERT INTO conversations (id, workspace_id, contact_id, channel_id, last_activity_at, window_ends_at)
     SELECT gen_random_uuid(), $1, id, $2, now(), now() + interval '9 hours' FROM unnest($3::uuid[]) AS id`,
    [workspaceId, channelId, contactIds],
  );
}

async function post(product: TwoHosts, path: string, body: object): Promise<{ id: string }> {
  const answer = await product.ask({ path, body, key: newId() });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
  return answer.body as { id: string };
}

type Progress = { ended: number; inProgress: number; starting: number; sending: number };

async function progress({ database }: TwoHosts, flowId: string): Promise<Progress> {
  const { rows } = await database.systemPool.query<Progress>(
    `SELECT (SELECT count(*)::int FROM flow_runs WHERE flow_id = $1 AND status <> 'running') AS ended,
            (SELECT count(*)::int FROM flow_runs WHERE flow_id = $1 AND status = 'running') AS "inProgress",
            (SELECT count(*)::int FROM flow_starts WHERE flow_id = $1 AND state = 'open')
              + (SELECT count(*)::int FROM flow_sweeps WHERE flow_id = $1 AND ended_at IS NULL) AS starting,
            (SELECT count(*)::int FROM messages WHERE state IN ('queued', 'sending') AND author = 'automation') AS sending`,
    [flowId],
  );
  return rows[0]!; // one row of counts
}

async function isEachWaiting({ database }: TwoHosts, flowId: string, runs: number): Promise<boolean> {
  const { rows } = await database.systemPool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM flow_runs WHERE flow_id = $1 AND status = 'running' AND wait = 'event'`,
    [flowId],
  );
  return rows[0]?.n === runs;
}

async function settle(product: TwoHosts, flowId: string, runs: number): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const now = await progress(product, flowId);
    if (now.ended >= runs && now.inProgress + now.starting + now.sending === 0) return;
    if (Date.now() > until)
      throw new Error(`The runs do not end: ${JSON.stringify(now)}. ${product.errors()}`);
    await pause(500);
  }
}

/** By number: how many messages the platform took for it. */
async function messagesOnPhones({ sandbox }: TwoHosts): Promise<Map<string, number>> {
  const { messages } = await sandbox<{ messages: { to: string }[] }>('whatsapp/messages?limit=100000');
  return new Map(
    [...Map.groupBy(messages, ({ to }) => `+${to.replace('+', '')}`)].map(([phone, all]) => [
      phone,
      all.length,
    ]),
  );
}

type Step = { phone: string; step: string; exit: string | null; isUnknown: boolean };

async function audit(
  { database, workspaceId }: TwoHosts,
  {
    flowId,
    runs,
    inProgress,
    outside,
  }: {
    flowId: string;
    runs: number;
    /** At each kill. */
    inProgress: readonly number[];
    outside: Record<(typeof LEAVING)[number], ReadonlyMap<string, number>>;
  },
): Promise<FaultReport> {
  const pool = database.systemPool;
  const { rows: ends } = await pool.query<{ phone: string; n: number; completed: number; steps: number }>(
    `SELECT k.phone, count(DISTINCT r.id)::int AS n, count(DISTINCT r.id) FILTER (WHERE r.status = 'completed')::int AS completed,
            (SELECT count(*)::int FROM flow_log l JOIN flow_runs o ON o.id = l.run_id WHERE o.contact_id = k.id AND o.flow_id = $1 AND l.exit IS NOT NULL) AS steps
       FROM contacts k LEFT JOIN flow_runs r ON r.contact_id = k.id AND r.flow_id = $1
      WHERE k.workspace_id = $2 AND k.tags @> ARRAY[$3] GROUP BY k.id`,
    [flowId, workspaceId, TAG],
  );
  const { rows: notes } = await pool.query<{ bodies: string[] }>(
    `SELECT array_agg(n.body ORDER BY n.body) AS bodies FROM conversation_notes n JOIN conversations c ON c.id = n.conversation_id
       JOIN contacts k ON k.id = c.contact_id WHERE k.workspace_id = $1 AND k.tags @> ARRAY[$2] GROUP BY k.id`,
    [workspaceId, TAG],
  );
  const { rows: steps } = await pool.query<Step>(
    `SELECT k.phone, l.step_id AS step, l.exit, coalesce((l.details->>'isUnknown')::boolean, false) AS "isUnknown"
       FROM flow_log l JOIN flow_runs r ON r.id = l.run_id JOIN contacts k ON k.id = r.contact_id
      WHERE l.flow_id = $1 AND l.exit IS NOT NULL AND l.step_id = ANY ($2)`,
    [flowId, LEAVING],
  );
  const { rows: flows } = await pool.query<{ triggered: string; completed: string; tagged: number }>(
    `SELECT triggered, completed, (SELECT count(*)::int FROM contacts WHERE workspace_id = $2 AND tags @> ARRAY['went through']) AS tagged
       FROM flows WHERE id = $1`,
    [flowId, workspaceId],
  );
  const countOf = ({ step, phone }: Step) => outside[step as (typeof LEAVING)[number]].get(phone) ?? 0;
  const faults: Record<string, number> = {
    'runs forgotten or doubled': ends.filter(({ n, completed }) => n !== 1 || completed !== 1).length,
    'steps lost or repeated': ends.filter(({ steps: all }) => all !== STEPS).length,
    'changes lost or repeated':
      runs - notes.filter(({ bodies }) => bodies.join() === 'First,Last').length + runs - flows[0]!.tagged, // the flow is there
    'counters that are wrong':
      Math.abs(runs - Number(flows[0]!.triggered)) + Math.abs(runs - Number(flows[0]!.completed)),
    'sent twice': LEAVING.flatMap((step) => [...outside[step].values()]).filter((n) => n > 1).length,
    'said to have left, and did not': steps.filter((one) => one.exit === 'done' && countOf(one) === 0).length,
    'missing, and not shown as unknown': steps.filter((one) => one.exit !== 'done' && !one.isUnknown).length,
  };
  const unknown = (step: string) => steps.filter((one) => one.step === step && one.isUnknown).length;
  return {
    isPassed: ends.length === runs && Object.values(faults).every((n) => n === 0),
    figures: {
      ...{ runs: ends.length, kills: inProgress.length },
      'runs in progress at each kill': inProgress.join(', '),
      ...faults,
      ...Object.fromEntries(LEAVING.map((step) => [`unknown: ${step}`, unknown(step)])),
    },
  };
}
