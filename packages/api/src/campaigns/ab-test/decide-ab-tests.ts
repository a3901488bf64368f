import type { CampaignAbResult } from '@app/database/campaigns/campaigns-tables';
import { noteAbResult } from '@app/database/campaigns/write-campaigns';
import { releaseRest } from '@app/delivery/split-run';
import { judgeAbTest } from '@app/domain/campaigns/ab-test/ab-test';
import { changeAsSystem, type SystemParts } from '../../platform/system-work.ts';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import type { CampaignRow } from '../../sending/campaign-overview.ts';
import { lockCampaign } from '../campaigns-queries.ts';
import { measureTest } from './read-ab-test.ts';

const HOUR_MS = 3_600_000;

/**
 * Ends every test whose people have all had their time: writes what came of it, and sends the winner to the remaining contacts where the rule
 * says so. Any number of processes may do this at once; a test has one verdict, by the lock on its campaign.
 */
export async function decideAbTests(parts: SystemParts): Promise<void> {
  const { rows } = await parts.db.systemPool.query<{ id: string; workspace_id: string }>(
    `SELECT c.id, c.workspace_id FROM campaigns c JOIN delivery_runs run ON run.run_no = c.run_no
      WHERE c.ab_test IS NOT NULL AND c.run_no IS NOT NULL AND c.ab_result->'verdict' IS NULL AND c.ab_result IS NOT NULL
        AND run.state <> 'cancelled' AND run.frozen_at IS NOT NULL
        AND run.cursor >= least(run.total, coalesce(run.claim_upto, run.total))
        AND coalesce((c.ab_result->>'endsAt')::timestamptz, '-infinity') <= $1
      ORDER BY c.id`,
    [parts.clock()],
  );
  for (const { id, workspace_id: workspaceId } of rows)
    await changeAsSystem(parts, 'scheduler', workspaceId, (scope) => decideAbTest(scope, id)).catch(
      (error: unknown) =>
        parts.logger.warn({ err: error, campaignId: id }, 'an A/B test could not be decided'),
    );
}

async function decideAbTest(scope: WorkspaceScope, campaignId: string): Promise<void> {
  const row = await lockCampaign(scope, campaignId);
  if (!row?.abTest || !row.abResult || row.abResult.verdict || row.runNo === null) return;
  const { abTest: test, abResult: result } = row;
  const { isOut, lastAt, figures } = await measureTest(scope, {
    ...{ runNo: row.runNo, testSize: result.plan.testSize, variants: test.variants.length + 1, rule: test },
  });
  if (!isOut) return;
  const now = scope.clock();
  const at = now.toISOString();
  // Nobody got anything: there is nothing to wait for.
  const endsAt = lastAt === null ? now : new Date(lastAt.getTime() + test.windowHours * HOUR_MS);
  const measured = { ...result, endsAt: endsAt.toISOString() };
  if (endsAt > now) return store(scope, row, measured);
  const verdict = judgeAbTest(figures, result.plan.sample);
  const judged = { ...measured, verdict: { ...verdict, at, figures } };
  const isSent =
    verdict.outcome === 'winner' &&
    test.decides === 'automatic' &&
    (await releaseRest(scope, row.runNo, verdict.variant));
  await store(scope, row, {
    ...judged,
    ...(isSent && { chosen: { at, variant: verdict.variant, by: 'rule' as const } }),
  });
  await scope.emit({
    type: 'campaign.test_ended',
    subject: campaignId,
    values: { name: row.name, outcome: verdict.outcome },
  });
}

function store(scope: WorkspaceScope, { id: campaignId }: CampaignRow, result: CampaignAbResult) {
  return noteAbResult(scope, { workspaceId: scope.workspaceId, campaignId }, result);
}

/**
 * Sends a variant to all who wait, by a person's decision. The first decision stands: the same one again changes nothing. Emits
 * `campaign.variant_chosen`.
 */
export async function chooseVariant(
  scope: WorkspaceScope,
  { campaignId, variant }: { campaignId: string; variant: number },
) {
  const row = await lockCampaign(scope, campaignId);
  if (!row) return 'campaign_not_found';
  const { abTest: test, abResult: result } = row;
  if (!test || variant > test.variants.length) return 'campaign_without_test';
  if (row.runNo === null || !result || row.status === 'cancelled') return 'campaign_act_refused';
  if (result.chosen) return result.chosen.variant === variant ? { variant } : 'campaign_test_decided';
  if (!result.verdict) return 'campaign_test_running';
  if (!(await releaseRest(scope, row.runNo, variant))) return 'campaign_act_refused';
  const at = scope.clock().toISOString();
  await store(scope, row, { ...result, chosen: { at, variant, by: 'person' } });
  await scope.emit({
    type: 'campaign.variant_chosen',
    subject: campaignId,
    values: { name: row.name, variant: 'ABCD'[variant] ?? '' },
  });
  return { variant };
}
