import { outcomeCodeSql, outcomeSql as outcomeOf } from '@app/database/campaigns/recipient-outcome';
import { isAttributedSql } from '@app/database/conversions/count-conversions';
import { usualConversionSettings } from '@app/domain/conversions/conversion-settings';
import type { RecipientOutcome } from '@app/domain/campaigns/recipient-outcome';
import { mayStillSucceed } from '@app/domain/messaging/retry-worth';
import { sql, type SQL } from 'drizzle-orm';
import type { fallbackStates } from '@app/contracts/campaigns/campaign-values';
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
/** Of `campaign_fallbacks f` with its second message `m`. */
const fallbackSql =
  sql.raw(`CASE WHEN f.state IS NULL THEN NULL WHEN f.state IN ('revoking', 'ready') THEN 'waiting'
    WHEN f.state = 'unknown' AND coalesce(r.delivered_at, r.read_at) IS NOT NULL THEN 'arrived'
    WHEN f.state <> 'sent' THEN f.state
    WHEN m.read_at IS NOT NULL THEN 'read' WHEN m.delivered_at IS NOT NULL THEN 'delivered'
    WHEN m.state IN ('refused', 'cancelled') OR m.failed_at IS NOT NULL THEN 'failed'
    WHEN m.state = 'unknown' THEN 'unknown' WHEN m.state = 'accepted' THEN 'sent' ELSE 'queued' END`);
const attributedSql = sql.raw(
  isAttributedSql(`coalesce((SELECT s.window_days FROM conversion_settings s WHERE s.workspace_id = r.workspace_id),
    ${usualConversionSettings.windowDays})`),
);
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
           coalesce(r.read_at, r.delivered_at, r.failed_at, r.sent_at, r.accepted_at) AS at,
           ${fallbackSql} AS fallback_state, f.code AS fallback_code,
           coalesce(m.read_at, m.delivered_at, m.failed_at, m.sent_at, m.accepted_at, f.updated_at) AS fallback_at,
           (SELECT max(k.clicked_at) FROM link_clicks k WHERE k.workspace_id = r.workspace_id AND k.campaign_id = run.campaign_id
               AND k.contact_id = r.contact_id) AS clicked_at,
           (SELECT max(v.occurred_at) FROM conversions v WHERE v.workspace_id = r.workspace_id AND v.campaign_id = run.campaign_id
               AND v.contact_id = r.contact_id AND ${attributedSql}) AS converted_at
      FROM delivery_recipients r
      JOIN delivery_runs run ON run.run_no = r.run_no
      LEFT JOIN contacts c ON c.id = r.contact_id AND c.workspace_id = r.workspace_id
      LEFT JOIN campaign_fallbacks f ON f.run_no = r.run_no AND f.seq = r.seq AND f.workspace_id = r.workspace_id
      LEFT JOIN messages m ON m.workspace_id = f.workspace_id AND m.id = f.message_id
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
  fallback_state: FallbackState | null;
  fallback_code: string | null;
  fallback_at: Date | string | null;
  clicked_at: Date | string | null;
  converted_at: Date | string | null;
};
type FallbackState = (typeof fallbackStates)[number];

// A page that comes as JSON has its times as texts.
const instantOf = (at: Date | string | null) => (at === null ? null : new Date(at).toISOString());

function presentRecipient(row: RecipientRow) {
  return {
    seq: row.seq,
    contactId: row.contact_id,
    name: row.name ?? row.address,
    phone: row.address,
    outcome: row.outcome,
    errorCode: row.error_code,
    explanation: explainOutcome(row.outcome, row.error_code, row.error_detail),
    at: instantOf(row.at),
    fallback: row.fallback_state && {
      ...{ state: row.fallback_state, code: row.fallback_code },
      at: new Date(row.fallback_at ?? 0).toISOString(),
    },
    clickedAt: instantOf(row.clicked_at),
    convertedAt: instantOf(row.converted_at),
  };
}
