import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import type { CampaignRow } from '../sending/campaign-overview.ts';
import { findCampaign } from './campaigns-queries.ts';

/** The campaign whose results leave as a file; null when it is gone. Emits `campaign.results_exported`. */
export async function beginResultsExport(
  scope: WorkspaceScope,
  campaignId: string,
): Promise<CampaignRow | null> {
  const campaign = await findCampaign(scope, campaignId);
  if (!campaign) return null;
  const { id, name } = campaign;
  await scope.emit({ type: 'campaign.results_exported', subject: id, values: { name } });
  return campaign;
}
