import type { PoorQuality } from '@app/domain/channels/number-standing';
import { defaultCampaignGuard } from '@app/domain/settings/campaign-guard';
import { recipientState, valueFailures } from '@app/domain/delivery/recipient-state';
import { expiredCodes } from '@app/domain/channel-kinds/kind-codes';
import { lastingErrors } from '@app/domain/messaging/retry-worth';
import { pauseRunFor } from './run-controls.ts';
import type { SqlClient } from './sql-client.ts';
import { emitRuns, type EmitDelivery } from './emit-runs.ts';

export type FailingRun = { runNo: number; workspaceId: string };

const { isEnabled, quality: pausesAt, failurePercent, among } = defaultCampaignGuard;
/** What the workspace of `delivery_runs r` has set, or the default. */
const GUARD = `(SELECT coalesce((w.settings->'campaignGuard'->>'isEnabled')::boolean, ${isEnabled}) AS is_enabled,
    coalesce(w.settings->'campaignGuard'->>'quality', '${pausesAt}') AS pauses_at,
    coalesce((w.settings->'campaignGuard'->>'failurePercent')::integer, ${failurePercent}) AS percent,
    coalesce((w.settings->'campaignGuard'->>'among')::integer, ${among}) AS among
  FROM workspaces w WHERE w.id = r.workspace_id)`;
/** Reports come out of order: the newest outcomes lie within so many times as many places, */
const LOOKS_BACK = 10;
/** and within so many more: of very many it would be a look at a hundred thousand each second. */
const LOOKS_BACK_MOST = 10_000;

/**
 * The runs of which too many failed among the newest of which anything is known. Fewer than that say nothing, and what is only on its way
 * neither. Who failed here for a value of theirs says nothing of the others, nor does whom a message with a fallback did not reach. What left before somebody resumed was judged by them.
 */
export async function findFailingRuns(client: SqlClient): Promise<FailingRun[]> {
  const { rows } = await client.query<{ run_no: string; workspace_id: string }>(
    `SELECT r.run_no, r.workspace_id FROM delivery_runs r CROSS JOIN LATERAL ${GUARD} AS g
      CROSS JOIN LATERAL (
        SELECT count(*) AS known, count(*) FILTER (WHERE newest.has_failed) AS failed FROM (
          SELECT (d.state = ${recipientState.refused} OR d.failed_at IS NOT NULL) AND d.delivered_at IS NULL AND d.read_at IS NULL AS has_failed
            FROM delivery_recipients d
           WHERE d.run_no = r.run_no AND d.seq >= r.cursor - least(g.among * ${LOOKS_BACK}, g.among + ${LOOKS_BACK_MOST}) AND d.seq < r.cursor
             AND d.state IN (${recipientState.accepted}, ${recipientState.refused})
             AND (d.state = ${recipientState.accepted} OR coalesce(d.error_code, '') <> ALL ('{${valueFailures.join()}}'))
             AND NOT (r.message ? 'timeLimitSeconds' AND coalesce(d.error_code, '') = ANY ($1))
             AND coalesce(d.failed_at, d.sent_at, d.delivered_at, d.read_at) IS NOT NULL
             AND (r.resumed_at IS NULL OR coalesce(d.accepted_at, d.failed_at) > r.resumed_at)
           ORDER BY d.seq DESC LIMIT g.among) AS newest) AS seen
     WHERE r.completed_at IS NULL AND r.state = 'running' AND g.is_enabled
       AND r.refused + r.failed >= g.among * g.percent / 100.0
       AND seen.known >= g.among AND seen.failed * 100 >= g.percent * seen.known
     ORDER BY r.run_no`,
    [[...lastingErrors, ...expiredCodes]],
  );
  return rows.map(({ run_no: runNo, workspace_id: workspaceId }) => ({ runNo: Number(runNo), workspaceId }));
}

/** Whose quality dropped, and to which: of a number of the workspace, by our id of it, or of one of its templates. */
export type Dropped = { workspaceId: string; quality: PoorQuality } & (
  | { channelId: string }
  | { templateId: string }
);

/**
 * Pauses what is sent through a number, or with a template, whose quality the platform finds as poor as the workspace lets it become. `at` is when
 * the platform said so: who resumed since knows it. Answers with the runs that it paused.
 */
export async function pauseForQuality(client: SqlClient, dropped: Dropped, at: Date): Promise<number[]> {
  const isNumber = 'channelId' in dropped;
  const of = isNumber
    ? 'r.channel_id = $2'
    : '($2 = ANY (r.variant_templates) OR r.campaign_id IN (SELECT c.id FROM campaigns c WHERE c.workspace_id = $1 AND c.template_id = $2))';
  const { rows } = await client.query<{ run_no: string }>(
    `SELECT r.run_no FROM delivery_runs r CROSS JOIN LATERAL ${GUARD} AS g
      WHERE r.workspace_id = $1 AND ${of} AND r.completed_at IS NULL AND r.state IN ('ready', 'running') AND g.is_enabled
        AND $3 IN ('red', g.pauses_at)
      ORDER BY r.run_no`,
    [dropped.workspaceId, isNumber ? dropped.channelId : dropped.templateId, dropped.quality],
  );
  const paused: number[] = [];
  for (const { run_no: runNo } of rows) {
    const reason = isNumber ? 'number_quality' : 'template_quality';
    if (await pauseRunFor(client, Number(runNo), { reason, at })) paused.push(Number(runNo));
  }
  return paused;
}

/**
 * The same for a number as the platform names it: by our id of it, or by its digits alone. Tells what it paused, within the caller's
 * transaction.
 */
export async function guardNumber(
  client: SqlClient,
  emit: EmitDelivery,
  { workspaceId, channelId, displayName, quality, at }: NamedNumber,
): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM channels WHERE workspace_id = $1
        AND (id = $2 OR ($3 <> '' AND regexp_replace(coalesce(display_name, ''), '\\D', '', 'g') = $3))`,
    [workspaceId, channelId, (displayName ?? '').replaceAll(/\D/g, '')],
  );
  for (const { id } of rows)
    await emitRuns(client, emit, await pauseForQuality(client, { workspaceId, channelId: id, quality }, at));
}

type NamedNumber = {
  workspaceId: string;
  channelId: string | null;
  displayName: string | null;
  quality: PoorQuality;
  at: Date;
};
