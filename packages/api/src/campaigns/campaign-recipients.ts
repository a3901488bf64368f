import { outcomeCodeSql, outcomeSql as outcomeOf } from '@app/database/campaigns/recipient-outcome';
import type { RecipientOutcome } from '@app/domain/campaigns/recipient-outcome';
import { mayStillSucceed } from '@app/domain/messaging/retry-worth';
import { sql, type SQL } from 'drizzle-orm';
import { cutPage, readNumberCursor } from '../platform/keyset.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';
import type { CampaignRow } from '../sending/campaign-overview.ts';
import { explainOutcome } from '../sending/campaign-words.ts';

type RecipientPage = {
  outcome?: RecipientOutcome | undefined;
  limit: number;
  cursor?: string | undefined;
};

const outcomeSql = sql.raw(outcomeOf);
const codeSql = sql.raw(outcomeCodeSql);

/** Recipients of a run in their order. The cursor is the place in the run, so page 10,000 costs as much as page one. */
export async function listRecipients(
  { tx, workspaceId }: ReadScope,
  { runNo, ...page }: RecipientPage & { runNo: number },
) {
  const { rows } = await tx.execute<RecipientRow>(pageSql(sql`${runNo}`, workspaceId, page));
  return cutRecipients(rows, page.limit);
}

/**
 * The same with the figures of the campaign, and with the reasons where they are asked for: in one statement, because each statement sees its own
 * moment, and a page that shows all of it must not contradict itself. Null when there is no such campaign.
 */
export async function readRecipients(
  { tx, workspaceId }: ReadScope,
  { campaignId, withReasons, ...page }: RecipientPage & { campaignId: string; withReasons: boolean },
) {
  const { rows } = await tx.execute<ReadRow>(sql`
    WITH now AS MATERIALIZED (SELECT * FROM campaigns_now WHERE id = ${campaignId} AND workspace_id = ${workspaceId})
    SELECT ${figuresSql},
      (SELECT coalesce(json_agg(p ORDER BY p.seq), '[]') FROM (${pageSql(sql`(SELECT run_no FROM now)`, workspaceId, page)}) p) AS items,
      ${withReasons ? sql`(SELECT coalesce(json_agg(w), '[]') FROM (${reasonsSql(workspaceId)}) w)` : sql`NULL::json`} AS reasons
      FROM now`);
  const [found] = rows;
  if (!found) return null;
  const { items, reasons, ...figures } = found;
  return {
    ...cutRecipients(items, page.limit),
    ...presentFigures(figures),
    reasons: reasons?.map(presentReason),
  };
}

/** Why people did not get it, most first: those whose message failed and those who were left out. They add up to what the campaign counts. */
export async function countReasons({ tx, workspaceId }: ReadScope, campaignId: string) {
  const { rows } = await tx.execute<ReasonsRow>(sql`
    WITH now AS MATERIALIZED (SELECT * FROM campaigns_now WHERE id = ${campaignId} AND workspace_id = ${workspaceId})
    SELECT ${figuresSql}, (SELECT coalesce(json_agg(w), '[]') FROM (${reasonsSql(workspaceId)}) w) AS reasons FROM now`);
  const [found] = rows;
  if (!found) return null;
  const { reasons, ...figures } = found;
  return { ...presentFigures(figures), reasons: reasons.map(presentReason) };
}

const figuresSql = sql`now.status, now.total, now.pending, now.sent, now.delivered, now.read, now.failed, now.cancelled, now.unknown`;

function pageSql(runNo: SQL, workspaceId: string, { outcome, limit, cursor }: RecipientPage): SQL {
  const after = readNumberCursor(cursor) ?? -1;
  const filter: SQL = outcome ? sql`AND ${outcomeSql} = ${outcome}` : sql``;
  return sql`
    SELECT r.seq, r.contact_id, c.name, r.address, ${codeSql} AS error_code, r.error_detail, ${outcomeSql} AS outcome,
           coalesce(r.read_at, r.delivered_at, r.failed_at, r.sent_at, r.accepted_at) AS at
      FROM delivery_recipients r
      JOIN delivery_runs run ON run.run_no = r.run_no
      LEFT JOIN contacts c ON c.id = r.contact_id AND c.workspace_id = r.workspace_id
     WHERE r.run_no = ${runNo} AND r.workspace_id = ${workspaceId} AND r.seq > ${after} ${filter}
     ORDER BY r.seq LIMIT ${limit + 1}`;
}

/** Nothing is looked through where nobody failed or was left out. */
function reasonsSql(workspaceId: string): SQL {
  return sql`
    SELECT outcome, error_code, max(error_detail) AS error_detail, count(*)::integer AS count
      FROM (SELECT ${outcomeSql} AS outcome, ${codeSql} AS error_code, r.error_detail
              FROM delivery_recipients r JOIN delivery_runs run ON run.run_no = r.run_no
             WHERE r.run_no = (SELECT run_no FROM now WHERE failed + cancelled > 0) AND r.workspace_id = ${workspaceId}) AS every_recipient
     WHERE outcome IN ('failed', 'cancelled')
     GROUP BY outcome, error_code ORDER BY count(*) DESC, error_code`;
}

type Figures = Pick<
  CampaignRow,
  'status' | 'total' | 'pending' | 'sent' | 'delivered' | 'read' | 'failed' | 'cancelled' | 'unknown'
>;
type ReadRow = Figures & { items: RecipientRow[]; reasons: ReasonRow[] | null };
type ReasonsRow = Figures & { reasons: ReasonRow[] };

function presentFigures({ status, ...counts }: Figures) {
  return { status, counts };
}

function cutRecipients(rows: RecipientRow[], limit: number) {
  const { items, nextCursor } = cutPage(rows, limit, ({ seq }) => ({ key: String(seq), id: '' }));
  return { items: items.map(presentRecipient), nextCursor };
}

function presentReason({ outcome, error_code: errorCode, error_detail: detail, count }: ReasonRow) {
  return {
    ...{ outcome, errorCode, count },
    explanation: explainOutcome(outcome, errorCode, detail),
    canSucceed: outcome === 'failed' && mayStillSucceed(errorCode),
  };
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
