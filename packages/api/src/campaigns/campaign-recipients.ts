import { recipientState } from '@app/domain/delivery/recipient-state';
import { mayStillSucceed } from '@app/domain/messaging/retry-worth';
import { sql, type SQL } from 'drizzle-orm';
import { cutPage, readNumberCursor } from '../platform/keyset.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { explainOutcome } from '../sending/campaign-words.ts';

export type RecipientOutcome =
  | 'pending'
  | 'sending'
  | 'waiting'
  | 'sent'
  | 'delivered'
  | 'read'
  | 'failed'
  | 'cancelled'
  | 'unknown';

type RecipientPage = {
  runNo: number;
  outcome?: RecipientOutcome | undefined;
  limit: number;
  cursor?: string | undefined;
};

/** What a person understands by the outcome, out of the engine's state and the platform's reports. */
const outcomeSql = sql`CASE
  WHEN r.state = ${recipientState.pending} THEN CASE WHEN r.seq < run.cursor THEN 'sending' ELSE 'pending' END
  WHEN r.state = ${recipientState.sending} THEN 'sending'
  WHEN r.state = ${recipientState.waiting} THEN 'waiting'
  WHEN r.state = ${recipientState.refused} THEN 'failed'
  WHEN r.state = ${recipientState.cancelled} THEN 'cancelled'
  WHEN r.state = ${recipientState.unknown} THEN 'unknown'
  WHEN r.read_at IS NOT NULL THEN 'read'
  WHEN r.delivered_at IS NOT NULL THEN 'delivered'
  WHEN r.failed_at IS NOT NULL THEN 'failed'
  ELSE 'sent' END`;

/** Recipients of a run in their order. The cursor is the place in the run, so page 10,000 costs as much as page one. */
export async function listRecipients(
  { tx, workspaceId }: ReadScope,
  { runNo, outcome, limit, cursor }: RecipientPage,
) {
  const after = readNumberCursor(cursor) ?? -1;
  const filter: SQL = outcome ? sql`AND ${outcomeSql} = ${outcome}` : sql``;
  const { rows } = await tx.execute<RecipientRow>(sql`
    SELECT r.seq, r.contact_id, c.name, r.address, r.error_code, r.error_detail, ${outcomeSql} AS outcome,
           coalesce(r.read_at, r.delivered_at, r.failed_at, r.sent_at, r.accepted_at) AS at
      FROM delivery_recipients r
      JOIN delivery_runs run ON run.run_no = r.run_no
      LEFT JOIN contacts c ON c.id = r.contact_id AND c.workspace_id = r.workspace_id
     WHERE r.run_no = ${runNo} AND r.workspace_id = ${workspaceId} AND r.seq > ${after} ${filter}
     ORDER BY r.seq LIMIT ${limit + 1}`);
  const { items, nextCursor } = cutPage(rows, limit, ({ seq }) => ({ key: String(seq), id: '' }));
  return { items: items.map(presentRecipient), nextCursor };
}

/** Why people did not get it, most first: those whose message failed and those who were left out. The failed add up to what the campaign counts. */
export async function countReasons({ tx, workspaceId }: ReadScope, runNo: number) {
  const { rows } = await tx.execute<ReasonRow>(sql`
    SELECT outcome, error_code, max(error_detail) AS error_detail, count(*)::integer AS count
      FROM (SELECT ${outcomeSql} AS outcome, r.error_code, r.error_detail
              FROM delivery_recipients r JOIN delivery_runs run ON run.run_no = r.run_no
             WHERE r.run_no = ${runNo} AND r.workspace_id = ${workspaceId}) AS every_recipient
     WHERE outcome IN ('failed', 'cancelled')
     GROUP BY outcome, error_code ORDER BY count(*) DESC, error_code`);
  return rows.map(({ outcome, error_code: errorCode, error_detail: detail, count }) => ({
    ...{ outcome, errorCode, count },
    explanation: explainOutcome(outcome, errorCode, detail),
    canSucceed: outcome === 'failed' && mayStillSucceed(errorCode),
  }));
}

type ReasonRow = {
  outcome: 'failed' | 'cancelled';
  error_code: string | null;
  error_detail: string | null;
  count: number;
};

type RecipientRow = {
  seq: number;
  contact_id: string | null;
  name: string | null;
  address: string;
  error_code: string | null;
  error_detail: string | null;
  outcome: RecipientOutcome;
  at: Date | string | null;
};

function presentRecipient(row: RecipientRow) {
  return {
    seq: row.seq,
    contactId: row.contact_id,
    name: row.name ?? row.address,
    phone: row.address,
    outcome: row.outcome,
    errorCode: row.error_code,
    explanation: explainOutcome(row.outcome, row.error_code, row.error_detail),
    at: row.at === null ? null : new Date(row.at).toISOString(),
  };
}
