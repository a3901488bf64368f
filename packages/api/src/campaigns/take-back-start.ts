import { undoStart } from '@app/database/campaigns/write-campaigns';
import { takeBackRun } from '@app/delivery/run-controls';
import type { CampaignRow } from '../sending/campaign-overview.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';

/**
 * Makes a held start as if it had not been: the run goes with its recipients, and the campaign is again what it was. Null when that is done; of this and the first
 * claim one alone succeeds, by the lock of the run's row. The campaign's row is held by the caller.
 */
export async function takeBackStart(
  scope: WorkspaceScope,
  { id, runNo }: CampaignRow,
): Promise<'campaign_already_sending' | null> {
  if (runNo === null || !(await takeBackRun(scope, runNo))) return 'campaign_already_sending';
  await undoStart(scope.tx, { workspaceId: scope.workspaceId, campaignId: id }, scope.clock());
  return null;
}
