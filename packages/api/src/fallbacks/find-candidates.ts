import type { CampaignFallback } from '@app/database/campaigns/campaigns-tables';
import { endFallback } from '@app/database/campaigns/write-campaigns';
import { recipientState } from '@app/domain/delivery/recipient-state';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';

/** Longest pause between the end of a time limit and its report. */
export type FallbackTimes = {
  /** After an event that proves that the first message does not arrive: one that says the opposite may be on its way. */
  settleMs: number;
  /** After the time limit without any event. */
  silentMs: number;
};
export const fallbackTimes: FallbackTimes = { settleMs: 10_000, silentMs: 120_000 };

/** Why a decision is unknown: nobody could say that the first message will not arrive. */
export const NOT_WITHDRAWN = 'not_withdrawn';

const AT_ONCE = 500;
/** Platforms repeat a report for so long. Until then a message whose result is unknown can still turn out to have failed. */
const REPORTS_FOR_MS = 7 * 24 * 3_600_000;

/**
 * Decides for recipients of one campaign that the first message did not reach them, in the transaction of the caller, which holds the row of the
 * campaign: a retry or a decision about unknown results holds it, too, so that nobody is taken by both. Answers how many it found and whether only
 * late reports can bring more, or null where the campaign rests or is gone.
 *
 * A refusal and an expiry that the platform reported prove it. A message without any report is revoked first. What is unknown stays so until a late
 * report proves that the first message did not arrive.
 */
export async function findCandidates(
  scope: WorkspaceScope,
  campaignId: string,
  { settleMs, silentMs }: FallbackTimes,
): Promise<{ found: number; isLate: boolean } | null> {
  const { workspaceId } = scope;
  const { rows: held } = await scope.query<{
    run_no: string;
    fallback: CampaignFallback;
    state: string;
    completed_at: Date | null;
    unknown: number;
  }>(
    `SELECT c.run_no, c.fallback, run.state, run.completed_at,
            coalesce((SELECT p.unknown FROM delivery_progress p WHERE p.run_no = c.run_no), 0)::integer
              + (SELECT count(*) FROM campaign_fallbacks f WHERE f.campaign_id = c.id AND f.state = 'unknown' AND f.code = '${NOT_WITHDRAWN}')::integer AS unknown
       FROM campaigns c JOIN delivery_runs run ON run.run_no = c.run_no
      WHERE c.workspace_id = $1 AND c.id = $2 AND c.fallback IS NOT NULL AND c.fallback_done_at IS NULL FOR UPDATE OF c`,
    [workspaceId, campaignId],
  );
  const campaign = held[0];
  if (campaign?.state === 'cancelled')
    await endFallback(scope, { workspaceId, campaignId, at: scope.clock() });
  if (!campaign || !['ready', 'running', 'completed'].includes(campaign.state)) return null;
  const now = scope.clock().getTime();
  const limitMs = campaign.fallback.afterSeconds * 1000;
  const silentSince = new Date(now - limitMs - silentMs);
  const { rowCount } = await scope.query(
    `INSERT INTO campaign_fallbacks (run_no, seq, workspace_id, campaign_id, state, due_at, updated_at)
     SELECT r.run_no, r.seq, r.workspace_id, $3::uuid,
            CASE WHEN r.state = ${recipientState.refused} OR r.failed_at IS NOT NULL THEN 'ready' ELSE 'revoking' END,
            CASE WHEN r.state = ${recipientState.refused} THEN $4::timestamptz ELSE $4::timestamptz + make_interval(secs => $5::float8 / 1000) END, $4::timestamptz
       FROM delivery_recipients r
      WHERE r.run_no = $1 AND r.workspace_id = $2 AND r.contact_id IS NOT NULL
        AND r.delivered_at IS NULL AND r.read_at IS NULL
        AND (r.state = ${recipientState.refused} OR (r.state = ${recipientState.accepted}
          AND (r.failed_at IS NOT NULL OR coalesce(r.accepted_at, r.sent_at) < $6)))
        AND NOT EXISTS (SELECT FROM campaign_fallbacks f WHERE f.run_no = r.run_no AND f.seq = r.seq)
        AND NOT EXISTS (SELECT FROM delivery_runs retry JOIN delivery_recipients again ON again.run_no = retry.run_no
          WHERE retry.workspace_id = $2 AND retry.retry_of = $3 AND again.contact_id = r.contact_id)
      ORDER BY r.seq LIMIT ${AT_ONCE} ON CONFLICT DO NOTHING`,
    [campaign.run_no, workspaceId, campaignId, new Date(now), settleMs, silentSince],
  );
  const found = (rowCount ?? 0) + (await reviveFailed(scope, { campaignId, settleMs, now }));
  // Accepted at the latest when the run ended. From then on nobody new can come, except those whose result is unknown.
  const endedMs = campaign.completed_at === null ? null : now - campaign.completed_at.getTime();
  const isLate = endedMs !== null && endedMs > limitMs + silentMs + settleMs;
  const mayBeReported = campaign.unknown > 0 && endedMs !== null && endedMs < REPORTS_FOR_MS;
  if (found === 0 && isLate && !mayBeReported)
    await endFallback(scope, { workspaceId, campaignId, at: scope.clock() });
  return { found, isLate };
}

/** Decisions that were unknown, and whose first message was reported as failed since. Answers how many. */
async function reviveFailed(
  scope: WorkspaceScope,
  { campaignId, settleMs, now }: { campaignId: string; settleMs: number; now: number },
): Promise<number> {
  const { rowCount } = await scope.query(
    `UPDATE campaign_fallbacks f SET state = 'ready', code = NULL, due_at = $4, updated_at = $3
       FROM delivery_recipients r
      WHERE f.workspace_id = $1 AND f.campaign_id = $2 AND f.state = 'unknown' AND f.code = '${NOT_WITHDRAWN}'
        AND r.run_no = f.run_no AND r.seq = f.seq AND r.workspace_id = $1
        AND r.failed_at IS NOT NULL AND r.delivered_at IS NULL AND r.read_at IS NULL`,
    [scope.workspaceId, campaignId, new Date(now), new Date(now + settleMs)],
  );
  return rowCount ?? 0;
}
