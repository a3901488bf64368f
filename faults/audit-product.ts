import { findTraces } from '@app/database/testing/find-traces';
import { formatDeliveryTag } from '@app/domain/delivery/delivery-tag';
import { formatMessageTag } from '@app/domain/conversations/message-tag';
import type { FaultReport } from './fault-report.ts';
import { type Asked, EXPORTED, sendFile } from './asked.ts';
import type { TwoHosts } from './two-hosts.ts';
import { waitUntil } from './world.ts';

const PATIENCE_MS = 180_000;

/** Waits until everything has come to its end, and compares what people asked for, the tables, and what the platform and the mail box have. */
export async function auditProduct(
  product: TwoHosts,
  asked: Asked,
  figures: Record<string, number>,
): Promise<FaultReport> {
  await settle(product, asked);
  const faults = {
    ...(await auditSending(product, asked)),
    ...(await auditActs(product, asked)),
    ...(await auditTelling(product, asked)),
    ...(await auditPeople(product, asked)),
  };
  return {
    isPassed: Object.values(faults).every((count) => count === 0),
    figures: {
      ...figures,
      ...Object.fromEntries(Object.entries(asked).map(([name, all]) => [name, all.length])),
      ...(await doubts(product)),
      ...faults,
    },
  };
}

async function count({ database }: TwoHosts, text: string, values: unknown[] = []): Promise<number> {
  const { rows } = await database.systemPool.query<{ n: string }>(
    `SELECT count(*) AS n FROM (${text}) AS found`,
    values,
  );
  return Number(rows[0]?.n);
}

async function settle(product: TwoHosts, asked: Asked): Promise<void> {
  const isNone = (text: string) => async () => (await count(product, text)) === 0;
  // What did not come whole is sent again, as a person would.
  const lost = `SELECT id FROM operations WHERE state = 'failed' AND error_code IN ('upload_lost', 'upload_interrupted')`;
  await waitUntil('every long act is over', PATIENCE_MS, async () => {
    const { rows } = await product.database.systemPool.query<{ id: string }>(lost);
    for (const { id } of rows) {
      const upload = asked.imports.find((one) => one.id === id);
      if (upload) await sendFile(product, upload);
    }
    const begun = await count(product, 'SELECT FROM operations WHERE id = ANY ($1)', [
      asked.imports.map(({ id }) => id),
    ]);
    if (begun < asked.imports.length) return false;
    return isNone(`SELECT FROM operations WHERE state NOT IN ('done', 'cancelled', 'failed')`)();
  });
  await waitUntil(
    'every campaign is completed',
    PATIENCE_MS,
    isNone('SELECT FROM delivery_runs WHERE completed_at IS NULL'),
  );
  await waitUntil(
    'every message has come to its end',
    PATIENCE_MS,
    isNone(`SELECT FROM messages WHERE state IN ('queued', 'sending')`),
  );
  await waitUntil('the platform has told everything', PATIENCE_MS, async () => {
    const { statusesPending, webhooks } = await product.sandbox<{
      statusesPending: number;
      webhooks: { pending: number };
    }>('whatsapp/stats');
    return statusesPending === 0 && webhooks.pending === 0;
  });
  await waitUntil(
    'every job is done',
    PATIENCE_MS,
    isNone(
      `SELECT FROM jobs.job WHERE state IN ('created', 'retry', 'active') AND (name LIKE '%mail' OR name LIKE 'long-act%')`,
    ),
  );
}

async function auditSending(product: TwoHosts, asked: Asked) {
  const { messages: ledger } = await product.sandbox<{
    messages: { biz_opaque_callback_data: string | null }[];
  }>('whatsapp/messages?limit=100000');
  const times = new Map<string, number>();
  for (const { biz_opaque_callback_data: tag } of ledger)
    if (tag !== null) times.set(tag, (times.get(tag) ?? 0) + 1);
  const pool = product.database.systemPool;
  const { rows: messages } = await pool.query<{ id: string; no: string; attempt: number; state: string }>(
    'SELECT id, send_no AS no, attempt, state FROM messages WHERE send_no IS NOT NULL AND id <> ALL ($1)',
    [product.sampleMessages],
  );
  const { rows: recipients } = await pool.query<{ run: string; seq: number; attempt: number; state: number }>(
    'SELECT run_no AS run, seq, attempt, state FROM delivery_recipients WHERE run_no IN (SELECT run_no FROM delivery_runs WHERE campaign_id = ANY ($1))',
    [asked.campaigns],
  );
  // A try that nobody settled is not counted in its row.
  const attempts = (attempt: number) => Array.from({ length: attempt + 2 }, (_, place) => place);
  const sent = [
    ...messages.map(({ no, attempt, state }) => ({
      ...{ no, attempt, state },
      isAccepted: state === 'accepted',
      times: sum(attempts(attempt), (one) => times.get(formatMessageTag({ no: Number(no), attempt: one }))),
    })),
    ...recipients.map(({ run, seq, attempt, state }) => ({
      ...{ run, seq, attempt, state },
      isAccepted: state === 2,
      times: sum(attempts(attempt), (one) =>
        times.get(formatDeliveryTag({ runNo: Number(run), seq, attempt: one })),
      ),
    })),
  ];
  return {
    'messages sent twice': sent.filter((one) => one.times > 1).length,
    'messages told otherwise than the platform': sent.filter((one) => one.isAccepted !== one.times > 0)
      .length,
    'messages nobody asked for, or lost': Math.abs(
      new Set(asked.messages).size - messages.filter(({ id }) => asked.messages.includes(id)).length,
    ),
    'messages left more than once': messages.length - asked.messages.length,
    'campaigns without a run, or with two': Math.abs(
      asked.campaigns.length -
        (await count(product, 'SELECT FROM delivery_runs WHERE campaign_id = ANY ($1)', [asked.campaigns])),
    ),
  };
}

async function auditActs(product: TwoHosts, { imports, removals, exports }: Asked) {
  let missing = 0;
  for (const { id, rows } of imports)
    missing += Math.abs(rows - (await count(product, 'SELECT FROM contacts WHERE import_id = $1', [id])));
  let broken = 0;
  for (const id of exports) {
    const { text } = await product.ask({ method: 'GET', path: `/api/operations/${id}/file` });
    const lines = text.trim().split('\r\n').slice(1);
    // A file that was there when somebody was erased is gone, and says so.
    const isGone = text.includes('operation_file_gone');
    if (!isGone && (lines.length !== EXPORTED || new Set(lines).size !== EXPORTED)) broken += 1;
  }
  const ids = [...imports, ...removals].map(({ id }) => id).concat(exports);
  return {
    'rows of imports lost or doubled': missing,
    'contacts that outlived their deletion': await count(product, 'SELECT FROM contacts WHERE tags && $1', [
      removals.map(({ tag }) => tag),
    ]),
    'files that are not whole': broken,
    'long acts not done': await count(
      product,
      `SELECT FROM operations WHERE id = ANY ($1) AND state <> 'done'`,
      [ids],
    ),
    'long acts that nobody asked for': await count(product, 'SELECT FROM operations WHERE id <> ALL ($1)', [
      ids,
    ]),
    'jobs that failed': await count(product, `SELECT FROM jobs.job WHERE state = 'failed'`),
  };
}

const ONCE = [
  ...[
    'long_act.ended',
    'contacts.imported',
    'contacts.deleted',
    'contacts.exported',
    'message.queued',
    'message.sent',
  ],
  ...[
    'message.failed',
    'message.unknown',
    'campaign.created',
    'campaign.started',
    'campaign.completed',
    'bulk_message.sent',
  ],
  'contacts.merged',
];

async function auditTelling(product: TwoHosts, asked: Asked) {
  const ended = asked.imports.length + asked.removals.length + asked.exports.length;
  const { mails } = await product.sandbox<{ mails: { text: string }[] }>('mail?limit=1000');
  const arrived = asked.mails.map((word) => mails.filter(({ text }) => text.includes(word)).length);
  return {
    'told twice': await count(
      product,
      // An upload that was lost has ended, and ends once more when it is begun anew.
      `SELECT FROM events WHERE type = ANY ($1) AND subject_id IS NOT NULL GROUP BY type, subject_id, "values"->>'state' HAVING count(*) > 1`,
      [ONCE],
    ),
    'ends of acts not told':
      ended -
      (await count(
        product,
        `SELECT FROM events WHERE type = 'long_act.ended' AND "values"->>'state' = 'done'`,
      )),
    'messages without word of them': await count(
      product,
      `SELECT FROM messages m WHERE send_no IS NOT NULL AND id <> ALL ($1) AND NOT EXISTS (
         SELECT FROM events e WHERE e.subject_id = m.id AND e.type IN ('message.sent', 'message.failed', 'message.unknown'))
         AND NOT EXISTS (SELECT FROM events e WHERE e.type = 'messages.reported' AND e."values"->'messageIds' ? m.id::text)`,
      [product.sampleMessages],
    ),
    'mails that did not arrive': arrived.filter((times) => times === 0).length,
  };
}

async function auditPeople(product: TwoHosts, { erased }: Asked) {
  const kept = `SELECT id, unread, last_message_id, last_message_at, last_activity_at, last_inbound_at, last_outbound_at, waiting_since, window_ends_at FROM conversations`;
  const pool = product.database.systemPool;
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(`CREATE TEMP TABLE kept ON COMMIT DROP AS ${kept}`);
    await client.query(
      `SELECT recount_conversations($1, array_agg(DISTINCT contact_id)) FROM conversations WHERE workspace_id = $1`,
      [product.workspaceId],
    );
    const { rowCount } = await client.query(
      `(${kept} EXCEPT SELECT * FROM kept) UNION (SELECT * FROM kept EXCEPT ${kept})`,
    );
    return {
      'conversations otherwise than their messages': rowCount ?? 0,
      'messages that are there twice': await count(
        product,
        'SELECT FROM messages GROUP BY workspace_id, provider_message_id HAVING count(*) > 1 AND provider_message_id IS NOT NULL',
      ),
      'traces of people who were erased':
        erased.length === 0 ? 0 : (await findTraces(product.database, erased)).length,
    };
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

async function doubts(product: TwoHosts) {
  const { mails } = await product.sandbox<{ mails: { text: string }[] }>('mail?limit=1000');
  return {
    'replies in doubt, not sent': await count(product, `SELECT FROM messages WHERE state = 'unknown'`),
    'recipients in doubt, not sent': await count(product, 'SELECT FROM delivery_recipients WHERE state = 5'),
    'acts that went on in another process': await count(
      product,
      'SELECT FROM operations WHERE interruptions > 0',
    ),
    'mails twice': mails.length - new Set(mails.map(({ text }) => text)).size,
  };
}

function sum(places: number[], of: (place: number) => number | undefined): number {
  return places.reduce((total, place) => total + (of(place) ?? 0), 0);
}
